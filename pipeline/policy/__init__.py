"""What rules may read, what they say, and where they are kept."""
