"""Reading a question: anchors, focus, hints, shape and parts, by rules over the lexicons."""
