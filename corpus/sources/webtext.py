"""The text of short HTML fragments, as databases keep them: tags often unclosed, signs often
bare.
"""

from __future__ import annotations

import html
import re
from typing import Final

from corpus.sources.cleaning import paragraphs

_BREAKS = re.compile(
    r"</?(?:p|br|div|ul|ol|li|h[1-6]|tr|table|blockquote)\b[^<>]*/?>", re.IGNORECASE
)
_SUP = re.compile(r"(?<=\d)<sup>\s*(?=[-+\u2212\u2013]?\d)", re.IGNORECASE)
_SUB = re.compile(r"(?<=\d)<sub>\s*(?=[-+\u2212\u2013]?\d)", re.IGNORECASE)
# Only names of HTML are tags: "p <0.05 and a> b" is text.
_INLINE: Final = (
    "a|abbr|acronym|b|big|center|cite|code|em|font|i|img|small|span|strong|strike|s|sub|sup|tt|u|"
    "td|th|tbody|thead|caption|hr|wbr"
)
_TAGS = re.compile(rf"</?(?:{_INLINE})\b[^<>]*/?>", re.IGNORECASE)


def html_paragraphs(fragment: str) -> list[str]:
    """Return the paragraphs of a fragment, tags taken out, entities resolved, text cleaned.

    Blocks and line breaks end a paragraph. An exponent after a digit keeps a caret (10^6).
    """
    text = _BREAKS.sub("\n\n", fragment.replace("\r", " ").replace("\n", " "))
    text = _SUB.sub("_", _SUP.sub("^", text))
    return paragraphs(html.unescape(_TAGS.sub("", text)))
