"""Real rows for tests, made in one line."""

from tests.factories.accounts import MembershipFactory, TeamFactory, UserFactory
from tests.factories.corpus import (
    ChunkFactory,
    CorpusFactory,
    DocumentFactory,
    FigureFactory,
    PageFactory,
    TableFactory,
)

__all__ = [
    "ChunkFactory",
    "CorpusFactory",
    "DocumentFactory",
    "FigureFactory",
    "MembershipFactory",
    "PageFactory",
    "TableFactory",
    "TeamFactory",
    "UserFactory",
]
