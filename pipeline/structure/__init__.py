"""What lists, tables, captions and references are, read from the lines of a document."""
