"""The memory of what was done: run records, built, hashed, written and checked."""
