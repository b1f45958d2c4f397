"""The composer's form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms

from agent.types import MAX_QUESTION_CHARS, MODES


class AskForm(forms.Form):
    """A question, the corpora to ask, the mode; `key` keeps a form sent twice from asking twice."""

    question = forms.CharField(
        max_length=MAX_QUESTION_CHARS * 2,  # the service counts what is left after cleaning
        error_messages={
            "required": "Write a question first.",
            "max_length": f"A question has at most {MAX_QUESTION_CHARS:,} characters; put long "
            "texts into a corpus and ask about them.",
            "null_characters_not_allowed": "The question holds characters that no text has.",
        },
    )
    corpora = forms.MultipleChoiceField(
        error_messages={
            "required": "Choose at least one corpus to ask.",
            "invalid_choice": "Choose from the corpora that are open to you.",
        }
    )
    mode = forms.ChoiceField(choices=[(mode, mode) for mode in MODES], initial=MODES[0])
    key = forms.UUIDField(required=False)

    def __init__(self, names: Sequence[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: Any = self.fields["corpora"]
        field.choices = [(name, name) for name in names]
