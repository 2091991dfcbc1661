"""(stub)"""
from __future__ import annotations
def read_table_value(task):
    return None
