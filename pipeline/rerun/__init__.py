"""Records read again: facts decided under other rules, questions asked again with another budget."""
