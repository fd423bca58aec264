"""Text of unknown origin, made safe to show: nothing in it acts, and nothing in it hides.

Model outputs, prompts, ids and names of data sets go through here before they reach a page or a terminal. Control characters
(NUL, escape sequences) and characters that turn the direction of writing or have no width are replaced by visible signs.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

# Controls but tab and line feed; direction marks, embeddings, overrides, isolates; zero-width characters; separators; byte order mark.
# The joiners U+200C and U+200D stay: Persian, Hindi and many emoji are written with them.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]")


def visible_text(text: str) -> str:
    r"""Returns the text with a visible sign for every character that acts or hides; for terminals and plain text.

    >>> visible_text("a\x00b \u202ec"), visible_text("line\nnext")
    ('a[U+0000]b [U+202E]c', 'line\nnext')
    """
    return _UNSEEN.sub(lambda match: _sign(match[0]), text)


def visible_line(text: str) -> str:
    r"""Returns :func:`visible_text` on one line.

    >>> visible_line("a\n\tb")
    'a b'
    """
    return " ".join(visible_text(text).split())


def visible_html(text: str | None) -> Markup:
    r"""Returns the text escaped for the content of an element, quotes included, its unseen characters as marked signs.

    >>> str(visible_html("<b>\x00</b>"))
    '&lt;b&gt;<span class="unseen">[U+0000]</span>&lt;/b&gt;'
    """
    if text is None:
        return Markup()
    parts: list[Markup] = []
    done = 0
    for match in _UNSEEN.finditer(text):
        parts.append(escape(text[done : match.start()]))
        parts.append(Markup('<span class="unseen">{}</span>').format(_sign(match[0])))
        done = match.end()
    parts.append(escape(text[done:]))
    return Markup().join(parts)


def _sign(character: str) -> str:
    return f"[U+{ord(character):04X}]"
