"""Secrets: what is kept of a conversation is kept without them, and nothing else is lost."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.guard import HIDDEN, redacted, secret


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("我的登录密码是 tulip-7731，别告诉别人", f"我的登录密码是 {HIDDEN}，别告诉别人"),
        ("the password is hunter2abc, ok?", f"the password is {HIDDEN}, ok?"),
        ("卡号 4539 1488 0343 6467 给你", f"卡号 {HIDDEN} 给你"),
        ("key: sk-test-abcdefghijklmnop1234 end", f"key: {HIDDEN} end"),
        ("身份证 11010519491231002X", f"身份证 {HIDDEN}"),
        ("我的银行卡号是6230580000456123789", f"我的银行卡号是{HIDDEN}"),
        ("工资卡：6230 5800 0045 6123 789，别弄丢", f"工资卡：{HIDDEN}，别弄丢"),
        ("建行账号是6236001234567890127", f"建行账号是{HIDDEN}"),
        ("my debit card is 5310 2345 6789 0123", f"my debit card is {HIDDEN}"),
        ("my bank account number is 200345678901", f"my bank account number is {HIDDEN}"),
        ("会员卡号是123456789012", "会员卡号是123456789012"),
        ("信用卡客服电话4008205555", "信用卡客服电话4008205555"),
        ("招行信用卡尾号1234", "招行信用卡尾号1234"),
        ("我的快递单号是123456789012345", "我的快递单号是123456789012345"),
        ("My library card number is 21111111111111", "My library card number is 21111111111111"),
        ("订单 1234567890123456 还没到", "订单 1234567890123456 还没到"),
        ("My card number is 4111 1111 1111 1111.", f"My card number is {HIDDEN}."),
        ("My ｐａｓｓｗｏｒｄ is lake66x", f"My ｐａｓｓｗｏｒｄ is {HIDDEN}"),
        ("My p a s s w o r d is lake66x", f"My p a s s w o r d is {HIDDEN}"),
        ("I use lake66x as my bank password", f"I use {HIDDEN} as my bank password"),
        ("我用lake66x当密码", f"我用{HIDDEN}当密码"),
        ("db: postgres://bob:s3cr3t@host/x", f"db: postgres://bob:{HIDDEN}@host/x"),
        ("the pin of my card is 4829", f"the pin of my card is {HIDDEN}"),
        ("I use a laptop as my main computer", "I use a laptop as my main computer"),
        ("see https://host:8080/x@y", "see https://host:8080/x@y"),
        ("我忘了密码怎么办", "我忘了密码怎么办"),
        ("btw my pasword is walrus88!", f"btw my pasword is {HIDDEN}"),
        ("wifi passwrod: otter2024x", f"wifi passwrod: {HIDDEN}"),
        ("pw is kettle99", f"pw is {HIDDEN}"),
        ("pass: moss-4417 for the shed", f"pass: {HIDDEN} for the shed"),
        ("the password for the router is kettle99", f"the password for the router is {HIDDEN}"),
        ("the passwrod for my netflix is kettle99", f"the passwrod for my netflix is {HIDDEN}"),
        ("my passcode's 7702", f"my passcode's {HIDDEN}"),
        ("mi contraseña es luna1999", f"mi contraseña es {HIDDEN}"),
        ("kettle99 is my paswrd", f"{HIDDEN} is my paswrd"),
        ("my bus pass is 45 pounds a month", "my bus pass is 45 pounds a month"),
        ("my passport expires in 2031", "my passport expires in 2031"),
        ("they passed 300 cars and paid 20", "they passed 300 cars and paid 20"),
        ("my pw expires in 30 days", "my pw expires in 30 days"),
    ],
)
def test_a_secret_is_hidden_and_the_rest_stays(said: str, kept: str) -> None:
    assert redacted(said) == kept


@given(st.text(max_size=300))
def test_what_was_redacted_holds_no_secret(text: str) -> None:
    once = redacted(text)
    assert redacted(once) == once
    if secret(text) is None:
        assert once == text


def test_long_texts_are_read_in_time() -> None:
    began = time.process_time()
    for text in (
        "密码是" * 60_000,
        "1" * 200_000,
        "sk-" * 60_000,
        "a" * 200_000,
        "password " * 20_000,
        "passwrod for a b " * 20_000,
        "pw: " * 50_000,
        "a1" * 100_000,
    ):
        redacted(text)
    assert time.process_time() - began < 5
