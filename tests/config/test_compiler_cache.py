"""Kernels compiled from other sources are never used."""

from pathlib import Path

from config.compiler_cache import compiler_cache


def test_each_change_of_a_source_file_has_a_folder_of_its_own(tmp_path: Path) -> None:
    sources, data = tmp_path / "sources", tmp_path / "data"
    (sources / "fast").mkdir(parents=True)
    (sources / "calling.py").write_text("a = 1\n")
    (sources / "fast/called.py").write_text("b = 1\n")
    first = compiler_cache(data, sources)
    assert compiler_cache(data, sources) == first
    assert data in first.parents
    (sources / "fast/called.py").write_text("b = 2\n")
    second = compiler_cache(data, sources)
    (sources / "fast/called.py").rename(sources / "fast/moved.py")
    third = compiler_cache(data, sources)
    assert len({first, second, third}) == 3
    (sources / "notes.txt").write_text("of no matter to the compiler")
    assert compiler_cache(data, sources) == third
