"""Compounds: drugs and chemicals with names, structures, roles and targets."""
