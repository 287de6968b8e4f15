"""The snippets for machines, read by what reads them."""
