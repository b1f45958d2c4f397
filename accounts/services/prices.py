"""What a model call costs, in whole micro-dollars."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from django.conf import settings

from accounts.models import ModelPrice
from accounts.types import MICRO
from flux_site.kernel.llm.base import Usage

# Dollars per million tokens of input and output, by tier; writing the cache costs a quarter more
# than input, reading it a tenth. Used for a model that has no price in the database.
TIER_USD: Final = {"I": (0.80, 4.00), "II": (3.00, 15.00), "III": (15.00, 75.00)}


@dataclass(frozen=True, slots=True)
class Price:
    """Micro-dollars per million tokens."""

    input: int
    output: int
    cache_read: int
    cache_write: int

    def of(self, usage: Usage) -> int:
        """What a usage costs, rounded up to a whole micro-dollar."""
        total = (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        )
        return -(-total // MICRO)

    def worst(self, input_tokens: int, max_tokens: int) -> int:
        """The most a call may cost: all input at the dearest price, and every token it may
        write.
        """
        dearest = max(self.input, self.cache_read, self.cache_write)
        return -(-(input_tokens * dearest + max_tokens * self.output) // MICRO)


def price_of(model: str, day: date) -> Price:
    """The price of a model on a day: the newest in the database, else its tier's, else the
    dearest.
    """
    found = (
        ModelPrice.objects.filter(model=model, valid_from__lte=day).order_by("-valid_from").first()
    )
    if found is not None:
        return Price(
            found.input_microusd,
            found.output_microusd,
            found.cache_read_microusd,
            found.cache_write_microusd,
        )
    tier = next((tier for tier, name in settings.MODEL_TIERS.items() if name == model), "III")
    return _tier_price(tier)


def _tier_price(tier: str) -> Price:
    usd_in, usd_out = TIER_USD.get(tier, TIER_USD["III"])
    base = round(usd_in * MICRO)
    return Price(base, round(usd_out * MICRO), base // 10, base + base // 4)
