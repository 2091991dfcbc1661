"""One run, composed: profile, question, facts, decision, loop, record. Beyond the parse cache no disk is touched."""

from pipeline.run.composition import Preview, ask, plan, profile

__all__ = ["Preview", "ask", "plan", "profile"]
