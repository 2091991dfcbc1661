"""What a run of characters says: matching form, tokens, identifiers, numbers and the reference grammar."""
