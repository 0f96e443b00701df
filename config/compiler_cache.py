"""Where compiled kernels are kept."""

from hashlib import sha256
from pathlib import Path


def compiler_cache(data_dir: Path, sources: Path) -> Path:
    """A folder under ``data_dir`` of these ``sources`` alone.

    The compiler looks for changes in the file of a function, not in those of the functions it calls: kernels of another
    version would be used on.
    """
    digest = sha256()
    for file in sorted(sources.rglob("*.py")):
        digest.update(file.relative_to(sources).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return data_dir / "numba" / digest.hexdigest()[:16]
