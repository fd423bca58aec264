"""Case 9 as a kind: whatever must not change stays, for every family of characters and words and for stacks of them, at full intensity."""

from __future__ import annotations

import pytest
from tests.variations.tables import row, table

from sago.variations import vary

_ROWS: dict[str, tuple[str, list[str]]] = {
    "addresses": (
        "Which host answers at 10.0.0.254:8080/x or fe80::1ff:fe23:4567 when the server sleeps?",
        ["10.0.0.254:8080/x", "fe80::1ff:fe23:4567"],
    ),
    "dates": ("What happened on 2021-03-09, on 9/3/2021 and at 12:45 p.m. in the village?", ["2021-03-09", "9/3/2021", "12:45"]),
    "units": (
        "How far is 3.5 km, 7 mW, 10 µg/ml, 5°C, 20 % and $1,000.50 from the standard amount?",
        ["3.5 km", "7 mW", "10 µg/ml", "5°C", "20 %", "$1,000.50"],
    ),
    "fractions": ("Take ½ cup of sugar for EUR 50 and 2 lbs of salt, how much stands there?", ["½ cup", "EUR 50", "2 lbs"]),
    "negations": (
        "Why don't animals sleep, neither standing nor lying, at most 3 times, not even once?",
        ["don't", "neither", "nor", "at most", "3", "not", "once"],
    ),
    "conditions": ("You cannot enter unless nobody stays inside; hardly anyone knows why?", ["cannot", "unless", "nobody", "hardly"]),
    "fields": (
        "Please tell {name} what {{x}} and <|tag|> and [INST] and %(y)s and ${HOME} show here.",
        ["{name}", "{{x}}", "<|tag|>", "[INST]", "%(y)s", "${HOME}"],
    ),
    "latex": (
        r"What happens when $\frac{1}{2}$ meets \(x^2\) and \[ y_i \] or $$z$$ somewhere?",
        [r"$\frac{1}{2}$", r"\(x^2\)", r"\[ y_i \]", "$$z$$"],
    ),
    "code": (
        "What does this print?\n```python\nfor item in range(3):\n    print(item)\n```\nPlease answer carefully now.",
        ["```python\nfor item in range(3):\n    print(item)\n```"],
    ),
    "flags": (
        "What do #hashtag, @mention, snake_case_name and --long-flag or -v refer to here?",
        ["#hashtag", "@mention", "snake_case_name", "--long-flag", "-v"],
    ),
    "paths": (
        "Where does /usr/local/bin/python3 or C:\\Users\\me\\file.txt live on this machine?",
        ["/usr/local/bin/python3", "C:\\Users\\me\\file.txt"],
    ),
    "chemistry": ("Which gas forms when H2SO4 and NaCl and mRNA react with C6H12O6?", ["H2SO4", "NaCl", "mRNA", "C6H12O6"]),
    "kings": ("Which king came after Henry VIII and before Louis XIV during the period?", ["after", "Henry VIII", "before", "Louis XIV"]),
    "names": (
        "Did Smith or Jones meet Ludwig van Beethoven in Bad Homburg with McDonald and O'Brien?",
        ["Smith", "Jones", "Ludwig van Beethoven", "Bad Homburg", "McDonald", "O'Brien"],
    ),
    "emoji": ("What does the 👩‍👩‍👧‍👦 family 🇩🇪 emoji mean to children?", ["👩‍👩‍👧‍👦", "🇩🇪"]),
    "marks": ("Where is the cafe\u0301 near the re\u0301sume\u0301 shop standing?", ["e\u0301", "e\u0301sume\u0301"]),
    "invisible": ("Which soft\u00adhyphen and zero\u200bwidth sign stands here?", ["\u00ad", "\u200b"]),
    "html": ('Which <b>bold</b> element, &nbsp; and <a href="x y">link</a> appears?', ["<b>", "</b>", "&nbsp;", '<a href="x y">', "</a>"]),
    "json": ('What does {"key": [1, {"inner": "value here"}]} describe in words?', ['{"key": [1, {"inner": "value here"}]}']),
    "lists": ("Read:\n1. first thing\n2) second thing\n- third thing\nWhich comes last?", ["\n1. ", "\n2) ", "\n- "]),
    "tables": ("| name | value |\n|---|---|\n| apples | 3 |\nHow many apples stand there?", ["|---|---|", "| 3 |"]),
    "lines": ("Columns:\tname\tvalue\r\nWhich column stands\vfirst?", ["\t", "\t", "\r\n", "\v"]),
    "turkish": ("Hangi şehir İstanbul'dan ılık kıyıda büyük ışıklar altında parlıyor?", ["İstanbul'"]),
    "arabic": ("كم تساوي ٣ كيلومتر بالمتر في هذا السؤال؟", ["٣"]),
    "chinese": ("今年是哪一年？请回答下面的问题。", ["今年是哪一年", "请回答下面的问题"]),
}
_CASED = {"case", "case+typo@0.25", "typo@0.25+case", "surface+case"}
_FAMILIES = [
    "typo:rate=0.25,n=2",
    "surface:share=1.0",
    "case",
    "register",
    "rephrase:n=16",
    "typo@0.25+surface:surface.share=1.0",
    "case+typo@0.25",
    "typo@0.25+case",
    "surface+case:surface.share=1.0",
]


def _folded(text: str) -> str:
    return text.replace("İ", "i").replace("ı", "i").casefold()


@pytest.mark.parametrize("seed", range(4))
def test_hostile_spans_stay_in_their_order(seed: int) -> None:
    """By hand the same was run with 200 seeds."""
    variants = vary(table(*(row(name, question) for name, (question, _) in _ROWS.items())), _FAMILIES, seed=seed).variants
    made = {one["example"] for one in variants.iter_rows(named=True) if one["family"] != "canonical" and one["family"] != "register"}
    assert made == set(_ROWS), "every question has a wording to look at"
    for one in variants.iter_rows(named=True):
        question, kept = _ROWS[one["example"]]
        fold = _folded if one["family"] in _CASED else str
        position = 0
        for span in sorted(kept, key=question.find):
            found = fold(one["question"]).find(fold(span), position)
            assert found >= 0, (one["variant"], span, one["question"])
            position = found + len(fold(span))
