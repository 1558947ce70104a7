"""Words in Chinese characters inside an English clause stand there as names do: "my landlady is 吴阿姨", "I gave up 二胡".

English patterns are written for letters. So every run of Chinese characters is read as a made-up capitalised word of the same length, and what is found is
given back in the user's own characters.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory.judge.clauses import Clause, fold, has_han
from memory.judge.judgement import Candidate
from memory.judge.reader import Context
from memory.pattern import regex

_RUN: Final = regex(r"[\u3400-\u9fff\uf900-\ufaff]+(?: ?[·・] ?[\u3400-\u9fff]+)*")
_KNOWN: Final = frozenset({"微信", "微博", "支付宝", "抖音", "小红书", "邮箱", "电话", "手机", "手机号", "号码"})
"""Words whose meaning English patterns know, beside those for people."""
_FIRST: Final = "ZQXJVK"
_REST: Final = "zqxjvkw"


def lettered(ctx: Context) -> tuple[Context, Mapping[str, str]]:
    """The context with letters for Chinese characters, and what each made-up word stands for; the context itself where there are none."""
    if not has_han(ctx.message):
        return ctx, {}
    if "lettered" in ctx.memo:
        made: tuple[Context, Mapping[str, str]] = ctx.memo["lettered"]
        return made
    words: dict[str, str] = {}

    zh = ctx.rules.lexicon("zh").sets
    meant = zh.get("kinship", frozenset()) | zh.get("acquaintance", frozenset()) | _KNOWN

    def word(found: re.Match[str]) -> str:
        n, run = len(words), found[0]
        if run in meant:
            return run
        made = _FIRST[n % len(_FIRST)] + "".join(_REST[(n // len(_FIRST) + i) % len(_REST)] for i in range(len(run) - 1))
        words.setdefault(made, run)
        return made

    message = _RUN.sub(word, ctx.message)
    clauses = tuple(_over(c, message) for c in ctx.clauses)
    ctx.memo["lettered"] = (replace(ctx, message=message, plain=fold(message), clauses=clauses, memo={}), words)
    return ctx.memo["lettered"]  # type: ignore[no-any-return]


def _over(clause: Clause, message: str) -> Clause:
    text = message[clause.start : clause.end]
    return replace(clause, text=text, plain=fold(text)) if clause.language == "en" else clause


def given_back_text(text: str, words: Mapping[str, str]) -> str:
    """The text in the user's own characters."""
    folded = {w.casefold(): run for w, run in words.items()}
    return re.sub(r"[A-Za-z]+", lambda m: folded.get(m[0].casefold(), m[0]), text)


def given_back(facts: Sequence[Candidate], words: Mapping[str, str]) -> tuple[Candidate, ...]:
    """The facts in the user's own characters."""

    def back(text: str) -> str:
        return given_back_text(text, words)

    return tuple(
        f.evolve(
            value=back(f.value), owner=back(f.owner), content=back(f.content), clause=back(f.clause),
            replaces=back(f.replaces) if f.replaces else f.replaces, normal=back(f.normal) if isinstance(f.normal, str) else f.normal,
        )
        for f in facts
    )  # fmt: skip
