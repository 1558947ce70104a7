"""The notebook runs from the first to the last cell, and shows what it promises."""

import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parent.parent


def test_the_quickstart_runs(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [n for n in os.environ if n.startswith(("JIZHU_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("DATABASE_URL", database_url)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")  # Jupyter's own, on its event loop and folders
        from nbclient import NotebookClient

        notebook: Any = nbformat.read(  # type: ignore[no-untyped-call]
            ROOT / "notebooks" / "quickstart.ipynb", as_version=4
        )
        NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    shown = "\n".join(o.get("text", "") for c in notebook.cells if c.cell_type == "code" for o in c.outputs)
    assert "林青" in shown and "青霉素" in shown and "护士" in shown
    assert not any(o.output_type == "error" for c in notebook.cells if c.cell_type == "code" for o in c.outputs)
