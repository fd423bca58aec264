from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sago.features import normal_number, stated_number
from sago.features.numbers import ends_in_number, given_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("1,000", "1000"), ("8.0", "8"), ("8", "8"), ("$1,234.50", "1234.5"), ("-3", "-3"), ("−3", "-3"), ("+3", "3"), (" 7 ", "7")),
        *(("1/2", "0.5"), ("2/6", "1/3"), ("50%", "50"), ("50 %", "50"), ("1e3", "1000"), (".5", "0.5"), ("007", "7"), ("-0", "0")),
        *(("0.125", "0.125"), ("5 €", "5"), ("1\u202f000", "1000"), ("٣", "3"), ("1.50e-2", "0.015")),
        *(("10^3", "1000"), ("10**3", "1000"), ("10³", "1000"), ("2^{10}", "1024"), ("10^-2", "0.01"), ("-2^2", "-4"), ("10^400", None)),
        *(("1.5 x 10^3", "1500"), ("1.5*10^3", "1500"), (r"1.5 \times 10^{3}", "1500"), ("1.5 × 10⁻³", "0.0015"), ("0^-1", None)),
        *(("2 million", "2000000"), ("3 Thousand", "3000"), ("$1.5 billion", "1500000000"), ("3 thousandths", "0.003")),
        *(("8 legs", None), ("", None), ("1,00", "1"), ("1,0", None), ("1/0", None), ("eight", None), ("1.2.3", None), ("9" * 400, None)),
    ],
)
def test_a_plain_number_has_one_spelling(text: str, number: str | None) -> None:
    assert normal_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("She makes $18.", "18"),
        ("3 + 5 = 8", "8"),
        ("5-3=2", "2"),
        ("x = -4", "-4"),
        ("-$5", "-5"),
        ("$-5", "-5"),
        ("10-12", None),
        ("100%.", "100"),
        ("1,000,000.", "1000000"),
        ("8kg", "8"),
        ("The answer is **42**.", "42"),
        ("#### 1,000", "1000"),
        ("\\boxed{7} and 9 more", "7"),
        ("So 3+4=7\nAnswer: 7 apples and 2 pears", None),
        ("The answer is 3 x 6 = 18, found in 2 steps", "18"),
        ("The answer is clear. It is 9", "9"),
        ("Answer: 3/4 cup", "0.75"),
        ("Answer: 5. Wait.\nAnswer: 6", "6"),
        ("It is 10^3.", "1000"),
        ("so 10**3", "1000"),
        ("About 1.5 x 10^3 m", "1500"),
        ("That makes **2 million**.", "2000000"),
        ("**10** and **2** 3", "3"),
        ("The area is 5 m^2.", "5"),
        ("5 times a^{-2}", "5"),
        ("3 + 2, so the answer is five.", "5"),
        ("3 of 5; the answer is one of them", None),
        ("H2O has none", None),
        ("v3.14.15", None),
        ("none", None),
        ("", None),
    ],
)
def test_the_stated_number_of_a_response(text: str, number: str | None) -> None:
    assert stated_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("8.0", "8"), ("5 legs", "5"), ("five", "5"), ("Twenty one", "21"), ("two million", "2000000"), ("minus three", "-3")),
        *(("ten legs", "10"), ("five or six", None), ("One could say so", None), ("none", None), ("", None), ("2^10", "1024")),
    ],
)
def test_the_number_of_an_answer_that_was_given(text: str, number: str | None) -> None:
    assert given_number(text) == number


@pytest.mark.parametrize(
    ("text", "is_open"),
    [
        *(("It is 12", True), ("It is 12,", True), ("It is 1/", True), ("It is 2 ^", True), ("It is 2 mil", True), ("It is 2 x", True)),
        *(("Of 5, the answer is", True), ("Of 5, the answer is $", True), ("####", True)),
        *(
            ("It is 12.", False),
            ("It is 12\n", False),
            ("It is 12 euros and", False),
            ("2 million", False),
            ("The answer is 5, not", False),
        ),
    ],
)
def test_a_cut_that_goes_through_a_number_is_seen(text: str, is_open: bool) -> None:
    assert ends_in_number(text) == is_open


NO_BREAK, THIN, NARROW = "\u00a0", "\u2009", "\u202f"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("The answer is minus 5", "-5"), ("The answer is –5", "-5"), ("The answer is minus five", "-5"), ("The answer is −5", "-5")),
        *(("–5", "-5"), ("minus 5", "-5"), ("negative 1/2", "-0.5"), ("Answer: –$5", "-5"), ("x = minus 5", "-5"), ("–.5", "-0.5")),
        *(("**minus 5**", "-5"), (r"\boxed{\text{-5}}", "-5"), (r"\boxed{–5}", "-5"), (r"minus $\frac{7}{2}$", "-3.5")),
        *(("8 minus 5 is 3", "3"), ("pages 10–12", None), ("eight minus 5", "5"), ("The answer – 5", "5"), ("10 –12", None)),
    ],
)
def test_no_minus_sign_is_lost(text: str, number: str) -> None:
    assert given_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(
            (r"\boxed{\frac{5}{2}}", "2.5"),
            (r"$\frac{7}{2}$", "3.5"),
            (r"\boxed{-\frac{7}{2}}", "-3.5"),
            (r"\boxed{\dfrac{-7}{2}}", "-3.5"),
        ),
        *((r"\frac72", "3.5"), (r"\frac{7}{-2}", "-3.5"), (r"3\frac{1}{2}", "3.5"), (r"\frac{1,000}{8}", "125"), (r"\tfrac{1}{3}", "1/3")),
        *((r"4 so \boxed{\frac{x}{2}}", None), (r"4 so \boxed{5\sqrt{3}}", None), (r"4 so \boxed{2\pi}", None), ("Answer: 2π", None)),
        *((r"\boxed{\frac{1}{\sqrt{2}}}", None), ("Answer: 2π ≈ 6.28", "6.28"), ("√16 = 4", "4"), ("2^n", None), (r"90^\circ", "90")),
        *(("12 345", "12345"), ("1 000", "1000"), (f"1{NO_BREAK}000", "1000"), (f"1{THIN}000{THIN}000.5", "1000000.5")),
        *(
            (f"12{NARROW}345", "12345"),
            ("1'000", "1000"),
            ("1’000", "1000"),
            ("The answer is 12 345 people.", "12345"),
            ("1{,}000", "1000"),
        ),
        *(("The answer is 3 4", "3"), ("1234 567", None), ("0 500", None), ("5 100-gram bars", None)),
        *(("3 1/2", "3.5"), ("3½", "3.5"), ("3 ½", "3.5"), ("½", "0.5"), ("-3½", "-3.5"), ("Answer: 3 1/2 cups", "3.5"), ("1⁄2", "0.5")),
        *(("2 7/2", None), ("3 1/0", None), ("1.5 1/2", None), ("10 ⅔", "32/3")),
        *(("5k", "5000"), ("$5K", "5000"), ("1.5M", "1500000"), ("1.2bn", "1200000000"), ("The answer is $5k.", "5000"), ("5k€", "5000")),
        *(("$5m", "5000000"), ("$1.2 bn", "1200000000"), ("£2B", "2000000000"), ("1.5M people", "1500000"), ("€3 M", "3000000")),
        *(("1 + 2, Answer: 300K", None), ("2B", None), ("2T", None), ("5m", "5"), ("5 m", "5"), ("8kg", "8"), ("5 k", "5")),
        *(("2k = 8, k = 4", "4"), ("Answer: $5m$", "5"), ("5mm", "5"), ("3 Bs", "3")),
    ],
)
def test_no_part_of_a_number_is_read_as_the_number(text: str, number: str | None) -> None:
    assert given_number(text) == number


@pytest.mark.parametrize("text", ["1E8³8", "10^60", "1e99", "9" * 51, "1 000 000^9", "1/" + "7" * 50])
def test_a_number_beyond_any_sensible_size_is_null(text: str) -> None:
    assert normal_number(text) is None
    assert given_number(text) is None


def test_units_are_no_part_of_a_plain_number() -> None:
    assert [normal_number(text) for text in ("5 m", "5m", "300K", "5 k", "5k", "6.62607015e-34")] == [
        *(None, None, None, None, "5000", "0." + "0" * 33 + "662607015")
    ]


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_the_spelling_keeps_the_value_and_is_stable(whole: int, places: int) -> None:
    value = Fraction(whole, 10**places)
    written = (
        f"{whole // 10**places}"
        if places == 0
        else f"{'-' if whole < 0 else ''}{abs(whole) // 10**places}.{abs(whole) % 10**places:0{places}d}"
    )
    spelled = normal_number(written)
    assert spelled is not None
    assert Fraction(spelled) == value
    assert normal_number(spelled) == spelled
    assert normal_number(f"{Fraction(spelled)}") == spelled


@given(st.integers(-(10**9), 10**9))
def test_separators_change_nothing(value: int) -> None:
    assert normal_number(f"{value:,}") == str(value)
    assert stated_number(f"The answer is {value:,}.") == str(value)


@given(st.text(alphabet="0123456789.,-–$%/eE= #^*x{}³½'kMb\\n", max_size=40))
def test_odd_text_never_raises(text: str) -> None:
    for number in (normal_number(text), stated_number(text), given_number(text)):
        assert number is None or normal_number(number) == number
