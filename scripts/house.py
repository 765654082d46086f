"""Counts what a checkout of Volte consists of, and draws which package imports which.

    python scripts/house.py [CHECKOUT [LATER_CHECKOUT]] [--long | --json]
    python scripts/house.py [CHECKOUT] --drawing | --write

Without a checkout it counts the one in which it lies; with two, it prints them side by side.
`--long` lists the items counted, `--json` prints all of it for a program. `--drawing` prints the
packages and what each imports, `--write` puts that into docs/architecture.md. Nothing of Volte is
imported, so any commit can be counted: git worktree add /tmp/before COMMIT

Every import counts: at the top of a module, under `TYPE_CHECKING`, inside a function, and by
`import_module("volte.…")`. `from volte.a import b` leads to the module `volte.a.b` where there is
one, otherwise to `volte.a`. A package is what comes after `volte.`; a circle is a set of modules,
or of packages, each of which reaches all the others. Lines are all lines, blank ones included.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import resolve_name
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from statistics import median
from textwrap import wrap
from typing import Final, NamedTuple, TypeAlias

ROOT: Final = Path(__file__).resolve().parents[1]
BEGIN: Final = "<!-- made by scripts/house.py: begin -->\n"
END: Final = "<!-- made by scripts/house.py: end -->\n"

VAGUE: Final = ("told", "kept", "asked", "said", "due")
LONG_MODULE: Final = 500  # lines
FULL_FOLDER: Final = 20  # files
SHORT_DOCSTRING: Final = 28  # characters
RIDDLES: Final = re.compile(
    r"(What|How|Who|Whom|Where|Which|Whose|Whoever|Those|The same|All that|All of|That|Of|Its"
    r"|By which)\b"
)
"""Openings of a docstring that defines a thing by a clause with a pronoun."""
GENERATED: Final = ("docs/rules*.md", "docs/rules/*.md", "docs/regles/*.md")
WEB: Final = ("js", "css", "html")
PRIVATE: Final = re.compile(r"_(?!_|(?:replace|asdict|fields|make|exit)$)")  # those are public

Graph: TypeAlias = Mapping[str, set[str]]
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """A Python file of src/volte."""

    name: str  # volte.table.live; the package of an __init__.py
    path: str  # below src/volte
    text: str
    tree: ast.Module

    @property
    def folder(self) -> str:
        return ".".join(("volte", *Path(self.path).parent.parts))

    def at(self, node: ast.AST) -> str:
        return f"{self.path}:{getattr(node, 'lineno', 1)}"


class Figure(NamedTuple):
    """A row of the table: a name, an amount, and the items counted."""

    name: str
    amount: float
    items: tuple[str, ...] = ()

    @classmethod
    def of(cls, name: str, items: Iterable[str]) -> Figure:
        found = tuple(items)
        return cls(name, len(found), found)


def modules_of(checkout: Path) -> dict[str, Module]:
    """All modules of src/volte, by name."""
    source = checkout / "src" / "volte"
    found = {}
    for file in sorted(source.rglob("*.py")):
        path = file.relative_to(source)
        parts = path.parent.parts if path.stem == "__init__" else path.with_suffix("").parts
        name, text = ".".join(("volte", *parts)), file.read_text(encoding="utf-8")
        found[name] = Module(name, path.as_posix(), text, ast.parse(text))
    return found


def imported(module: Module) -> Iterator[tuple[str, str]]:
    """Every import: the module, and the name taken from it (empty for `import module`)."""
    called = "import_module(" in module.text
    for node in ast.walk(module.tree) if called else statements(module.tree):
        match node:
            case ast.Import(names=names):
                yield from ((alias.name, "") for alias in names)
            case ast.ImportFrom(module=source, names=names, level=level):
                source = resolve_name("." * level + (source or ""), module.folder)
                yield from ((source, alias.name) for alias in names)
            case ast.Call(ast.Name("import_module"), [ast.Constant(str(name)), *_]):
                yield name, ""


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all statements within, without the expressions in them: a tenth of all nodes."""
    yield node
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for part in getattr(node, name, ()):
            yield from statements(part)


def imports(modules: Mapping[str, Module]) -> Graph:
    """The modules of Volte that each module imports."""
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for name, module in modules.items():
        for source, member in imported(module):
            whole = f"{source}.{member}"
            graph[name].add(whole if whole in modules else source)
        graph[name] = graph[name] & modules.keys() - {name}
    return graph


def between_packages(graph: Graph) -> Graph:
    """The packages that each package imports; `volte/__init__.py` belongs to none."""
    joined = defaultdict[str, set[str]](set)
    for name, targets in graph.items():
        joined[package(name)] |= {package(target) for target in targets} - {package(name), ""}
    return {name: targets for name, targets in joined.items() if name}


def package(module: str) -> str:
    """`table` of `volte.table.live`, and `cli` of `volte.cli`; empty for `volte` itself."""
    return module.partition(".")[2].partition(".")[0]


def reachable(graph: Graph, start: str) -> set[str]:
    """All nodes to which arrows lead from there; itself only if it is in a circle."""
    found, waiting = set[str](), list(graph[start])
    while waiting:
        node = waiting.pop()
        if node not in found:
            found.add(node)
            waiting += graph[node]
    return found


def circles(graph: Graph) -> Iterator[str]:
    """Each circle, as the names of its nodes."""
    reached = {node: reachable(graph, node) for node in graph}
    found = {
        frozenset(other for other in others if node in reached[other])
        for node, others in reached.items()
    }
    return (" ".join(sorted(each)) for each in sorted(found, key=sorted) if each)


def drawing(modules: Mapping[str, Module]) -> str:
    """The packages in rows, each with all packages that it imports.

    A package stands one row above the highest of those that it imports. Packages that import one
    another in a circle share a row, and have a ⇄ before them.
    """
    graph = between_packages(imports(modules))
    reached = {name: reachable(graph, name) for name in graph}

    @cache
    def height(name: str) -> int:
        ring = {name} | {each for each in reached[name] if name in reached[each]}
        below = {each for member in ring for each in graph[member]} - ring
        return max((height(each) + 1 for each in below), default=0)

    heights = {name: height(name) for name in graph}
    order = sorted(graph, key=lambda name: (-heights[name], name))
    width = max(map(len, order))
    lines = []
    for above, name in zip(["", *order], order, strict=False):
        if above and heights[above] != heights[name]:
            lines.append("─" * (width + 3))
        sign = "⇄" if name in reached[name] else " "
        parts = wrap(" ".join(each for each in order if each in graph[name]), 80) or [""]
        lines.append(f"{sign} {name:{width}} {'▶' if graph[name] else ' '} {parts[0]}".rstrip())
        lines += (f"{'':{width + 4}} {part}" for part in parts[1:])
    return "\n".join(["```text", *lines, "```"]) + "\n"


# Facts about the source


def double_names(modules: Iterable[Module]) -> dict[str, str]:
    """Public classes at the top of modules whose name occurs more than once, with their places."""
    places = defaultdict[str, list[str]](list)
    for module in modules:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module.path)
    return {name: " ".join(found) for name, found in sorted(places.items()) if len(found) > 1}


def private_uses(module: Module) -> Iterator[str]:
    """Private names that the module takes from another one, ours or a dependency's.

    These are `from a import _b`, `import a._b`, and `a._b` where the file has imported `a`; also
    `thing._b` where no `_b` is defined in the file. Names that a class inherits are its own.
    """
    for source, member in imported(module):
        if any(PRIVATE.match(part) for part in (*source.split("."), member)):
            yield f"{module.path}: {source} {member}".rstrip()
    own = set(re.findall(r"(?:\bdef |\bself\.|\bcls\.|^\s*)(_\w+)", module.text, re.MULTILINE))
    classes = {"self", "cls", *re.findall(r"\bclass (\w+)", module.text)}
    taken = set[str]()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            taken |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.Attribute) and PRIVATE.match(node.attr):
            name = ast.unparse(node.value).partition(".")[0]
            if name not in classes and (name in taken or node.attr not in own):
                yield f"{module.at(node)}: {ast.unparse(node)}"


def words_of_names(module: Module) -> Iterator[str]:
    """The words of every identifier in the code: `told` and `row` of `told_row` or `ToldRow`."""
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type == tokenize.NAME:
            yield from re.sub(r"(?<=[a-z])(?=[A-Z])", "_", token.string).lower().split("_")


def small_helpers(module: Module) -> Iterator[str]:
    """Private functions and methods that are used once and have at most two statements.

    Statements inside of other statements count, docstrings do not. Decorated functions are left
    out, and so are names that the module defines more than once.
    """
    found = defaultdict[str, list[Function]](list)
    used = Counter[str]()
    for node in ast.walk(module.tree):
        if isinstance(node, Function):
            found[node.name].append(node)
        elif isinstance(node, ast.Name | ast.Attribute):
            used[node.id if isinstance(node, ast.Name) else node.attr] += 1
    for name, (function, *others) in found.items():
        if PRIVATE.match(name) and used[name] == 1 and not others and not function.decorator_list:
            body = function.body[ast.get_docstring(function) is not None :]
            inner = [each for part in body for each in ast.walk(part)]
            if sum(isinstance(each, ast.stmt) for each in inner) <= 2:
                yield f"{module.at(function)}: {name}"


def docstrings(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """The docstrings of a module, its classes and functions, and of names that have a value."""
    for node in statements(module.tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function):
            text = ast.get_docstring(node)
            if text:
                yield node, text
        if isinstance(node, ast.Module | ast.ClassDef):
            for named, below in pairwise(node.body):
                match named, below:
                    case ast.Assign() | ast.AnnAssign(), ast.Expr(ast.Constant(str(text))):
                        yield below, cleandoc(text)


def short_docstrings(module: Module) -> Iterator[str]:
    for node, text in docstrings(module):
        if len(text) < SHORT_DOCSTRING:
            yield f"{module.at(node)}: {text}"


def riddles(module: Module) -> Iterator[str]:
    for node, text in docstrings(module):
        if RIDDLES.match(text):
            yield f"{module.at(node)}: {text.splitlines()[0]}"


# The table


def figures(checkout: Path) -> Iterator[Figure]:
    """Every row of the table."""
    modules = modules_of(checkout)
    yield from sizes(checkout)
    yield from shape(checkout, modules)
    file = checkout / "tests" / "double_names.txt"
    pairs = file.read_text().partition("\n\n")[0] if file.exists() else ""
    double, allowed = double_names(modules.values()), set(re.findall(r"^\w+", pairs, re.MULTILINE))
    names = (f"{name}: {places}" for name, places in double.items() if name not in allowed)
    yield Figure.of("public class names used twice", names)
    yield Figure.of("the same, allowed", sorted(double.keys() & allowed))
    graph = imports(modules)
    yield Figure.of("circles of modules", circles(graph))
    yield Figure.of("circles of packages", circles(between_packages(graph)))
    words = Counter(word for module in modules.values() for word in words_of_names(module))
    yield from (Figure(f"'{word}' in names", words[word]) for word in VAGUE)
    for name, found in (
        ("private imports", private_uses),
        ("helpers used once, of at most two statements", small_helpers),
        (f"docstrings under {SHORT_DOCSTRING} characters", short_docstrings),
        ("docstrings that begin with a pronoun", riddles),
    ):
        yield Figure.of(name, (each for module in modules.values() for each in found(module)))
    blocks = re.compile(r"^ *Attributes:$", re.MULTILINE)
    count = sum(len(blocks.findall(module.text)) for module in modules.values())
    yield Figure("docstrings with an `Attributes:` block", count)


def sizes(checkout: Path) -> Iterator[Figure]:
    """Amounts of each kind of text."""
    source = checkout / "src" / "volte"
    made = {page for each in GENERATED for page in checkout.glob(each)}
    folders = [checkout / name for name in ("docs", "benchmarks", "deploy")]
    prose = {*checkout.glob("*.md"), *(file for each in folders for file in below(each, "md"))}
    prose -= made
    yield lines("source: Python of src/volte, lines", below(source, "py"))
    yield lines("tests: Python of tests, lines", below(checkout / "tests", "py"))
    yield lines("prose: README, docs and the like, lines", prose)
    yield Figure("the same, words", sum(len(file.read_text().split()) for file in prose))
    yield lines("generated prose (the rules), lines", made)
    yield lines("web: js, css and html of src/volte, lines", below(source, *WEB))
    yield lines("catalogues (po), lines", below(source, "po"))
    yield lines(
        "texts beside the source (ini, md, toml, txt), lines",
        below(source, "ini", "md", "toml", "txt"),
    )


def shape(checkout: Path, modules: Mapping[str, Module]) -> Iterator[Figure]:
    """Numbers and sizes of files and folders."""
    sizes = {each.path: len(each.text.splitlines()) for each in modules.values()}
    inner = [size for path, size in sizes.items() if not path.endswith("__init__.py")]
    yield Figure("files of source (py)", len(sizes))
    yield Figure("modules: the same without __init__.py", len(inner))
    yield Figure("median module, lines", median(inner))
    long = (f"{path} {size}" for path, size in sizes.items() if size > LONG_MODULE)
    yield Figure.of(f"modules over {LONG_MODULE} lines", long)
    yield Figure("files of tests (py)", len(below(checkout / "tests", "py")))
    yield from shares_of_tests(checkout)
    for folder, kinds in (("src/volte", ("py",)), ("src/volte", WEB), ("tests", ("py",))):
        files = below(checkout / folder, *kinds)
        folders = Counter(file.parent.relative_to(checkout).as_posix() for file in files)
        ranked = tuple(f"{name} {count}" for name, count in folders.most_common())
        name = f"{folder} ({', '.join(kinds)})"
        yield Figure(
            f"largest folder of {name}, files", max(folders.values(), default=0), ranked[:1]
        )
        full = sum(count > FULL_FOLDER for count in folders.values())
        yield Figure.of(f"folders of {name} over {FULL_FOLDER} files", ranked[:full])


def shares_of_tests(checkout: Path) -> Iterator[Figure]:
    """Lines of tests that are inside test functions, and those of imports, of 1,000 each."""
    whole = inside = imports = 0
    for file in below(checkout / "tests", "py"):
        text = file.read_text(encoding="utf-8")
        whole += len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            length = getattr(node, "end_lineno", 0) - getattr(node, "lineno", 0) + 1
            if isinstance(node, Function) and node.name.startswith("test_"):
                inside += length
            elif isinstance(node, ast.Import | ast.ImportFrom):
                imports += length
    yield Figure("tests: of 1,000 lines, inside tests", 1000 * inside / max(whole, 1))
    yield Figure("tests: of 1,000 lines, imports", 1000 * imports / max(whole, 1))


def below(folder: Path, *kinds: str) -> list[Path]:
    """All files of these kinds in a folder and in those below."""
    return sorted(file for kind in kinds for file in folder.rglob(f"*.{kind}"))


def lines(name: str, files: Iterable[Path]) -> Figure:
    return Figure(name, sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files))


def main() -> None:
    parser = argparse.ArgumentParser(usage=(__doc__ or "").partition("\n\n")[2])
    parser.add_argument("checkouts", nargs="*", type=Path, default=[ROOT])
    for name in ("--long", "--json", "--drawing", "--write"):
        parser.add_argument(name, action="store_true")
    chosen = parser.parse_args()
    page = chosen.checkouts[0] / "docs" / "architecture.md"
    if chosen.drawing:
        print(drawing(modules_of(chosen.checkouts[0])), end="")
    elif chosen.write:
        before, rest = page.read_text(encoding="utf-8").split(BEGIN)
        text = (
            before + BEGIN + drawing(modules_of(chosen.checkouts[0])) + END + rest.partition(END)[2]
        )
        page.write_text(text, encoding="utf-8", newline="\n")
    elif chosen.json:
        tables = [figures(checkout) for checkout in chosen.checkouts]
        print(json.dumps([{row.name: row[1:] for row in table} for table in tables], indent=1))
    else:
        for rows in zip(*map(figures, chosen.checkouts), strict=True):
            print(f"{rows[0].name:52}", *(f"{row.amount:10,.0f}" for row in rows))
            if chosen.long:
                print("".join(f"    {item}\n" for item in rows[-1].items), end="")


if __name__ == "__main__":
    main()
