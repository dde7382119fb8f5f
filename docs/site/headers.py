# SPDX-License-Identifier: Apache-2.0
"""Pages of the reference, one for each public header, made of what doxygen reads in the headers' comments."""

from __future__ import annotations

import re
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

INCLUDE = "include/kasuri"
SKIPPED = "detail"  # folders of what must be inlined, and nobody includes
TEXT_FIELDS = ("briefdescription", "detaileddescription")
SPECIAL = re.compile(r"([\\`*_\[\]<>|{}$~#@^])")
KINDS = {"define": "macro", "typedef": "type", "variable": "variable", "function": "function", "enum": "enumeration",
         "concept": "concept", "class": "class", "struct": "struct"}


class ReferenceError(Exception):
    """Doxygen did not run, or complained."""


def read_headers(source: Path, doxygen: str = "doxygen") -> list[ElementTree.Element]:
    """What doxygen knows of the public headers: one element a file, class, namespace and concept."""
    template = (source / "docs/Doxyfile.in").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as out:
        for name, value in {"PROJECT_VERSION": "0", "PROJECT_DESCRIPTION": "Kasuri", "PROJECT_BINARY_DIR": out,
                            "PROJECT_SOURCE_DIR": source}.items():
            template = template.replace(f"@{name}@", str(value))
        template += f"\nOUTPUT_DIRECTORY = {out}\nGENERATE_HTML = NO\nGENERATE_XML = YES\n" \
                    "XML_PROGRAMLISTING = NO\n"
        try:
            run = subprocess.run([doxygen, "-"], input=template, text=True, capture_output=True, check=False)
        except FileNotFoundError:
            raise ReferenceError(f"no program {doxygen}: the reference needs it (package doxygen)") from None
        complaints = [line for line in run.stderr.splitlines() if line.strip()]
        if run.returncode != 0 or complaints:
            raise ReferenceError("\n".join(complaints) or f"doxygen ended with status {run.returncode}")
        elements = []
        for path in sorted(Path(out, "xml").glob("*.xml")):
            if path.name not in ("index.xml", "Doxyfile.xml"):
                elements += ElementTree.parse(path).getroot().findall("compounddef")
        return elements


def is_public(header: str) -> bool:
    return SKIPPED not in Path(header).parts


def plain(element: ElementTree.Element | None) -> str:
    """The text of an element, blanks joined."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    return SPECIAL.sub(r"\\\1", text)


def code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence}{text}{fence}"


@dataclass
class Entry:
    """A name of the reference: a function with its overloads, a class with its members, ..."""
    name: str
    kind: str
    label: str
    elements: list[ElementTree.Element]
    members: list["Entry"] = field(default_factory=list)

    def documented(self) -> bool:
        return any(plain(one.find(name)) for one in self.elements for name in TEXT_FIELDS)


class Words:
    """Descriptions in doxygen's elements as Markdown."""

    def __init__(self, labels: dict[str, str]):
        self._labels = labels  # of doxygen's identifiers

    def description(self, element: ElementTree.Element) -> str:
        blocks: list[str] = []
        for name in TEXT_FIELDS:
            for para in element.findall(f"{name}/*"):
                blocks += self._blocks(para)
        return "\n\n".join(block for block in blocks if block.strip())

    def _inline(self, element: ElementTree.Element) -> str:
        """The text of an element up to its block elements, which _blocks takes."""
        text = escape(element.text or "")
        for child in element:
            if child.tag == "computeroutput":
                text += code(plain(child))
            elif child.tag == "emphasis":
                text += f"*{self._inline(child)}*"
            elif child.tag == "ref":
                text += self._reference(child)
            elif child.tag in ("para", "parameterlist", "simplesect", "itemizedlist", "orderedlist", "programlisting"):
                pass
            else:
                raise ReferenceError(f"no words for <{child.tag}> in: {plain(element)[:80]}")
            text += escape(child.tail or "")
        return " ".join(text.split())

    def _reference(self, element: ElementTree.Element) -> str:
        label = self._labels.get(element.get("refid", ""))
        return f"[{code(plain(element))}](#{label})" if label else code(plain(element))

    def _blocks(self, para: ElementTree.Element) -> list[str]:
        blocks = []
        first = self._inline(para)
        if first:
            blocks.append(re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+])", r"\\\1", first)))
        for child in para:
            if child.tag == "parameterlist":
                blocks.append(self._parameters(child))
            elif child.tag == "simplesect":
                title, _, rest = ("Returns", "", "") if child.get("kind") == "return" else \
                    plain(child.find("title")).partition(":")  # doxygen takes the whole line for the title
                paras = [b for one in child.findall("para") for b in self._blocks(one)]
                if rest.strip():
                    paras = [" ".join([escape(rest.strip()), *paras[:1]]), *paras[1:]]
                blocks.append(f"**{escape(title)}**: " + "\n\n".join(paras))
            elif child.tag in ("itemizedlist", "orderedlist"):
                blocks.append(self._list(child))
            elif child.tag == "programlisting":
                lines = [self._codeline(line) for line in child.findall("codeline")]
                blocks.append("\n".join(["```cpp", *lines, "```"]))
        return blocks

    @staticmethod
    def _codeline(line: ElementTree.Element) -> str:
        def walk(element: ElementTree.Element) -> str:
            text = " " if element.tag == "sp" else element.text or ""
            return text + "".join(walk(child) + (child.tail or "") for child in element)
        return walk(line).rstrip()

    def _list(self, element: ElementTree.Element) -> str:
        mark = "-" if element.tag == "itemizedlist" else "1."
        items = []
        for item in element.findall("listitem"):
            blocks = [b for para in item.findall("para") for b in self._blocks(para)]
            items.append(f"{mark} " + "\n\n".join(blocks).replace("\n", "\n" + " " * (len(mark) + 1)))
        return "\n".join(items)

    def _parameters(self, element: ElementTree.Element) -> str:
        throws = element.get("kind") == "exception"
        items = []
        for item in element.findall("parameteritem"):
            names = [plain(name) for name in item.findall("parameternamelist/parametername")]
            blocks = [b for para in item.findall("parameterdescription/para") for b in self._blocks(para)]
            text = "\n\n".join(blocks).replace("\n", "\n  ")
            if throws:  # the first word need not be a type: "whatever f throws"
                names = [code(name) if re.search(r"::|error|exception", name) else escape(name) for name in names]
                items.append(f"- {', '.join(names)} {text}")
            else:
                items.append(f"- {', '.join(code(name) for name in names)}: {text}")
        return {"exception": "**Throws**", "templateparam": "**Template parameters**"}.get(
            element.get("kind", ""), "**Parameters**") + "\n\n" + "\n".join(items)


def parameter_list(element: ElementTree.Element) -> str:
    """`template <...>` and its line end, or nothing."""
    found = element.find("templateparamlist")
    if found is None:
        return ""
    names = []
    for param in found.findall("param"):
        name = plain(param.find("type"))
        declared = plain(param.find("declname"))
        if declared and not re.search(rf"\b{re.escape(declared)}$", name):
            name += f" {declared}"
        default = plain(param.find("defval"))
        names.append(name + (f" = {default}" if default else ""))
    return f"template <{', '.join(names)}>\n"


def tidy(text: str) -> str:
    """Blanks as people write them, not as doxygen does."""
    text = re.sub(r"< ", "<", text)
    text = re.sub(r" >", ">", text)
    text = re.sub(r" ([&*]+)(?=[\w.)])", r"\1 ", text)
    text = re.sub(r"(?<=[\w>]) ([&*]+)(?=$|[,)>])", r"\1", text)
    text = re.sub(r"([&*]) (?=[,)])", r"\1", text)
    text = re.sub(r"\)=(delete|default)", r") = \1", text)
    return re.sub(r"(?<=[\w>)]) ?= ?(?=[\w{\"-])", " = ", text)


def folded(line: str, width: int = 84) -> str:
    """A declaration of which no line is longer than need be: cut behind commas between parameters."""
    open_at = line.find("(")
    if len(line) <= width or open_at < 0:
        return line
    indent = " " * (open_at + 1 if open_at < 44 else 4)
    lines, depth, current = [], 0, ""
    for part in re.split(r"(?<=,) ", line):
        if current and depth == 1 and len(current) + len(part) > width:
            lines.append(current)
            current = indent + part
        else:
            current = f"{current} {part}" if current else part
        depth += sum(part.count(c) for c in "(<{") - sum(part.count(c) for c in ")>}")
    return "\n".join([*lines, current])


def declaration(element: ElementTree.Element) -> str:
    """A member as it is declared."""
    kind = element.get("kind", "")
    name = plain(element.find("name"))
    type_ = tidy(plain(element.find("type")))
    if kind == "define":
        parameters = [plain(one.find("defname")) for one in element.findall("param")]
        return f"#define {name}" + (f"({', '.join(parameters)})" if parameters else "")
    if kind == "enum":
        values = [plain(one.find("name")) + (f" {plain(one.find('initializer'))}" if plain(one.find("initializer"))
                                             else "") for one in element.findall("enumvalue")]
        strong = "enum class" if element.get("strong") == "yes" else "enum"
        return f"{strong} {name} {{\n  " + ",\n  ".join(values) + "\n};"
    if kind == "typedef":
        text = plain(element.find("definition"))
        if text.startswith("using"):
            meaning = text.split("=", 1)[-1].strip().removeprefix("typedef ")
            return parameter_list(element) + f"using {name} = {tidy(meaning)};"
        return f"typedef {type_} {name}{plain(element.find('argsstring'))};"
    words = [word for word, key in (("static", "static"), ("explicit", "explicit"), ("constexpr", "constexpr"))
             if element.get(key) == "yes" and word not in type_.split()]
    arguments = tidy(plain(element.find("argsstring")))
    if element.get("noexcept") == "yes" and "noexcept" not in arguments:
        arguments += " noexcept"
    value = plain(element.find("initializer")) if kind == "variable" else ""
    line = " ".join([*words, type_, name] if type_ else [*words, name]) + arguments
    if value and len(value) < 40:
        line += f" {value}"
    return parameter_list(element) + folded(line) + ";"


def entries_of(element: ElementTree.Element, label: str) -> list[Entry]:
    """The public members of a class, a namespace or a file, overloads together, in the order of the source."""
    members = [member for section in element.findall("sectiondef") for member in section.findall("memberdef")
               if member.get("prot") == "public" and member.get("kind") != "friend"]
    members.sort(key=line_of)
    entries: dict[tuple[str, str], Entry] = {}
    for member in members:
        name = plain(member.find("name"))
        if name.startswith("@") or (name == "" and member.get("kind") != "enum"):
            continue
        key = (file_of(member), name)
        if key not in entries:
            entries[key] = Entry(name, member.get("kind", ""), f"{label}.{label_word(name)}", [])
        entries[key].elements.append(member)
    return list(entries.values())


def label_word(name: str) -> str:
    """A part of a label that differs where names differ."""
    name = name.replace("~", "destructor-").replace("::", ".")
    return re.sub(r"[^\w.-]", lambda match: f"-{ord(match[0]):x}", name)


def file_of(element: ElementTree.Element) -> str:
    location = element.find("location")
    return "" if location is None else location.get("file", "").removeprefix("kasuri/")


def line_of(element: ElementTree.Element) -> int:
    location = element.find("location")
    return 0 if location is None else int(location.get("line", "0"))


class Reference:
    """All pages. `pages` has a text for each header, by its path below include/kasuri."""

    def __init__(self, elements: list[ElementTree.Element]):
        self._labels: dict[str, str] = {}
        self._files = {file_of(one): one for one in elements if one.get("kind") == "file"}
        self._entries: dict[str, list[Entry]] = {}
        self.hidden = {plain(member.find("qualifiedname")) for one in elements
                       for member in one.iter("memberdef") if member.get("prot") != "public"}  # private members
        self.namespaces = {plain(one.find("compoundname")) for one in elements if one.get("kind") == "namespace"}
        for one in elements:
            self._take(one)
        self._words = Words(self._labels)
        self.pages = {header: self._page(header) for header in self._files if is_public(header)}

    def names(self) -> set[str]:
        """Every name that some page has a heading or a declaration for, as `kasuri::task_group::wait`."""
        found = set()
        for entries in self._entries.values():
            for entry in entries:
                found.add(entry.name)
                found.update(f"{entry.name}::{member.name}" for member in entry.members)
                for element in entry.elements:
                    found.update(f"{entry.name}::{plain(one.find('name'))}" for one in element.findall("enumvalue"))
        return found

    def _take(self, one: ElementTree.Element) -> None:
        kind, name = one.get("kind", ""), plain(one.find("compoundname"))
        if kind in ("class", "struct", "union", "concept"):
            if one.get("prot", "public") != "public":
                return
            label = f"{file_of(one)}.{label_word(name)}"
            entry = Entry(name, kind, label, [one], entries_of(one, label))
            self._add(file_of(one), [entry])
        elif kind in ("namespace", "file"):
            scope = f"{name}::" if kind == "namespace" else ""
            entries = entries_of(one, "")
            for entry in entries:
                header = file_of(entry.elements[0])
                entry.name = scope + entry.name
                entry.label = f"{header}.{label_word(entry.name)}"
                self._add(header, [entry])

    def _add(self, header: str, entries: list[Entry]) -> None:
        known = {entry.label for entry in self._entries.get(header, [])}
        for entry in entries:
            if entry.label in known:  # a file's list of what a namespace has already
                continue
            self._entries.setdefault(header, []).append(entry)
            for shown in (entry, *(member for member in entry.members if member.documented())):
                for element in shown.elements:
                    self._labels[element.get("id", "")] = shown.label

    def _page(self, header: str) -> str:
        text = f"# `kasuri/{header}`\n\n" + self._words.description(self._files[header]) + "\n"
        entries = sorted(self._entries.get(header, []), key=lambda entry: line_of(entry.elements[0]))
        includes = [plain(one).removeprefix("kasuri/") for one in self._files[header].findall("includes")
                    if one.get("local") == "yes" and not plain(one).startswith("kasuri/detail")]
        if includes and not entries:
            text += "\nIt includes " + ", ".join(
                f"[`kasuri/{one}`](/include/kasuri/{one})" for one in includes) + ".\n"
        for entry in entries:
            if entry.members or entry.kind in ("class", "struct"):
                text += self._class(entry)
            else:
                text += self._entry(entry, "##")
        return text

    def _entry(self, entry: Entry, level: str) -> str:
        text = f"\n({entry.label})=\n{level} {code(entry.name)}\n"
        for declared, described in self._forms(entry):
            shown = "\n".join(declared)
            text += f"\n```cpp\n{shown}\n```\n\n{described}\n"
        return text

    def _forms(self, entry: Entry) -> list[tuple[list[str], str]]:
        """The overloads, each with its description; one without stands with the one before."""
        forms: list[tuple[list[str], str]] = []
        for element in entry.elements:
            if element.get("kind") == "concept":
                shown = plain(element.find("initializer")) + ";"
            else:
                shown = declaration(element)
            described = self._words.description(element)
            for value in element.findall("enumvalue"):
                meaning = self._words.description(value)
                if meaning:
                    described += f"\n\n- {code(plain(value.find('name')))}: " + meaning.replace("\n", "\n  ")
            if shown.endswith("= delete;") and not described:
                continue
            if forms and not (described and forms[-1][1]):
                forms[-1] = ([*forms[-1][0], shown], forms[-1][1] or described)
            else:
                forms.append(([shown], described))
        return forms

    def _class(self, entry: Entry) -> str:
        element = entry.elements[0]
        short = entry.name.rsplit("::", 1)[-1]
        bases = [plain(base) for base in element.findall("basecompoundref") if "detail" not in plain(base)]
        lines = [f"{parameter_list(element)}{entry.kind} {short}"
                 + (f" : public {', '.join(bases)}" if bases else "") + " {"]
        for member in entry.members:
            for one in member.elements:
                lines += ["  " + line for line in declaration(one).split("\n")]
        lines.append("};")
        text = f"\n({entry.label})=\n## {entry.kind} {code(entry.name)}\n\n{self._words.description(element)}\n\n"
        text += "```cpp\n" + "\n".join(lines) + "\n```\n"
        for member in entry.members:
            if member.documented():
                text += self._entry(member, "###")
        return text
