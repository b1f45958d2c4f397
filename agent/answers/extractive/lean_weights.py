"""Weights of the cues of lean.py for yes, no and maybe; written by
benchmarks/fit_lean.py."""

from __future__ import annotations

from typing import Final

WEIGHTS: Final[dict[str, tuple[float, float, float]]] = {
    "bias": (0.64, -0.01, -0.63),
    "not": (-0.61, 0.56, 0.05),
    "no": (-0.62, 0.70, -0.08),
    "without": (0.35, -0.03, -0.32),
    "neither": (-0.15, 0.30, -0.15),
    "no_effect": (-0.49, 0.55, -0.06),
    "similar": (0.07, 0.56, -0.63),
    "fails": (-0.72, 0.77, -0.05),
    "advised_against": (-0.18, -0.06, 0.24),
    "unsure": (-0.57, 0.71, -0.14),
    "further": (-0.02, 0.39, -0.37),
    "may": (0.27, -0.39, 0.12),
    "can": (0.09, -0.14, 0.05),
    "should": (-0.48, -0.14, 0.63),
    "however": (0.01, -0.52, 0.51),
    "some": (-0.61, -0.35, 0.96),
    "suggests": (0.42, -0.50, 0.07),
    "shows": (0.05, 0.01, -0.06),
    "associated": (0.09, 0.18, -0.27),
    "effective": (0.08, -0.13, 0.06),
    "more": (0.42, -0.17, -0.25),
    "less": (0.81, -0.05, -0.76),
    "significant": (-0.06, 0.06, -0.00),
    "recommends": (0.13, -0.42, 0.28),
    "asks_difference": (-0.20, 0.22, -0.02),
    "asks_need": (-0.52, 0.40, 0.11),
    "asks_link": (0.05, -0.18, 0.13),
    "asks_doubt": (-0.37, 0.54, -0.17),
    "asks_use": (0.18, -0.33, 0.15),
    "asks_denial": (-0.01, 0.35, -0.33),
    "near": (0.56, -0.09, -0.46),
    "denies": (-0.84, 0.55, 0.28),
    "denies_asked": (-0.99, 0.83, 0.17),
    "denies_asks_difference": (-0.04, -0.18, 0.22),
    "denies_asks_need": (0.14, 0.12, -0.26),
    "denies_asks_denial": (-0.06, 0.11, -0.05),
    "same_asks_difference": (0.28, -0.13, -0.15),
}
