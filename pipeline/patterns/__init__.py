"""Patterns: what a step of a plan does. They are independent of each other; each gives ranked candidates."""
