"""A passage as answers see it: what may be cited, and nothing of where it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Passage:
    """A retrieved chunk. `rank` counts from 1; `similarity` is the encoder's cosine, None if
    unknown.
    """

    chunk_id: UUID
    text: str
    source: str = ""
    external_id: str = ""
    title: str = ""
    page: int | None = None
    section: str = ""
    content_type: str = "text"
    image_hash: str | None = None
    document_id: UUID | None = None
    rank: int = 1
    similarity: float | None = None
    legs: tuple[str, ...] = ()
    retracted: bool = False
    year: int | None = None
    pages_by_offset: tuple[tuple[int, int], ...] = ()  # (first character, page), ascending
    cells: tuple[tuple[int, int], ...] = ()  # of a table: [start, end) of each cell's statement

    @property
    def heading(self) -> str:
        """The caption of a table's passage, '' of others: it says what each cell is about."""
        return self.text[: self.cells[0][0]].strip() if self.cells else ""

    def page_at(self, offset: int) -> int | None:
        """The page on which the character at `offset` stands; the passage's first page if
        unknown.
        """
        page = self.page
        for start, number in self.pages_by_offset:
            if start > offset:
                break
            page = number
        return page
