r"""LaTeX in answers as the plain text that options are written in: ``\frac{15}{64}`` and ``15/64`` are one answer."""

from __future__ import annotations

import re

_INNER = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_FRACTION = re.compile(rf"\\[dt]?frac\s*{_INNER}\s*{_INNER}")
_ROOT = re.compile(rf"\\sqrt\s*{_INNER}")
_WRAPPER = re.compile(r"\\(?:text|textbf|textit|mathbf|mathrm|mathit|mathbb|mathcal|mathfrak|operatorname)\s*\{([^{}]*)\}")
_SPACE = re.compile(r"\\[,;:! ]|\\q?quad\b|\\(?:left|right|displaystyle)(?![a-zA-Z])")
_SYMBOLS = {
    **dict.fromkeys((r"\leq", r"\le", r"\leqslant", "≤"), "<="),
    **dict.fromkeys((r"\geq", r"\ge", r"\geqslant", "≥"), ">="),
    **dict.fromkeys((r"\neq", r"\ne", "≠"), "!="),
    **dict.fromkeys((r"\cdot", r"\times", "·", "×"), ""),
    **dict.fromkeys((r"\pi", "π"), "pi"),
    **dict.fromkeys((r"\infty", "∞"), "infinity"),
    "−": "-",
}
_SYMBOL = re.compile(
    "|".join(re.escape(name) + ("(?![a-zA-Z])" if name[0] == "\\" else "") for name in sorted(_SYMBOLS, key=len, reverse=True))
)
_FUNCTION = re.compile(r"\\(?=(?:log|ln|exp|sin|cos|tan|det|dim|ker|max|min|lim|gcd)(?![a-zA-Z]))")
_BRACE = re.compile(r"\\([{}%$#&_])")
_POWER = re.compile(r"\^\{(\w+)\}")
_BOX = re.compile(rf"\\(?:boxed|fbox)\s*{_INNER}")
_DEEPEST = 4


def plain_formulas(text: str) -> str:
    r"""Returns a text with the LaTeX of short answers spelled out; boxes keep their content alone.

    >>> plain_formulas(r"\boxed{\frac{15}{64}}"), plain_formulas(r"12\sqrt{3}"), plain_formulas(r"-\frac{16}{3\pi}\,\text{cm}")
    ('15/64', '12sqrt(3)', '-16/(3pi) cm')
    """
    text = _spelled(text)
    for _ in range(_DEEPEST):
        text, count = _BOX.subn(r"\1", text)
        if not count:
            break
    return _BRACE.sub(r"\1", text)


def boxed(text: str) -> str | None:
    r"""Returns what stands in the last box of a response, spelled out; null without a box.

    >>> boxed(r"so \boxed{4}, no, \( \boxed{\frac{1}{2}} \).")
    '1/2'
    """
    boxes = _BOX.findall(_spelled(text))
    return plain_formulas(boxes[-1]) if boxes else None


def is_open(response: str) -> bool:
    """Returns whether a response ends inside a formula: it was cut off, whatever its finish reason says."""
    return any(response.count(opening) > response.count(closing) for opening, closing in (("\\[", "\\]"), ("\\(", "\\)")))


def _spelled(text: str) -> str:
    if "\\" not in text:
        return _SYMBOL.sub(_symbol, text)
    text = _SPACE.sub(" ", text)
    for pattern, spell in ((_WRAPPER, r"\1"), (_ROOT, r"sqrt(\1)"), (_FRACTION, _fraction)):
        for _ in range(_DEEPEST):
            text, count = pattern.subn(spell, text)
            if not count:
                break
    text = _ROOT.sub(r"sqrt(\1)", text)
    return _POWER.sub(r"^\1", _FUNCTION.sub("", _SYMBOL.sub(_symbol, text)))


def _symbol(match: re.Match[str]) -> str:
    return _SYMBOLS[match[0]]


def _fraction(match: re.Match[str]) -> str:
    over, under = (_SYMBOL.sub(_symbol, part.strip()) for part in match.groups())
    top = over if re.fullmatch(r"-?[\w.^()\\]+", over) else f"({over})"
    bottom = under if re.fullmatch(r"\d+(?:\.\d+)?|\\?[a-zA-Z]|[a-z]+\([^()]*\)", under) else f"({under})"
    return f"{top}/{bottom}"
