"""Words around an option that say whether it is meant: marks, leads, conclusions, denials, corrections."""

from __future__ import annotations

import re

from sago.features.answer_words import IS, NOUN

MARK = re.compile(
    rf"(?:(?:\b(?:answers|ans\b\.?|(?<!this )choice|option|(?<=final )solution|(?<=correct )solution)(?!\w)|{NOUN}"
    r"|\b(?:opción|opção|opzione|option|alternativa)\s+(?:correcta|corretta|correta|correcte)(?!\w)|\b(?:richtige|correcte)\s+option\b)"
    r"(?:\s+(?:richtige))?(?:\s+(?:to|for|of)\b[^.:\n]{0,80}?)?[\"']?\s*"
    rf"(?:(?:(?:{IS}|(?<!\w)(?:are|was)\b|(?:would|should|must)\s+be\b)(?:\s+l[ao]\b(?=\s+[(\"']?\w\b))?\s*)+"
    r"(?:(?:[:=→]|[-=]>)\s*)*|(?:(?:[:=→】]|[-=]>|[-–—]\s)\s*)+))",
    re.IGNORECASE,
)
LEAD = re.compile(
    r"(?:(?:the|option|choice|letter|number|answer|la|a\s+letra|letra|lettera|lettre|opción|opção|opzione|clearly|clear|definitely|probably|most\s+likely|likely|therefore|:)\b\s*:?\s*|:\s*)+",
    re.IGNORECASE,
)
CONCLUSION = re.compile(
    r"\b(?:therefore|thus|hence|so|consequently|overall|finally|in\s+conclusion|conclusion(?=\s*:)|in\s+summary|to\s+conclude|final|(?:i(?:['’]d|['’]ll|\s+would|\s+will|\s+think)?\s+)?(?:choose|pick|select|go\s+with|go\s+for|opt\s+for))\b[\s,:]*",
    re.IGNORECASE,
)
VERB = re.compile(
    r"(?:\b(?:is|are|be|becomes|remains|chooses?|selects?|picks?|matches|corresponds?\s+(?:to|with)|given\s+by)\b\s*:?\s*|[:：]\s*)"
    r"(?:(?:the\s+)?(?:option|choice|letter|answer|statement)\s+)?",
    re.IGNORECASE,
)
ALONE = re.compile(r"\s*(?:[).:\]]|$)")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
AS_SUBJECT = re.compile(r"\s*[)\]]*\s+is\s+(?:the\b|correct\b|right\b)(?!\s+(?:wrong|incorrect|false|only)\b)", re.IGNORECASE)
DENIED = re.compile(
    r"\b(?:not|none|neither|nor|never|cannot|false|wrong|incorrect|\w+n['’]t|eliminat(?:e[sd]?|ing)|discard(?:s|ed|ing)?|rul(?:es?|ed|ing)\s+out)\b",
    re.IGNORECASE,
)
LEFT_OVER = re.compile(
    r"\b(?:that|this|which)\s+leaves\s+(?:(?:us|only|just|with)\s+)*(?:(?:option|choice|answer)\s+)?[(\"']?(?P<label>\w)[)\"']?\s*[.!]?\s*\Z",
    re.IGNORECASE,
)
"""A label that ends a response after the others were ruled out."""
TAKEN_BACK = re.compile(r"[)\s,.;]*(?:which|but\s+(?:it|this|that))\s+(?:is|was)\s+(?:not\b|incorrect|wrong|false)", re.IGNORECASE)
RIGHT = r"\s+(?:the\b|correct\b|right\b|true\b|valid\b|it\b|an?\s+(?:answer|option|choice)\b)"
RULED_OUT = re.compile(
    r"[)\]]*\s+(?:is|was|are|seems(?:\s+to\s+be)?|would\s+be)(?:\s+(?:clearly|definitely|also|therefore|probably))?"
    rf"(?:\s+(?:incorrect|wrong|false)\b|(?:\s+not|n['’]t){RIGHT})"
    rf"|[)\]]*\s+can(?:not|['’]t|\s+not)\s+be{RIGHT}|[)\]]*\s*\?\s*(?:not?|incorrect|wrong|false)\b",
    re.IGNORECASE,
)
"""What stands behind an option that is ruled out, not chosen: ``A is wrong``."""
SUPPOSED = re.compile(
    r"[)\]]*\s+(?:would|could|might|may)\s+(?:only\s+|also\s+|still\s+|well\s+)*(?:have\s+been\b"
    r"|be\b(?=[^.!?\n]*?\b(?:if|unless|only\s+when|provided\s+that|had|were)\b))",
    re.IGNORECASE,
)
"""What stands behind an option that is right under a condition alone: ``A would be right if``, ``A could have been``."""
JUDGED_WRONG = re.compile(
    r"[)\].:,?\s–—-]+(?:(?:incorrect|wrong|false|not\s+(?:correct|right|true))\b|(?<=[-:–—]\s)no\s*(?:[.,;!)–—-]|$))",
    re.IGNORECASE | re.MULTILINE,
)
"""A verdict on an option (``A: incorrect``, ``A? No.``); where its text is not known these words may be its text."""
CORRECTED = re.compile(
    r"[.,;:!?)\n—–-]\s*(?:(?:no(?!\s+[^\W\d_])|no(?=\s+(?:wait|actually|sorry|hold|correction|scratch|on\s+second|i\s+mean|it|that|the)\b)|wait|hold\s+on|actually|correction|sorry|scratch\s+that|i\s+meant?|on\s+second\s+thoughts?|let\s+me\s+correct\s+(?:that|myself))"
    r"\b[ \t.,:;!—–-]+(?:(?:it|that)\s+(?:is|should\s+be)|it['’]s|with(?=\s))?\s*)+"
    r"|[,.;:!?。，]\s*(?:不对|等等|错了|更正)[,.:;，。：\s]*(?:答案)?(?:应该?是|应为|是)?\s*",
    re.IGNORECASE,
)
"""Words that take back what was said; an option right behind them takes its place.

A ``no`` in front of a name takes nothing back: ``Venus, no Mercurio`` denies the other one.
"""
SWALLOWED = re.compile(
    r"(?:wait|actually|correction|sorry|scratch\s+that|second\s+thoughts?|correct\s+(?:that|myself))[\s.,:;!—–-]+no\b[\s.,;:!—–-]*\Z",
    re.IGNORECASE,
)
"""A correction that ends in ``no``, which may be what is meant instead."""
RECONSIDERED = re.compile(
    r"\b(?:wait|hmm+|hold\s+on|let\s+me\s+(?:double[- ]?check|re-?check|reconsider|re-?think|check\s+again)|on\s+second\s+thoughts?"
    r"|(?:up)?on\s+(?:reflection|(?:closer|further)\s+\w+)|thinking\s+about\s+it)\b",
    re.IGNORECASE,
)
"""Words behind an answer that is looked at again."""
BESIDE = re.compile(
    r"\s*[)\]}]?(?:\s*(?:[,;/&|>]|\b(?:or|and|oder|und|ou|et|o|y|nor)\b|或|和))+\s*"
    r"(?:(?:also|possibly|maybe|perhaps|potentially|else|even)\b\s*)*",
    re.IGNORECASE,
)
_IT = r"(?:\s+(?:it|this|that))?"
NEGATED = re.compile(
    r"(?:(?:\b(?:not|never|nicht|except|no|hardly|barely|partially|partly|half|somewhat|rather\s+than|instead\s+of|far\s+from|anything\s+but"
    r"|lacks?|lacking|without|eliminat(?:e|ed|ing)|discard(?:ed|ing)?|rul(?:e|ed|ing)\s+out"
    rf"|unlikely\s+to\s+be|(?:hard|difficult)\s+to\s+(?:call|say){_IT}|(?:cannot|not)\s+(?:say|call){_IT}"
    r"|(?:doubt(?:\s+that)?|not\s+sure\s+(?:if|whether|that))\s+it(?:['’]s|\s+is)"
    r"|no\s+(?:es|son)|non\s+(?:è|sono)|não\s+(?:é|são)|n['’]est\s+pas)"
    rf"|n['’]t(?:\s+(?:say|call){_IT})?)\s+(?:\w+ly\s+|quite\s+|all\s+)?(?:(?:the|an?|el|la|le|der|die|das|il)\s+)?|(?:不是|并非)\s*)$"
)
"""What stands in front of a text that is denied, in lower case."""
DENIED_BEHIND = re.compile(
    r"['\"”’)]*(?:\s+(?:is|was|would\s+be)(?:\s+(?:clearly|definitely|also|simply))?\s+(?:incorrect|wrong|false)\b(?!\s+to)"
    r"|\s+(?:is|was)(?:\s+not|n['’]t)\s+(?:it|right|correct)\b|\s+(?:is|was)\s+an?\s+(?:common\s+)?(?:wrong|incorrect)\s+(?:answer|choice)"
    r"|\s+ist\s+es\s+nicht\b|\s*\?\s*not\b)"
)
"""What stands behind the text of an option that is denied: ``mercury is wrong``, ``mercury? not quite``."""
CONTRAST = re.compile(r"\b(?:but|however|yet|though|although|actually|instead|rather|wait|hold\s+on|while)\b", re.IGNORECASE)
"""Words in front of what stands against what was said before."""
GRANTED = re.compile(
    r"\b(?:is|are|could|may|might)\s+(?:(?:be|also)\s+)*(?:also|partly|partially|defensible|close|similar)\b", re.IGNORECASE
)
"""What is granted to an option beside the one that is chosen: ``actually, A is also defensible``."""
EXCEPT = re.compile(r"[^.!?\n]*\b(?:except|other\s+than|apart\s+from|besides)\b", re.IGNORECASE)
"""An exception behind ``none of them``, which is the answer then."""
ASSERTED = re.compile(r"(?:\b(?:is|are|was|were|be|called|named)|[:=])\s+(?:the\s+|an?\s+)?$")
