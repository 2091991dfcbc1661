"""Many questions of many documents: read, asked in processes, kept in a journal, written in the order of the input."""
