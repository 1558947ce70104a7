"""Is this worth remembering? Rules first, a small model for what they leave open, an LLM only for the rest."""

from memory.judge.engine import Parts, assemble, commands, judge, read, with_opinions
from memory.judge.judgement import FOUND, Candidate, ClauseVerdict, Command, Judgement, SessionFact, Stance, candidates_of
from memory.judge.reader import Context, Opinion, Reader, Reading, SmallModel
from memory.judge.rules import Rules

__all__ = [
    "FOUND", "Candidate", "ClauseVerdict", "Command", "Context", "Judgement", "Opinion", "Parts", "Reader", "Reading", "Rules", "SessionFact", "SmallModel",
    "Stance", "assemble", "candidates_of", "commands", "judge", "read", "with_opinions",
]  # fmt: skip
