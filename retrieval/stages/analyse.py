"""First stage: the question as terms and as a vector, the filters as database ids."""

from __future__ import annotations

from dataclasses import dataclass, replace

from corpus.encoding.registry import encoders
from corpus.models import Document, Encoder
from flux_site.kernel.errors import ModelUnavailable
from retrieval.legs.dense import DenseQuery
from retrieval.lexical.analyser import query_terms
from retrieval.stages.state import SearchState

NO_VECTORS = "No passage has a vector yet: only words were searched."


@dataclass(frozen=True, slots=True)
class Analyse:
    """Terms for the lexical leg; for the dense one the vector, unless its model is missing."""

    encoder: str

    def __call__(self, state: SearchState) -> SearchState:
        query = state.query
        documents = None
        if query.filters.documents:
            found = Document.objects.visible_to(state.reader).filter(
                public_id__in=query.filters.documents
            )
            documents = tuple(found.values_list("pk", flat=True))
        state = replace(state, documents=documents)
        if "lexical" in query.legs:
            state = replace(state, terms=tuple(query_terms(query.text)))
        if "dense" in query.legs and query.scope.corpora:
            state = self._with_vector(state)
        return state

    def _with_vector(self, state: SearchState) -> SearchState:
        row = Encoder.objects.filter(name=self.encoder).first()
        if row is None:
            return replace(state, notes=(*state.notes, NO_VECTORS))
        try:
            vector = encoders.get(row.name).encode_queries([state.query.text])[0]
        except ModelUnavailable as missing:
            note = f"Only words were searched: {missing.message}"
            return replace(state, notes=(*state.notes, note))
        dense = DenseQuery(
            encoder_id=row.pk,
            dimension=row.dimension,
            vector=vector,
            corpora=state.query.scope.ids,
            filters=state.query.filters,
            documents=state.documents,
            has_propositions=state.query.scope.has_propositions,
        )
        return replace(state, dense_query=dense)
