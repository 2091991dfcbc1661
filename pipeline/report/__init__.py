"""What people see of results: the report page, annotated copies of the documents, and the rows that both show."""
