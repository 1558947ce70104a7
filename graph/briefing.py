"""Everything the reply may rest on, as data, and its one rendering: the context. Pure.

Memories are rendered as data: one line each, dated, newlines folded, so that nothing in one can pass for a heading or an instruction.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from memory.language import Language, label
from memory.lines import LINE_TOKENS, flat, hit_line, memory_line
from memory.recall import Hit
from memory.record import Memory
from memory.tokens import count_tokens, cut_to_tokens

HEADINGS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "profile": "## 用户画像（长期记忆）", "facts": "## 相关记忆", "session": "## 本次会话", "files": "## 会话文件", "summary": "## 对话摘要",
        "episodes": "## 往日片段", "recent": "## 最近对话（短期记忆）", "message": "## 当前用户消息", "user": "用户", "assistant": "助手",
    },
    "en": {
        "profile": "## User profile (long-term memory)", "facts": "## Related memories", "session": "## This session", "files": "## Files of this session",
        "summary": "## Conversation summary", "episodes": "## Earlier moments", "recent": "## Recent conversation (short-term memory)",
        "message": "## Current user message", "user": "User", "assistant": "Assistant",
    },
}  # fmt: skip
PROFILE_SHARE: Final = 0.5
FILE_TOKENS: Final = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """What is known when the reply is written.

    `profile` are standing instructions and the lasting picture of the user; `facts` and `episodes` bear on this message; `applied` is what memory
    tools reported done in this round (ops as in `revise.Op`, plus ``forget``); `message` is the resolved text, said at `now`; `recent` the talk before
    it, as (role, text), oldest first; `problem` a sentence about memory being out of reach.
    """

    lang: Language = "zh"
    profile: tuple[Memory, ...] = ()
    facts: tuple[Hit, ...] = ()
    session: Mapping[str, str] = field(default_factory=dict)
    files: tuple[tuple[str, str], ...] = ()
    summary: str = ""
    episodes: tuple[Hit, ...] = ()
    recent: tuple[tuple[str, str], ...] = ()
    message: str = ""
    now: datetime | None = None
    applied: tuple[Mapping[str, Any], ...] = ()
    answerable: float = 0.0
    first: bool = True
    problem: str = ""

    @property
    def known(self) -> tuple[Memory, ...]:
        """Every fact at hand, the profile first, each once."""
        seen = {m.key: m for m in self.profile}
        seen.update((h.memory.key, h.memory) for h in self.facts if h.memory is not None and h.memory.key not in seen)
        return tuple(seen.values())

    def memory_text(self, budget: int) -> str:
        """The memory part of the context, within `budget` tokens: profile, facts, session facts, files, summary, episodes, in this order."""
        words, colon = HEADINGS[self.lang], "：" if self.lang == "zh" else ": "
        shown = {m.key for m in self.profile}
        parts: list[str] = []
        left = budget
        sections: list[tuple[str, Iterator[str], float]] = [
            ("profile", (memory_line(m, self.lang) for m in self.profile), PROFILE_SHARE),
            ("facts", (hit_line(h, self.lang) for h in self.facts if h.id not in shown), 1.0),
            ("session", (f"- {label(k, self.lang)}{colon}{flat(v)}" for k, v in self.session.items()), 1.0),
            ("files", (f"- {flat(name)}: {flat(cut_to_tokens(text, FILE_TOKENS))}" for name, text in self.files), 1.0),
            ("summary", iter([flat(cut_to_tokens(self.summary, max(50, left // 3)))] if self.summary else []), 1.0),
            ("episodes", (hit_line(h, self.lang) for h in self.episodes), 1.0),
        ]
        for name, lines, share in sections:
            text, used = _section(words[name], lines, int(left * share))
            if text:
                parts.append(text)
                left -= used
        return "\n\n".join(parts)

    def text(self, budget: int) -> str:
        """The whole context: the memory part, the recent talk, the resolved message. This is what `chat --json` shows."""
        words = HEADINGS[self.lang]
        talk = "\n".join(f"{words.get(role, role)}: {flat(cut_to_tokens(text, LINE_TOKENS * 2))}" for role, text in self.recent)
        parts = [
            self.memory_text(budget),
            f"{words['recent']}\n{talk}" if talk else "",
            f"{words['message']}\n{flat(cut_to_tokens(self.message, 2000))}",
        ]
        return "\n\n".join(p for p in parts if p)


def profile_of(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """The order of the profile: standing instructions, then identity, preference, relationship; pinned and important ones first."""
    rank = {"instruction": 0, "identity": 1, "preference": 2, "relationship": 3}
    return tuple(sorted(memories, key=lambda m: (rank.get(m.category, 4), not m.pinned, -m.importance, m.recorded_at, m.key)))


def _section(heading: str, lines: Iterable[str], budget: int) -> tuple[str, int]:
    used, kept = count_tokens(heading) + 2, list[str]()
    for line in lines:
        size = count_tokens(line) + 1
        if used + size > budget:
            break
        kept.append(line)
        used += size
    return ("\n".join([heading, *kept]), used) if kept else ("", 0)
