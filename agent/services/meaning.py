"""How near texts are to a question in meaning, by the site's encoder."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from corpus.encoding.registry import encoders


def similarity(question: str, texts: Sequence[str]) -> list[float]:
    """Cosines of a question with texts; a text beyond the encoder's window counts by its
    beginning.
    """
    encoder = encoders.get(settings.DEFAULT_ENCODER)
    fitting = []
    for text in texts:
        spans = encoder.windows(text)
        fitting.append(text[spans[0][0] : spans[0][1]] if spans else "-")
    vectors = encoder.encode_passages(fitting)
    return [float(value) for value in vectors @ encoder.encode_queries([question])[0]]
