"""Retrieval: filtering, not search. The focus filters, the anchors rank; absence is established, never guessed."""
