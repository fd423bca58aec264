"""Sentences of several numbers: which one they come to, and what is only said beside it.

Each is written as models write it, and judged by hand before a reader saw it.
"""

from __future__ import annotations

import pytest

from sago.features.numbers import given_number


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("3, 5", None),
        ("15% of 80 is 12.", "12"),
        ("20/50 = 0.4, so it's 40 percent.", "40"),
        ("The product of 17 and 23 is 391.", "391"),
        ("The sum of 3 and 4 is 7", "7"),
        ("A spider has 8 legs, so 3 spiders have 24 legs in total.", "24"),
        ("24 (I'm 95% sure)", "24"),
        ("24. I am 95% confident.", "24"),
        ("24\nConfidence: 95", "24"),
        ("24\nConfidence: 95%", "24"),
        ("The number is 24, and my confidence is 95%.", "24"),
        ("1945. It started in 1939.", "1945"),
        ("WWII lasted from 1939 to 1945, so it ended in 1945.", "1945"),
        ("He had $20 and spent $18.50, so he has $1.50 left.", "1.5"),
        ("approximately 180.5 kilometers (112 miles)", "180.5"),
        ("He ate 1/3 of the 12 cookies, so 8 are left.", "8"),
        ("Therefore, there are 6 cookies left. Note: I assumed he ate 2, not 3.", "6"),
        ("6 cookies. (12 total minus 4 given minus 2 eaten)", "6"),
        ("The probability is 0.25 (25%).", "0.25"),
        ("18 dollars (9 eggs at 2 dollars each)", "18"),
        ("She makes $18 per day by selling 9 eggs.", "18"),
        ("Janet makes $18 a day. This is based on 9 eggs sold at $2 each.", "18"),
        ("I have 3 apples and 4 oranges, 7 fruits in all.", "7"),
        ("The price decreased by 20%, so the new price is $80.", "80"),
        ("Natalia sold 72 clips altogether: 48 in April and 24 in May.", "72"),
        ("She sold 24 clips in May, for a total of 72.", "72"),
        ("72 clips (48 in April + 24 in May)", "72"),
        ("So Natalia sold 72 clips altogether in April and May. This assumes that she sold exactly half of 48, i.e. 24, in May.", "72"),
        ("Insgesamt hat sie 72 Clips verkauft (48 im April und 24 im Mai).", "72"),
        ("120 minutes (2 hours)", "120"),
        ("As of 2020, Berlin had a population of 3,664,088.", "3664088"),
        ("2 (or 3)", None),
        ("She spent 20 of a total of 100.", None),
        ("She had 100, spent 20, and has 80 left.", None),
        ("Tom has 5 and Anna has 7.", None),
        ("3 to 5", None),
        ("5 (rounded from 4.6)", None),
        ("It is 5, or 6 if you count the dog.", None),
        ("In 1945, 3 cities were bombed.", None),
        ("It costs 5 in 2020 and 7 in 2021.", None),
        ("He has 12 eggs, so he sells 9 at $2 each.", None),
        ("The product of 17 and 23", None),
        ("The answer is between 5 and 7.", None),
        ("5 is 3 more than 2.", None),
        ("I'm 90% confident that the answer is 24.", "24"),
        ("Confidence: 95%", None),
        ("The 95% confidence interval ends at 7.", None),
        ("√2 is 1.41", "1.41"),
    ],
)
def test_the_number_that_a_careful_person_reads(said: str, number: str | None) -> None:
    assert given_number(said) == number
