"""The notebook runs from its first cell to its last."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[3] / "examples" / "digits.ipynb"


def test_the_notebook_comes_to_its_conclusion():
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(notebook, timeout=600).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    pages = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(pictures) == 4
    assert any("Informative" in page for page in pages)
