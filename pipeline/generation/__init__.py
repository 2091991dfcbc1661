"""Writing an answer from evidence: without a model (extractive) or with one (model), under one contract."""
