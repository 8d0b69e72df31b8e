"""The Python that people take away: settings, and the views that the page itself runs with them."""

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

_WIDTH = 100


def script(shown: Sequence[tuple[Any, Any]]) -> str:
    """Python that makes ``headlines`` and ``tables`` of views by the code that drew them.

    Args:
        shown: views with their settings; all read the files of the first one.
    """
    return "\n\n".join(cells(shown)) + "\n"


def cells(shown: Sequence[tuple[Any, Any]]) -> list[str]:
    """The same in parts: what they need, each view, the headline numbers."""
    view, config = shown[0]
    roles = view.files(config)
    begun = _imports({"dpot_app.views.table": "PAGES"}, roles, *(settings for _, settings in shown))
    parts = [[*begun, "", *_files(roles), "headlines, tables = {}, {}"]]
    for view, settings in shown:
        lines = [f"# {view.title}, by the code that drew the page:"]
        lines += [f"#   {name}{words and ': '}{words}" for name, words in _steps(view.compute).items()]
        # Some views stand on their page only, not in the table of all views.
        lines += [f'view = PAGES["{view.key.partition(".")[0]}"].view("{view.key}")']
        lines += [f"config = {written(settings, _WIDTH)}  # what is not named is as usual: print(config)"]
        lines += [f"results = view.run(config{', files' * bool(roles)})"]
        lines += ["headlines |= view.headlines(*results.parts)", "tables |= results.tables()  # data frames by name"]
        parts.append(lines)
    return ["\n".join(lines) for lines in (*parts, ["print(headlines)"])]


def program(config: Any, roles: Mapping[str, bool], imports: Mapping[str, str], steps: str) -> str:
    """Python that makes ``config`` and ``files`` and goes on with some steps.

    Args:
        roles: of the files that the settings read -> whether they cannot do without.
        imports: module -> names of it that the steps use.
    """
    lines = [*_imports(imports, roles, config), "", *(_files(roles) if roles else ("files = {}",))]
    return "\n".join([*lines, f"config = {written(config)}", steps])


def written(config: Any, width: float = float("inf")) -> str:
    """Settings as Python, each by its name; those that are as usual are left out.

    Args:
        width: characters of a line from which on each argument has a line of its own.
    """
    name = type(config).__name__
    arguments = [
        f"{field}={written(value) if dataclasses.is_dataclass(value) else repr(value)}"
        for field, value in _unusual(config).items()
    ]
    line = f"{name}({', '.join(arguments)})"
    return line if len(line) <= width else "\n".join([f"{name}(", *(f"    {each}," for each in arguments), ")"])


def file_name(role: str) -> str:
    """The name under which exported Python reads a private file of a role."""
    return f"{role}.geojson" if role == "zones" else f"{role}.csv"


def reads(role: str) -> str:
    """Python that gives the file's content."""
    return f'Path("{file_name(role)}").read_bytes()'


def _imports(names: Mapping[str, str], roles: Mapping[str, bool], *configs: Any) -> list[str]:
    modules = {module: {text} for module, text in names.items()}
    for cls in (cls for config in configs for cls in _classes(config)):
        modules.setdefault(cls.__module__, set()).add(cls.__qualname__)
    lines = [f"from {module} import {', '.join(sorted(modules[module]))}" for module in sorted(modules)]
    return ["from pathlib import Path", "", *lines] if roles else lines


def _unusual(config: Any) -> dict[str, Any]:
    fields = type(config).__pydantic_fields__
    values = {name: getattr(config, name) for name in fields}
    return {
        name: value
        for name, value in values.items()
        if fields[name].is_required() or value != fields[name].get_default(call_default_factory=True)
    }


def _classes(config: Any) -> Iterator[type[Any]]:
    """The classes that `written` names."""
    yield type(config)
    for value in _unusual(config).values():
        if dataclasses.is_dataclass(value):
            yield from _classes(value)


def _files(roles: Mapping[str, bool]) -> Iterator[str]:
    """Lines that make ``files``: contents by role.

    Args:
        roles: role -> whether the settings cannot do without it.
    """
    needed = ", ".join(f"{role!r}: {reads(role)}" for role, needs in roles.items() if needs)
    if roles:
        yield f"files = {{{needed}}}  # your own, under these names"
    for role in (role for role, needs in roles.items() if not needs):
        yield f'if Path("{file_name(role)}").is_file():  # may be left out'
        yield f"    files[{role!r}] = {reads(role)}"


def _steps(compute: Callable[..., Any]) -> dict[str, str]:
    """The functions that a view calls, in its order, with the first line of each docstring."""
    found: dict[str, str] = {}
    for each in _called(compute):
        if each.__module__ == compute.__module__ or each.__name__ == "<lambda>":
            found |= _steps(each)
        else:
            found[f"{each.__module__}.{each.__qualname__}"] = (inspect.getdoc(each) or "").partition("\n")[0]
    return found


def _called(function: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """The functions that a function names, in their order."""
    plain = inspect.unwrap(function)
    values = plain.__globals__ | inspect.getclosurevars(plain).nonlocals
    for name in dict.fromkeys(_names(plain.__code__)):
        if inspect.isroutine(value := values.get(name)) and inspect.isfunction(inspect.unwrap(value)):
            yield value


def _names(code: CodeType) -> Iterator[str]:
    yield from (*code.co_names, *code.co_freevars)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)
