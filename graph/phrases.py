"""What the offline model says: replies composed from a briefing, in Chinese and English. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from graph.answers import answer
from graph.briefing import Briefing
from graph.sentences import told
from memory.language import Language

STOPPED: Final = ("不保存", "安全检查", "a secret", "guard:")  # how the reasons of the guard begin; people are told why something was not kept
_SAY: Final[Mapping[Language, Mapping[str, str]]] = {
    "zh": {
        "offline": "（我现在是离线模式：没有连接语言模型，只根据记忆回答。）", "saved": "好的，记住了：{}。", "known": "这个我已经记着了：{}。", "changed": "好的，已更新：{}。",
        "retired": "好的，不再算数了：{}。", "forgot": "已经忘掉了：{}。", "nothing": "没有找到要忘掉的内容（{}）。", "refused": "没有保存：{}。", "failed": "现在记不住东西：记忆暂时无法使用。",
        "held": "这条先放着，等确认后再算数：{}。", "hello": "你好{}！有什么可以帮你？", "thanks": "不客气{}！", "bye": "再见{}，下次聊！", "unknown": "我还不知道{}。", "unknown_past": "以前是怎样的，我不知道。",
        "unknown_any": "这个我不知道：记忆里没有，离线模式下也查不到。", "cannot": "这件事要靠语言模型，离线模式下我做不了。", "no_plan": "那几天的事我没有记到。", "age": "你今年{age}岁（生日是{birthday}）", "date": "现在是{}，{}", "in_file": "{} 里写着：{}。",
        "plain": "{}", "back": "好的，回到了 {} 轮之前。", "at_start": "已经到开头了。", "taken_back": "一并撤回了：{}。", "again": "重新算数的：{}。", "no_rounds": "这个会话里还没有可以回退的内容。",
        "live": "离线模式下我查不到{}这类实时信息。", "about": "我记得这些：{}。", "more": "另外还有 {} 条，/memories 可以看到全部。", "its_name": "叫什么我还不知道。", "nothing_of": "这方面我还没有记住什么。", "nothing_yet": "我还没有记住关于你的事。",
        "heed": "推荐时我会照顾到：{}。", "but": "不过", "called": "希望被叫作{}", "no_catalogue": "离线模式下我没有商品资料，给不出具体推荐。", "episode": "之前聊到过：{}。", "ok": "好的。", "session": "（本次会话）{}",
        "you": "你", "sep": "；",
    },
    "en": {
        "offline": "(I'm offline: no language model is connected, so I answer from memory only.)", "saved": "Got it, I'll remember: {}.", "known": "I already have that: {}.",
        "changed": "Updated: {}.", "retired": "Noted, no longer so: {}.", "forgot": "Forgotten: {}.", "nothing": "I found nothing like that to forget ({}).", "refused": "Not saved: {}.",
        "failed": "I can't remember anything right now: memory is out of reach.", "held": "I'll keep this aside until it is confirmed: {}.", "hello": "Hello{}! How can I help?",
        "thanks": "You're welcome{}!", "bye": "Goodbye{}, until next time!", "unknown": "I don't know {} yet.", "unknown_past": "I don't know how it was before.", "unknown_any": "I don't know: it isn't in my memory, and offline I can't look it up.",
        "cannot": "That takes a language model, and I'm offline.", "no_plan": "I have nothing noted for then.", "age": "you are {age} (your birthday is {birthday})",
        "date": "it is {}, {}", "in_file": "{} says: {}.", "plain": "{}", "back": "All right, back by {} round(s).", "at_start": "That is the start.", "taken_back": "Taken back with it: {}.", "again": "So again: {}.",
        "no_rounds": "There is nothing in this conversation to go back to.", "live": "Offline I can't look up live information such as {}.", "about": "Here is what I remember: {}.", "more": "There are {} more; /memories shows them all.", "its_name": "I don't know the name yet.",
        "nothing_of": "I don't remember anything about that yet.", "nothing_yet": "I don't remember anything about you yet.",
        "heed": "For recommendations I'll heed this: {}.", "but": " ", "called": "you like to be called {}", "no_catalogue": "Offline I have no product data, so I can't name anything specific.", 
        "episode": "We talked about this before: {}.", "ok": "All right.", "session": "(this session) {}", "you": "you", "sep": "; ",
    },
}  # fmt: skip


def compose(briefing: Briefing) -> str:
    """The reply: what memory tools reported first, then an answer from what is known, or an honest "I don't know"; offline is said once."""
    say = _SAY[briefing.lang]
    parts = [*_acknowledged(briefing, say), *answer(briefing, say)]
    if briefing.problem and say["failed"] not in parts:
        parts.append(say["failed"])
    if not parts:
        parts.append(say["ok"])
    if briefing.first:
        parts.append(say["offline"])
    return (" " if briefing.lang == "en" else "").join(parts)


def model_failed(briefing: Briefing, error: Exception | None) -> str:
    """The reply when the configured model could not answer: why, in a sentence without secrets, then what memory alone can say."""
    reason = {
        "zh": {
            "timeout": "超时",
            "rate": "请求太频繁（429）",
            "auth": "密钥无效或没有权限",
            "gone": "连不上",
            "empty": "没有给出回答",
            "bad": "返回了无法理解的内容",
        },
        "en": {
            "timeout": "timed out",
            "rate": "is rate limited (429)",
            "auth": "refused the key",
            "gone": "cannot be reached",
            "empty": "gave no answer",
            "bad": "answered nonsense",
        },
    }[briefing.lang][_kind(error)]
    head = f"（模型{reason}，下面只根据记忆回答。）" if briefing.lang == "zh" else f"(The model {reason}; this is from memory only.) "
    say = _SAY[briefing.lang]
    rest = [*_acknowledged(briefing, say), *answer(briefing, say)]
    return head + ((" " if briefing.lang == "en" else "").join(rest) or say["ok"])


def went_back(done: Mapping[str, Any] | None, lang: Language) -> str:
    """The reply after going back, from what `Agent.undo` reports; None: there was nothing to go back to."""
    say = _SAY[lang]
    if done is None:
        return say["no_rounds"]
    parts = [say["back"].format(done["undone"]), say["at_start"] if done["at_start"] else ""]
    for kind, facts in zip(("taken_back", "again"), undone(done["memories"]), strict=True):
        if sentences := dict.fromkeys(told(m, lang) for m in facts):
            parts.append(say[kind].format(say["sep"].join(sentences)))
    return (" " if lang == "en" else "").join(p for p in parts if p)


def undone(changes: Sequence[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """Of changes that take others back, latest first: the facts that are no longer so, and those that are so again in the end."""
    gone = [m.get("closed") or m for m in changes if m.get("closed") or m["op"] == "retire"]
    taken = [_told_of(m) for m in gone]
    back = [m for m in changes if m["op"] != "retire" and _told_of(m) not in taken]
    return [m for m in gone if m.get("value")], [m for m in back if m.get("value")]


def _told_of(fact: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(fact.get(f) for f in ("owner", "attribute", "value", "time"))


def _acknowledged(briefing: Briefing, say: Mapping[str, str]) -> list[str]:
    """What the tools did, said once per kind; only what they reported."""
    groups: dict[str, list[str]] = {}
    kinds = {"add": "saved", "strengthen": "known", "supersede": "changed", "retire": "retired", "hold": "held", "forget": "forgot"}
    for report in briefing.applied:
        op = str(report.get("op"))
        if op in kinds and report.get("attribute"):
            groups.setdefault(kinds[op], []).append(told(report, briefing.lang))
        elif op == "ignore" and report.get("reason") == "not found":
            groups.setdefault("nothing", []).append(str(report.get("value", "")))
        elif op == "ignore" and str(report.get("reason", "")).startswith(STOPPED):
            groups.setdefault("refused", []).append(str(report["reason"]))
        elif op == "refused":
            groups.setdefault("refused", []).append(str(report.get("reason", "")))
        elif op == "undo":
            groups.setdefault("plain", []).append(str(report.get("reason", "")))
        elif op == "failed":
            groups.setdefault("failed", [])
    return [say[kind].format(say["sep"].join(dict.fromkeys(items))) for kind, items in groups.items()]


def _kind(error: Exception | None) -> str:
    if error is None:
        return "empty"
    name, status = type(error).__name__.lower(), getattr(error, "status_code", None)
    if "timeout" in name:
        return "timeout"
    if status == 429 or "ratelimit" in name:
        return "rate"
    if status in {401, 403}:
        return "auth"
    if "connect" in name or "protocol" in name or isinstance(error, OSError):
        return "gone"
    return "bad"
