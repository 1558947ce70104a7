"""Messages through judge, notice and revise, one after the other: what holds in the end, and what no longer does."""

from datetime import UTC, datetime, timedelta

import pytest

from memory.judge import judge
from memory.record import Memory, Source, Status
from memory.revise import applied, revise
from memory.revise.dates import date_in
from memory.revise.notice import notice
from memory.revise.tidy import tidy
from memory.small_model import small_model

START = datetime(2026, 3, 4, 9, tzinfo=UTC)  # a Wednesday


def hear(*messages: str, apart: timedelta = timedelta(days=1)) -> list[Memory]:
    """What is known as true after the messages, said one after the other."""
    known: list[Memory] = []
    for n, text in enumerate(messages):
        now = START + n * apart
        read = tidy(judge(text, time=now, model=small_model()).facts, text)

        def day(told: str, now: datetime = now) -> str | None:
            return date_in(told, now)

        for candidate in notice(text, known, read, now=now, resolve=day):
            known = applied(known, revise(known, candidate, user="u", now=now, source=Source(message=str(n), text=text)))
    return [m for m in known if m.status is Status.ACTIVE]


@pytest.mark.parametrize(
    ("plan", "said", "day"),
    [
        ("我下周四要去考瑜伽教练证", "考点通知，教练证推迟三天", "2026-03-15"),
        ("我这周六搬去新房", "搬家公司排不开，改到下周日了", "2026-03-15"),
        ("下周三开家长会", "老师有事，改成下周五", "2026-03-13"),
        ("下周日要拍婚纱照", "摄影师说婚纱照提前一天拍", "2026-03-14"),
        ("下周二考科目二", "驾校发消息，科二顺延一周", "2026-03-17"),
        ("下周一要去办购车手续", "销售临时有事，办手续改到下周五", "2026-03-13"),
        ("We're off to Porto this Sunday.", "Fog at the airport. We fly Tuesday instead.", "2026-03-10"),
    ],
)
def test_a_known_plan_moves_by_so_many_days_or_under_a_shorter_name(plan: str, said: str, day: str) -> None:
    assert [m.time for m in hear(plan, said) if m.attribute in {"plan", "event"}] == [day]


@pytest.mark.parametrize(
    ("said", "right", "value", "gone"),
    [
        ("我女儿上三年级。", "说错了，是二年级。", "二年级", "三年级"),
        ("我储物柜号是415。", "刚去看了一眼，柜号是451，上次给你报错了。", "451", "415"),
        ("我在宏毅建材当会计", "打错字了 是弘毅建材 弘扬的弘", "弘毅建材", "宏毅建材"),
        ("我的导师是骆老师。", "写错了，是罗老师，罗马的罗。", "罗老师", "骆老师"),
        ("我家在七楼。", "口误口误，十七楼。", "十七楼", "家在七楼"),
        ("I'm a vegetarian.", "Oops, I meant pescatarian. I do eat prawns.", "pescatarian", "vegetarian"),
        ("I'm allergic to latex.", "I asked the nurse: it isn't latex I'm allergic to, it's nickel.", "nickel", "latex"),
        ("My blood group is B negative.", "Found my card: it's O negative, ignore what I told you before.", "O negative", "B negative"),
        ("I work for Tamsin & Rowe.", "Autocorrect again. It's Tamson & Rose.", "Tamson & Rose", "Tamsin & Rowe"),
    ],
)
def test_a_correction_that_gives_little_but_the_right_value(said: str, right: str, value: str, gone: str) -> None:
    known = {m.value for m in hear(said, right)}
    assert value in known
    assert gone not in known


def test_a_correction_of_somebody_elses_birthday_leaves_ones_own() -> None:
    known = hear("My birthday is 12 October.", "My cousin's birthday is 3 May.", "I got hers wrong: my cousin's birthday is 5 May.")
    assert {(m.owner, m.value) for m in known if m.attribute == "birthday"} == {("user", "12 October"), ("cousin", "5 May")}


@pytest.mark.parametrize(
    ("told", "value", "gone"),
    [
        (("My landlady is 崔阿姨, such a dear.", "崔阿姨 sold up. The new landlord is 费先生."), "费先生", "崔阿姨"),
        (("I'm learning 琵琶, it sounds like rain so far.", "I gave up 琵琶 and started 扬琴 instead."), "扬琴", "琵琶"),
        (("My chess coach is 毕老师.", "My chess coach is 程老师 now."), "程老师", "毕老师"),
        (("我major是physics，大三。", "转专业成功，major换成geology了"), "geology", "physics"),
        (("我嘅主管係Amy，幾好人。", "Amy調咗去台北，而家個主管係阿康。"), "阿康", "Amy"),
        (("我住喺大埔，返工好遠。", "搬咗去西環，近好多"), "西環", "大埔"),
        (("Hi，叫我Nora就好。", "我改名了，以后call me Wynn吧。"), "Wynn", "Nora"),
        (("我老婆的瑜伽老师是温老师。", "温老师回老家了，现在换了柯老师教她。"), "柯老师", "温老师"),
        (("我的家庭医生是马敏。", "马大夫退休了，社区给我换成了卓言。"), "卓言", "马敏"),
        (("My GP is Dr Osei.", "There's been a reshuffle: my GP is Dr Lund from this month."), "Dr Lund", "Dr Osei"),
        (("My therapist is called Ines Marlow.", "Ines is on sabbatical; I see Tom Farrow now."), "Tom Farrow", "Ines Marlow"),
        (("我用的浏览器是青鸟。", "改用白鹭了，青鸟老崩", "白鹭也不行，换回青鸟了"), "青鸟", "白鹭"),
        (
            ("I use Grove for all my notes.", "Switched to Fernpad last night.", "Fernpad kept crashing so I went back to Grove."),
            "use Grove for all my notes",
            "use Fernpad for all my notes",
        ),
        (("我在望海书局上班。", "我去松涛咖啡馆当店长了。", "咖啡馆关门，老板又把我叫回望海书局了。"), "望海书局", "松涛咖啡馆"),
        (("我闹钟定在五点半。", "睡不够，闹钟改成七点了。"), "闹钟定在七点", "闹钟定在五点半"),
        (("我和阿岚在一起四年了。", "我跟阿岚分手了。", "阿岚和我复合啦！"), "阿岚", ""),
        (("我女朋友叫Ivy。", "我们break up了。"), "", "Ivy"),
    ],
)
def test_what_takes_the_place_of_what_was_known(told: tuple[str, ...], value: str, gone: str) -> None:
    known = {m.value for m in hear(*told)}
    assert value in known or not value
    assert gone not in known


def test_a_posting_abroad_is_no_persons_name_and_more_pay_no_employer() -> None:
    known = hear("我主管是Karen。", "Karen调去新加坡了。", "我在海棠律所上班。", "工资涨了一截。")
    assert {(m.attribute, m.value) for m in known if m.attribute in {"relationship", "employer"}} <= {
        ("relationship", "Karen"),
        ("employer", "海棠律所"),
    }


def test_a_visit_is_the_plan_of_whoever_is_visited() -> None:
    assert [(m.owner, m.time) for m in hear("My cousin's visiting in ten days.") if m.attribute == "plan"] == [("user", "2026-03-14")]


@pytest.mark.parametrize(
    ("plan", "said", "value"),
    [
        ("打算开个面馆", "面馆昨天开张啦", "开个面馆"),
        ("年底前我要求婚，戒指藏好了", "求婚成功！她哭了", "要求婚"),
        ("打算八月带外婆去大连看海。", "昨天从大连回来了，外婆晒黑了。", "带外婆去大连看海"),
        ("We're planning to adopt a beagle.", "The beagle came home today!", "adopt a beagle"),
        ("I'm applying for the residency at Fenmoor.", "Fenmoor said no. Oh well.", "applying for the residency at Fenmoor"),
        ("I intend to sell the rowing boat this summer.", "Sold the rowing boat on Friday.", "sell the rowing boat"),
    ],
)
def test_a_plan_that_came_true_or_was_refused_is_no_plan_any_more(plan: str, said: str, value: str) -> None:
    assert value in {m.value for m in hear(plan)}
    assert value not in {m.value for m in hear(plan, said)}


@pytest.mark.parametrize(
    ("liked", "said"),
    [
        ("平时就爱刷直播打发时间。", "费眼睛，直播不刷了。"),
        ("抽雪茄是我最大的爱好", "体检吓到我了，雪茄是一口不碰了。"),
        ("我最烦别人打语音电话", "现在觉得语音电话挺方便的，不烦了"),
        ("I love jigsaw puzzles.", "Jigsaw puzzles don't do it for me any more."),
        ("I really enjoy ghost stories.", "They keep me up at night, so I've stopped reading ghost stories."),
    ],
)
def test_a_taste_that_is_over(liked: str, said: str) -> None:
    tastes = {"likes", "dislikes"}
    assert [m for m in hear(liked) if m.attribute in tastes]
    assert not [m for m in hear(liked, said) if m.attribute in tastes and m.source.text and m.source.text in liked]


def test_switched_banks_or_schools_says_what_kind_of_thing_it_is() -> None:
    assert {(m.attribute, m.value) for m in hear("I bank with Thornfield.", "Switched banks, I'm with Oakmere Mutual now.")} == {
        ("other", "Oakmere Mutual")
    }


@pytest.mark.parametrize(
    ("plan", "said", "day"),
    [
        ("后天下午三点跟物业谈漏水。", "物业有事，改约大后天。", "2026-03-08"),
        ("这周五公司团建去划船", "行政说团建推到下周五", "2026-03-13"),
        ("明天上午九点线上问诊。", "医生有手术，问诊挪到后天上午。", "2026-03-07"),
        ("The awning comes down this Friday.", "They are short of hands, it's coming down next Monday now.", "2026-03-09"),
        ("My visa appointment is a week tomorrow.", "Photos done.", "2026-03-12"),
    ],
)
def test_a_day_told_anew_without_its_plan(plan: str, said: str, day: str) -> None:
    assert [m.time for m in hear(plan, said) if m.attribute in {"plan", "event"}] == [day]


@pytest.mark.parametrize(
    ("told", "value", "gone"),
    [
        (("My dentist is Dr Sayle.", "Dr Sayle's moved to Chile. The new one is Dr Anand."), "Dr Anand", "Dr Sayle"),
        (("我的manager是Hugo，人很好。", "Hugo transfer到柏林了，新manager叫Wendy。"), "Wendy", "Hugo"),
        (("Our broadband's with Larkline.", "Larkline kept failing. We're with Pebble Fibre as of today."), "Pebble Fibre", "Larkline"),
        (("我手机卡是讯驰的。", "换成联川了，便宜。", "信号太差，又用回讯驰。"), "讯驰", "联川"),
        (("我留长发。", "剪了寸头。", "嫌丑，又留回长发了。"), "长发", "寸头"),
        (("I practise 八段锦 twice a week.", "I've dropped 八段锦 and taken up 剑道."), "剑道", "八段锦"),
        (("Everyone calls me 小岳.", "Please call me 岳哥 from now on."), "岳哥", "小岳"),
        (("我对芝麻过敏。", "报告出来了，其实是榛子，芝麻可以吃，我之前说错了。"), "榛子", "芝麻"),
        (("My gate code is 7718.", "No wait, 7781. I swapped the last two."), "7781", "7718"),
        (("My nephew's name is Jonah.", "I misspelt that, it's Jona without the h."), "Jona", "Jonah"),
        (("打算年后把阳台封了", "物业不让，阳台封不了，算了"), "", "年后把阳台封"),
        (("打算去应聘档案管理员。", "档案馆那边没要我。"), "", "应聘档案管理员"),
        (("I love a strong curry.", "Heartburn again. Curry and I are finished."), "", "strong curry"),
        (("我最爱穿高跟鞋",), "穿高跟鞋", "鞋"),
    ],
)
def test_what_is_told_anew_in_other_words(told: tuple[str, ...], value: str, gone: str) -> None:
    known = {m.value for m in hear(*told)}
    assert value in known or not value
    assert gone not in known


@pytest.mark.parametrize(
    ("told", "value", "gone"),
    [
        (("我的鞋码是41。", "新靴子41挤脚，其实我穿42。"), "42", "41"),
        (("我是B型血。", "化验单到了，上面写我是O型。之前跟你讲的B型作废。"), "O型", "B型血"),
        (("我家租金每月3100", "打快了，是3400，3100是去年的"), "3400", "3100"),
        (("I work at Marsh & Dane.", "Dane & Marsh, I should say."), "Dane & Marsh", "Marsh & Dane"),
        (("My broadband is with Vantis", "changed broadband to Lumen"), "Lumen", "Vantis"),
        (
            ("I swim before breakfast.", "Swapped it for evening swims.", "Evenings were packed. I swim before breakfast again."),
            "swim before breakfast",
            "evening swims",
        ),
        (("我住外婆家。", "搬去公司宿舍了。", "宿舍太吵，又搬回外婆家住了。"), "外婆家", "公司宿舍"),
        (("我和老公计划要二胎。", "聊崩了，二胎不要了。"), "", "二胎"),
        (("我打算竞选村主任。", "票数不够，落选了。"), "", "竞选村主任"),
        (
            ("I'm due to give a reading at the library on the 14th.", "It closed, so I don't have to give a reading any more."),
            "",
            "due to give a reading at the library",
        ),
        (("我很反感拖堂文化。", "自己当了老师，居然不反感拖堂了。"), "", "拖堂文化"),
        (("我特别喜欢紫色。", "最近忽然嫌紫色老气，现在偏爱墨绿。"), "墨绿", "紫色"),
        (("我热爱观鸟，走哪看哪。", "望远镜卖了，观鸟这坑我爬出来了。"), "", "观鸟"),
    ],
)
def test_what_is_so_in_truth_again_or_no_more(told: tuple[str, ...], value: str, gone: str) -> None:
    known = {m.value for m in hear(*told)}
    assert value in known or not value
    assert gone not in known


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("双十一抢到一台扫地机器人。", ("possession", "扫地机器人")),
        ("最近淘了把二手贝斯。", ("possession", "贝斯")),
        ("老公送了我一台相机当生日礼物。", ("possession", "相机")),
        ("我上班路上要一个小时。", ("other", "一个小时")),
        ("通勤单程要一小时二十分。", ("other", "一小时二十分")),
        ("我工龄8年了。", ("other", "8年")),
        ("快递寄到紫金花园3号楼801就行。", ("location", "紫金花园3号楼801")),
        ("搬完了 新地址 枫林苑9栋405 以后都寄这", ("location", "枫林苑9栋405")),
    ],
)
def test_what_one_gets_how_long_the_way_is_and_where_parcels_go(said: str, fact: tuple[str, str]) -> None:
    assert fact in {(m.attribute, m.value) for m in hear(said)}


@pytest.mark.parametrize(
    ("told", "fact", "gone"),
    [
        (("我女儿在春晖小学上三年级。", "这学期把她转到文华小学了。"), ("女儿", "school", "文华小学"), "春晖小学"),
        (("我儿子上的是小天使幼儿园。", "上个月给他转到蓝天幼儿园了。"), ("儿子", "school", "蓝天幼儿园"), "小天使幼儿园"),
        (("我女儿在金色摇篮幼儿园读小班。", "我女儿转园了，现在上阳光幼儿园。"), ("女儿", "school", "阳光幼儿园"), "金色摇篮幼儿园"),
        (("我的车是比亚迪宋。", "换车了，新车是深蓝S7。"), ("user", "possession", "深蓝S7"), "比亚迪宋"),
        (("我今年28岁。", "昨天生日，29了，老了老了。"), ("user", "age", "29岁"), "28岁"),
        (("我在跟小北谈恋爱。", "我们分手了。", "我跟小北复合了。"), ("user", "relationship", "小北"), "分手"),
        (("我单身。", "我脱单啦，对象是程序员。"), ("user", "relationship", "脱单"), "单身"),
    ],
)
def test_a_childs_school_a_new_car_an_age_and_a_love(told: tuple[str, ...], fact: tuple[str, str, str], gone: str) -> None:
    known = hear(*told)
    assert fact in {(m.owner, m.attribute, m.value) for m in known}
    assert gone not in {m.value for m in known}


def test_who_left_whom_is_no_partner_any_more() -> None:
    assert not [m for m in hear("我有个男朋友叫阿泽。", "和阿泽分了。") if m.attribute == "relationship"]


@pytest.mark.parametrize(
    ("told", "fact", "gone"),
    [
        (("林涛是卖水果的，人很实在。", "林涛改行了，现在跑滴滴。"), ("林涛", "occupation", "跑滴滴"), "卖水果"),
        (("我微信号是lanhai66。", "漏了个i，是lanhaii66。"), ("user", "contact", "lanhaii66"), "lanhai66"),
        (("我的车牌是A12345。", "少写了一位，是A123456。"), ("user", "other", "A123456"), "A12345"),
        (("我英文名是Leo。", "重名太多，我改叫Max了。"), ("user", "name", "Max"), "Leo"),
        (("我网名叫风吹麦浪。", "网名换了，现在叫海上月。"), ("user", "name", "海上月"), "风吹麦浪"),
        (("我在Blue Harbor做PM。", "跳槽了，入职Green River，title还是PM。"), ("user", "employer", "Green River"), "Blue Harbor"),
        (("我超爱喝可乐。", "可乐现在成了我最讨厌的东西。"), ("user", "dislikes", "可乐"), "喝可乐"),
        (("东西寄到文昌路66号就好。", "搬完家了，新地址 枫林苑9栋405"), ("user", "location", "枫林苑9栋405"), "文昌路66号"),
        (("我年轻时爱喝可乐，现在只喝白水。",), ("user", "habit", "喝白水"), "可乐"),
        (("李老师是我的班主任。",), ("user", "relationship", "李老师"), "我的班主任"),
    ],
)
def test_trades_of_others_letters_left_out_new_names_and_tastes(told: tuple[str, ...], fact: tuple[str, str, str], gone: str) -> None:
    known = hear(*told)
    assert fact in {(m.owner, m.attribute, m.value) for m in known}
    assert gone not in {m.value for m in known}


def test_a_corrected_day_with_the_verb_alone_moves_the_plan() -> None:
    assert [(m.value, m.time) for m in hear("我这周六飞广州", "啊不对 票看错了 是周日飞")] == [("飞广州", "2026-03-08")]


def test_one_more_mailbox_and_one_more_sport_end_nothing() -> None:
    boxes = {m.value for m in hear("我的邮箱是 lin@mail.example。", "再给你一个公司信箱 lin@work.example，两个我都会看。")}
    assert boxes == {"lin@mail.example", "lin@work.example"}
    assert {m.value for m in hear("我喜欢攀岩。", "最近又爱上了飞盘，攀岩也没落下。")} == {"攀岩", "飞盘"}
