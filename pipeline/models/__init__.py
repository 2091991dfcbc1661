"""Contracts between the bricks: frozen pydantic models without floats."""
