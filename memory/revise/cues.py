"""What a clause does to what is known, read from its words. Data: cues.toml."""

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from memory.revise.forms import compiled, fold


@lru_cache(maxsize=1)
def _patterns() -> Mapping[str, re.Pattern[str]]:
    data = tomllib.loads(files("memory.revise").joinpath("cues.toml").read_text("utf-8"))
    return {name: compiled(pattern) for name, pattern in data.items()}


def says(cue: str, text: str) -> bool:
    """Whether the text holds a word of this cue: change, again, more, over, done, passing or unreal."""
    return bool(_patterns()[cue].search(fold(text)))
