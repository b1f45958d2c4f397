"""Perturbations: what screens, knock-outs and treatments did to genes."""
