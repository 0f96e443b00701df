from tests.architecture.tree import PRODUCT, ROOT, function_lengths, python_files

LONGEST_FILE = 300
LONGEST_FUNCTION = 50
VAGUE = {"utils", "util", "helpers", "helper", "common", "core", "misc"}


def test_no_file_is_longer_than_one_can_hold_in_mind() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in python_files(*PRODUCT, "tests")
        if (lines := _lines(path)) > LONGEST_FILE
    }
    assert long == {}


def test_no_function_is_longer_than_one_can_see() -> None:
    long = {
        f"{path.relative_to(ROOT)}:{name}": lines
        for path in python_files(*PRODUCT, "tests")
        for name, lines in function_lengths(path.read_text()).items()
        if lines > LONGEST_FUNCTION
    }
    assert long == {}


def test_the_measure_sees_a_long_function() -> None:
    planted = "def long():\n" + "    pass\n" * LONGEST_FUNCTION
    assert function_lengths(planted) == {"long:1": LONGEST_FUNCTION + 1}


def test_no_module_has_a_name_that_says_nothing() -> None:
    vague = [
        path for path in python_files(*PRODUCT, "tests") if VAGUE & {path.stem, *path.relative_to(ROOT).parts[:-1]}
    ]
    assert vague == []


def _lines(path: object) -> int:
    return len(path.read_text().splitlines())  # type: ignore[attr-defined]
