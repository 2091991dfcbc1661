"""One run, composed: profile, question, facts, decision, loop, record. Neither disk nor clock beyond the parse cache."""

from pipeline.run.composition import Preview, ask, plan, profile

__all__ = ["Preview", "ask", "plan", "profile"]
