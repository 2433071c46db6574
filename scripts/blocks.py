"""Tables in documents: what is between the lines `<!-- NAME -->` and `<!-- end -->`."""

from pathlib import Path


def put(document: Path, tables: dict[str, str]):
    """Puts each table into its place in a document, if that has one.

    Raises ValueError for a place without an end."""
    text = document.read_text(encoding="utf-8")
    for name, table in tables.items():
        before, place, rest = text.partition(f"<!-- {name} -->\n")
        if place:
            _, end, after = rest.partition("<!-- end -->")
            if not end:
                raise ValueError(f"{document}: `<!-- {name} -->` has no `<!-- end -->`")
            text = f"{before}{place}\n{table}\n\n{end}{after}"
    document.write_text(text, encoding="utf-8")
