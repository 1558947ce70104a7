"""What a model reads: one Markdown template per prompt and language, and the one function that renders them.

A template is data. Its front matter names the variables it takes; `$name` marks where each one goes:

    ---
    variables: message, history
    ---
    Message: $message

Values are put in verbatim, in one pass: a `$`, a brace or a tag inside a value is never looked at again, so memory text cannot
reach another variable or break a prompt. A template that uses an undeclared variable, or a call that leaves one out or brings an
unknown one, is an error at once.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

from memory.errors import BadPrompt


@dataclass(frozen=True, slots=True)
class Prompt:
    """A parsed template: its name, the variables it declares, its body."""

    name: str
    variables: frozenset[str]
    body: Template


_FRONT = re.compile(r"\A---\nvariables:(?P<names>[^\n]*)\n---\n(?P<body>.*)\Z", re.S)


def parse(name: str, text: str) -> Prompt:
    """A template's text → Prompt. Raises BadPrompt when the front matter is missing or disagrees with the body."""
    match = _FRONT.match(text.replace("\r\n", "\n"))
    if match is None:
        raise BadPrompt(f"Prompt {name} must begin with a front matter that lists its variables: ---, variables: a, b, ---.")
    declared = frozenset(v.strip() for v in match["names"].split(",") if v.strip())
    body = Template(match["body"].strip("\n") + "\n")
    if not body.is_valid():
        raise BadPrompt(f"Prompt {name} has a stray $; write $$ for a dollar sign.")
    used = frozenset(body.get_identifiers())
    if used != declared:
        raise BadPrompt(f"Prompt {name} declares {sorted(declared)} but uses {sorted(used)}.")
    return Prompt(name, declared, body)


@cache
def load(name: str, lang: str) -> Prompt:
    """The template prompts/NAME.LANG.md. Raises BadPrompt when there is none."""
    file = files(__package__).joinpath(f"{name}.{lang}.md")
    try:
        text = file.read_text(encoding="utf-8")
    except (FileNotFoundError, IsADirectoryError):
        raise BadPrompt(f"There is no prompt {name}.{lang}.md.") from None
    return parse(f"{name}.{lang}", text)


def render(name: str, lang: str, **variables: str) -> str:
    """prompts/NAME.LANG.md with its variables filled in, each exactly as given. Raises BadPrompt for a missing or unknown variable."""
    prompt = load(name, lang)
    given = frozenset(variables)
    if missing := prompt.variables - given:
        raise BadPrompt(f"Prompt {prompt.name} needs {', '.join(sorted(missing))}.")
    if unknown := given - prompt.variables:
        raise BadPrompt(f"Prompt {prompt.name} does not know {', '.join(sorted(unknown))}.")
    return prompt.body.substitute(variables)
