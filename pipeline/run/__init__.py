"""One run, composed: profile, question, facts, decision, loop, record. Beyond the parse cache no disk is touched."""

from pipeline.run.composition import Preview, ask, ask_shelved, plan, plan_shelved, profile
from pipeline.run.shelf import Shelf

__all__ = ["Preview", "Shelf", "ask", "ask_shelved", "plan", "plan_shelved", "profile"]
