from __future__ import annotations

import pytest

from sago.features.formulas import boxed, plain_formulas


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (r"\frac{15}{64}", "15/64"),
        (r"\dfrac{e^2}{2}", "e^2/2"),
        (r"\frac{\sqrt{2}}{4}", "sqrt(2)/4"),
        (r"\frac{\frac{1}{2}}{2}", "(1/2)/2"),
        (r"\frac{x+1}{2e}", "(x+1)/(2e)"),
        (r"12\sqrt{3}", "12sqrt(3)"),
        (r"\pi/3", "pi/3"),
        ("2π", "2pi"),
        ("−16", "-16"),
        (r"H \geq 48", "H >= 48"),
        (r"\{0, 1\}", "{0, 1}"),
        (r"\mathbb{R}", "R"),
        (r"f(\log c)", "f(log c)"),
        (r"\boxed{\text{B}}", "B"),
        ("plain words", "plain words"),
        (r"\pix", r"\pix"),
    ],
)
def test_formulas_are_spelled_like_options(text: str, plain: str) -> None:
    assert plain_formulas(text) == plain


@pytest.mark.parametrize(
    ("text", "content"),
    [(r"\boxed{4} then \(\boxed{\frac{1}{2}}\)", "1/2"), (r"\boxed{f(\log c)}", "f(log c)"), ("no box", None), (r"\boxed{cut", None)],
)
def test_the_last_box_counts(text: str, content: str | None) -> None:
    assert boxed(text) == content
