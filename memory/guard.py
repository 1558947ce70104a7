"""What may be remembered: every text that would become a memory is cleaned, and scored for poisoning and secrets, before it is written. Pure.

The rules are data (guard.toml). A verdict is allow, review (held until a person decides) or block, with its reasons; the clean text comes along. Texts of
any length are safe to pass: only the first and last `MAX_SCANNED` characters are scanned, and what is longer than `MAX_TEXT` is blocked.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, Literal

from memory.clean import clean_text
from memory.pattern import regex
from memory.revise.forms import fold

Verdict = Literal["allow", "review", "block"]

REVIEW_AT: Final = 0.5
BLOCK_AT: Final = 1.0
MAX_VALUE: Final = 2_000  # characters of one fact
MAX_TEXT: Final = 100_000  # characters of one message
MAX_SCANNED: Final = 8_000

_CJK: Final = regex(r"[\u4e00-\u9fff]")
_SPACED: Final = regex(r"(?<![^\W_])(?:[^\W_][\s\-_.*·|/]){4,}[^\W_](?![^\W_])")


@dataclass(frozen=True, slots=True)
class Ruling:
    """The guard's word on one text."""

    verdict: Verdict
    score: float
    reasons: tuple[str, ...]
    clean_text: str

    def as_json(self) -> dict[str, Any]:
        return {"verdict": self.verdict, "score": round(self.score, 3), "reasons": list(self.reasons), "clean_text": self.clean_text}


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    zh: str
    weight: float
    pattern: re.Pattern[str]
    channels: frozenset[str]


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    data = tomllib.loads(files("memory").joinpath("guard.toml").read_text("utf-8"))
    return tuple(_Rule(r["name"], r["zh"], r["weight"], regex(r["pattern"]), frozenset(r.get("channels", ()))) for r in data["rule"])


def inspect(text: str, channel: str = "user") -> Ruling:
    """Score a text that came by this channel (user, tool, document or web)."""
    cleaned = clean_text(text)
    if len(cleaned) > MAX_TEXT:
        return Ruling("block", 1.0, (_say(text, f"超过 {MAX_TEXT} 字", f"longer than {MAX_TEXT} characters"),), cleaned[:MAX_TEXT])
    score, reasons = 0.0, []
    for form in dict.fromkeys((_scanned(text), _scanned(cleaned))):
        for rule in _rules():
            reason = _say(text, rule.zh, rule.name)
            if (not rule.channels or channel in rule.channels) and reason not in reasons and rule.pattern.search(form):
                score += rule.weight
                reasons.append(reason)
    if flooded(cleaned):
        score += 1.0
        reasons.append(_say(text, "同样的内容大量重复", "flooding: the same text over and over"))
    verdict: Verdict = "block" if score >= BLOCK_AT else "review" if score >= REVIEW_AT else "allow"
    return Ruling(verdict, min(score, 1.0), tuple(reasons), cleaned)


def _scanned(text: str) -> str:
    part = text if len(text) <= 2 * MAX_SCANNED else text[:MAX_SCANNED] + "\n" + text[-MAX_SCANNED:]
    return _SPACED.sub(lambda m: re.sub(r"[\s\-_.*·|/]", "", m[0]), fold(part))


def _say(text: str, zh: str, en: str) -> str:
    return zh if _CJK.search(text) else en


def flooded(text: str) -> bool:
    """Whether one short piece makes up most of a longer text."""
    pieces = [p for p in re.split(r"[\n。！!；;.]+", text[: 2 * MAX_SCANNED]) if p.strip()]
    if len(pieces) < 8:
        return False
    most = max(pieces.count(p) for p in set(pieces))
    return most >= 6 and most * 2 > len(pieces)


# secrets

_KEY: Final = regex(
    r"\b(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[A-Za-z0-9_-]{16,}|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{20,}|\bxox[abprs]-[A-Za-z0-9-]{10,}|"
    r"\bAIza[0-9A-Za-z_-]{30,}|-----BEGIN [A-Z ]*PRIVATE KEY-----|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\."
)
_PASSWORD: Final = regex(
    r"(?:密码|口令|验证码|支付码|取款码|\b(?:p[ .*_-]?a[ .*_-]?s[ .*_-]?s[ .*_-]?w[ .*_-]?o[ .*_-]?r[ .*_-]?d|passwd|passcode|pass ?phrase|pin(?: code| number)?|cvv|cvc|api[ _-]?key|secret key|access token)\b)"
    r"\s*(?:is|was|are|是|为|：|:|=|就是|改成了?|设成了?|设为)?\s*[\"'“”‘’`]?(?!(?:for|to|of|on|at|from|in|with|and|or|expires?|reset|managers?)\b)(?=\S{0,64}[\dA-Za-z!@#$%^&*])([\w!@#$%^&*.\-]{3,})",
    re.IGNORECASE,
)
_SAID: Final = (
    r"(?:[ ]?(?:for|to|of|on|at)(?: [\w.'’-]{1,20}){1,4}?(?=\s*(?:is|was|:|：|=)))?"
    r"(?:['’]s|\s*(?:is|was|are|est|es|ist|é|è|є|это|は|:|：|=|—|-)|\s)\s*(?:still |now |just )?[\"'“”‘’`]?"
)
_PASSWORD_LIKE: Final = regex(
    r"(?<![^\W_])(?:(?P<sure>pwd?|pswd?|psw|pass|pin|mdp|passkey|log-?in|contraseña|contrasena|mot de passe|wachtwoord|kennwort|senha|clave|lösenord|hasło|пароль|"
    r"パスワード|暗証番号|비밀번호)|(?P<near>p[a-z]{4,10}))" + _SAID + r"(?=\S{0,64}\d)(?P<token>[\w!@#$%^&*.\-]{4,})",
    re.IGNORECASE,
)
"""A word for a secret that is foreign, short or misspelt, and a token with a digit in it."""
_TOKEN_FIRST: Final = regex(
    r"(?<!\S)(?=[^\s\d]{0,64}\d)(?P<token>[\w!@#$%^&*.\-]{4,64})[\"'”’]? (?:is|was) (?:my|our|the|his|her|their) (?:[\w-]{1,20} ){0,2}"
    r"(?:(?P<sure>pwd?|passcode|pin)|(?P<near>p[a-z]{4,10}))(?![^\W_])",
    re.IGNORECASE,
)
_USED_AS: Final = regex(
    r"\b(?:us(?:e|ed|ing)|have|had|set|chose|picked)\s+[\"'“‘`]?(?P<token>[\w!@#$%^&*.\-]{4,64})[\"'”’`]? (?:as|for|to be) (?:my|the|our) (?:[\w-]{1,20} ){0,2}(?:password|passcode|pin|pwd)\b|"
    r"(?:用|拿)\s*(?P<token_zh>[\w!@#$%^&*.\-]{4,64})\s*(?:来)?(?:当|做|作|作为|当作)(?:我的?|了)?[^，。\s]{0,6}(?:密码|口令)",
    re.IGNORECASE,
)
_IN_ADDRESS: Final = regex(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,64}:(?P<token>[^\s@/]{1,128})@", re.IGNORECASE)
_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}  # full-width letters are read as the plain ones
_SECRET_WORDS: Final = ("password", "passwords", "passcode", "passphrase", "passwort")
_DIGITS: Final = regex(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w|\.\d)")
_CARD: Final = regex(
    r"(?:银行卡|信用卡|储蓄卡|借记卡|工资卡|银联卡|存折|(?:银行|银联|[工农建中交招]行|邮储|浦发)[^，,。；;\d]{0,8}(?:卡号|账号|帐号|账户)|(?<![一-龥])(?:我|俺)?的?卡号|"
    r"\b(?:credit|debit|bank|visa|master|amex|atm|savings) ?(?:card|account)(?: number| no\.?)?|(?<!library )(?<!member )(?<!membership )(?<!gift )(?<!loyalty )\bcard (?:number|no\.?)|\biban)"
    r"[^\d，,。；;!?！？]{0,16}(?P<v>(?<![A-Za-z\d])\d(?:[ -]?\d){11,18}(?![A-Za-z\d]))",
    re.IGNORECASE,
)
"""A number that the words before it call a card's or a bank account's, whether or not its check digit is right."""
_CHINESE_ID: Final = regex(r"(?<!\d)\d{6}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?!\d)")
_SSN: Final = regex(r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")
HIDDEN: Final = "••••"
SECRET: Final = "secret"  # the tag of a secret that the user insisted on


def secret(text: str) -> str | None:
    """What kind of secret the text holds: key, password, card, id; None for none."""
    return next((kind for _, _, kind in _secrets(text[:MAX_SCANNED])), None)


def redacted(text: str) -> str:
    """The text with every secret in it replaced by dots: what is kept of a conversation is kept without them."""
    out, at = [], 0
    for start, end, _ in sorted(_secrets(text)):
        if start >= at:
            out += [text[at:start], HIDDEN]
        at = max(at, end)
    return "".join([*out, text[at:]]) if out else text


def secrets_in(text: str) -> frozenset[str]:
    """The secrets themselves, without the words around them."""
    return frozenset(text[start:end] for start, end, _ in _secrets(text))


def _secrets(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, kind) of each secret, those that are surest first; they may overlap."""
    plain = text.translate(_WIDE)  # one character for one: places stay
    for kind, pattern in (("key", _KEY), ("id", _CHINESE_ID), ("id", _SSN)):
        yield from ((*m.span(), kind) for m in pattern.finditer(plain))
    yield from ((*m.span(), "card") for m in _DIGITS.finditer(plain) if luhn(m[0]))
    yield from ((*m.span("v"), "card") for m in _CARD.finditer(plain))
    yield from ((*m.span(1), "password") for m in _PASSWORD.finditer(plain))
    for pattern in (_PASSWORD_LIKE, _TOKEN_FIRST):
        yield from ((*m.span("token"), "password") for m in pattern.finditer(plain) if _names_secret(m))
    yield from (
        (*m.span("token" if m["token"] else "token_zh"), "password") for m in _USED_AS.finditer(plain) if _holds_digit(m["token"] or m["token_zh"])
    )
    yield from ((*m.span("token"), "password") for m in _IN_ADDRESS.finditer(plain))


def _holds_digit(token: str) -> bool:
    return any(c.isdigit() for c in token)


def _names_secret(m: re.Match[str]) -> bool:
    """Whether the word beside the token stands for a password: one of the known ones (a bare number after "pass" or "login" is a price or a count), or
    one that a slip of the keys made of it."""
    if sure := m["sure"]:
        return sure.lower() not in {"pass", "login", "log-in", "clave"} or re.search(r"[^\W\d_]", m["token"]) is not None
    near = m["near"].lower()
    return near != "passport" and any(SequenceMatcher(None, near, w).ratio() >= 0.8 for w in _SECRET_WORDS)


def luhn(number: str) -> bool:
    """Whether the digits pass the check that payment cards carry (ISO/IEC 7812-1, annex B)."""
    digits = [int(c) for c in number if c.isdigit()]
    doubled = [d if n % 2 == 0 else sum(divmod(2 * d, 10)) for n, d in enumerate(reversed(digits))]
    return len(digits) >= 13 and len(set(digits)) > 1 and sum(doubled) % 10 == 0


def masked(value: str, tags: Sequence[str]) -> str:
    """The value as a listing shows it: a secret keeps its last two characters."""
    if SECRET not in tags:
        return value
    return "•" * max(4, min(len(value) - 2, 12)) + value[-2:] if len(value) > 4 else "••••"
