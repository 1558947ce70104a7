"""What the terminal says, in Chinese and English; one table, so that neither language can lack a line (a test compares them)."""

import locale
import os
from typing import Final

from memory.language import Language

TEXTS: Final[dict[Language, dict[str, str]]] = {
    "zh": {
        "title": "记住 jizhu",
        "where": "用户 {user} · 会话 {thread}\n模型 {model}",
        "offline": "离线（只凭记忆回答；设置 OPENAI_API_KEY 即可换成真模型）",
        "hint": "直接说话即可；/help 查看命令；Ctrl-C 清空这一行，按两次或 Ctrl-D 离开",
        "continued": "接着上次的会话（已有 {rounds} 轮）",
        "remembered": "记住",
        "past": "记入过去",
        "updated": "更新",
        "retired": "不再记",
        "forgot": "忘掉",
        "waiting": "待确认",
        "held": "已拦下待审",
        "session": "本次会话",
        "recalled": "想起",
        "resolved": "理解为",
        "cancelled": "（已取消）",
        "leave": "再按一次 Ctrl-C 或按 Ctrl-D 离开",
        "bye": "下次继续：jizhu chat{user} --thread last",
        "unknown": "没有 {command} 这个命令；/help 查看全部命令。",
        "no_memories": "还没有记住什么。",
        "forgotten": "已忘掉：{values}",
        "no_match": "没有找到与“{what}”有关的记忆。",
        "several": "符合的不止一条，请用编号：/forget 编号",
        "file_added": "已附上 {name}（{size} 字），随下一条消息一起发送。",
        "file_unreadable": "读不了 {name}：{why}",
        "file_usage": "用法：/file 路径",
        "forget_usage": "用法：/forget 内容（或 /memories 里的编号）",
        "not_text": "不是文本文件",
        "too_large": "超过 {limit} MB",
        "undone": "已回退 {rounds} 轮。",
        "undone_start": "没有那么多轮：已回到开头（回退了 {rounds} 轮）。",
        "undone_memories": "一并撤回的记忆：{values}",
        "again_memories": "重新算数的记忆：{values}",
        "undo_usage": "用法：/undo [轮数]",
        "nothing_yet": "这个会话里还没有说过话。",
        "ended": "会话已结束：清除了 {facts} 条会话事实，存档 {episodes} 条对话。新会话 {thread}。",
        "new": "新会话 {thread}。",
        "help": "/memories [词]   记住了什么（或搜索）\n/forget 内容     忘掉一条记忆\n/file 路径       把文本文件放进对话\n/undo [N]        回到 N 轮之前，连同那几轮记下的\n"
        "/end             结束会话：临时信息清空，对话存档\n/new [名称]      开始新会话\n/help            这份说明\n/quit            离开（同 Ctrl-D）",
        "you": "你",
    },
    "en": {
        "title": "jizhu 记住",
        "where": "user {user} · thread {thread}\nmodel {model}",
        "offline": "offline (answers from memory only; set OPENAI_API_KEY for a real one)",
        "hint": "just talk; /help lists the commands; Ctrl-C drops the line, twice or Ctrl-D leaves",
        "continued": "continuing this thread ({rounds} rounds so far)",
        "remembered": "remembered",
        "past": "kept as past",
        "updated": "updated",
        "retired": "no longer kept",
        "forgot": "forgot",
        "waiting": "to be confirmed",
        "held": "held for review",
        "session": "this session",
        "recalled": "recalled",
        "resolved": "understood as",
        "cancelled": "(cancelled)",
        "leave": "Ctrl-C again or Ctrl-D leaves",
        "bye": "to continue: jizhu chat{user} --thread last",
        "unknown": "There is no command {command}; /help lists them.",
        "no_memories": "Nothing remembered yet.",
        "forgotten": "Forgot: {values}",
        "no_match": "No memory matches “{what}”.",
        "several": "More than one matches; use its number: /forget NUMBER",
        "file_added": "Attached {name} ({size} characters); it goes with your next message.",
        "file_unreadable": "Cannot read {name}: {why}",
        "file_usage": "Usage: /file PATH",
        "forget_usage": "Usage: /forget WHAT (or a number from /memories)",
        "not_text": "not a text file",
        "too_large": "larger than {limit} MB",
        "undone": "Went back {rounds} round(s).",
        "undone_start": "There were not that many: back at the start ({rounds} round(s)).",
        "undone_memories": "Taken back with them: {values}",
        "again_memories": "So again: {values}",
        "undo_usage": "Usage: /undo [ROUNDS]",
        "nothing_yet": "Nothing has been said in this thread yet.",
        "ended": "Session ended: {facts} session fact(s) cleared, {episodes} turn(s) archived. New thread {thread}.",
        "new": "New thread {thread}.",
        "help": "/memories [WORDS]  what is remembered (or search it)\n/forget WHAT       forget a memory\n/file PATH         bring a text file into the conversation\n"
        "/undo [N]          go back N rounds, with what they wrote\n/end               end the session: passing facts cleared, turns archived\n/new [NAME]        start a new thread\n"
        "/help              this list\n/quit              leave (or Ctrl-D)",
        "you": "you",
    },
}


def words(lang: Language, name: str, /, **values: object) -> str:
    """A line in this language, with its values put in."""
    text = TEXTS[lang][name]
    for key, value in values.items():
        text = text.replace("{" + key + "}", str(value))
    return text


def machine_language(otherwise: Language = "zh") -> Language:
    """English where the environment names another language than Chinese, whether or not its locale is installed; where it names none, `otherwise`."""
    name = next((v for n in ("LC_ALL", "LC_MESSAGES", "LANG") if (v := os.environ.get(n))), "") or locale.setlocale(locale.LC_CTYPE)
    name = name.partition(".")[0]
    if name in {"", "C", "POSIX"}:
        return otherwise
    return "zh" if name.startswith(("zh", "Chinese")) else "en"
