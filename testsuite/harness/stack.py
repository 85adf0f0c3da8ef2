# SPDX-License-Identifier: GPL-2.0-or-later
"""stack.py MOST FILE.ci...: the deepest stack of the functions generated code calls.

Reads gcc's call graphs (-fcallgraph-info=su) and walks them from every st_ function that
runtime/abi/stap_script.h, stap_funcs.h and builtins.def declare.  Fails when one needs more than MOST
bytes, or calls itself.
"""
import os
import re
import sys

NODE = re.compile(r'node: \{ title: "([^"]*)" label: "[^"]*?(\d+) bytes \(')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"')
RETURN_ADDRESS = 8
SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def read(paths):
    sizes, calls = {}, {}
    for path in paths:
        with open(path, encoding="ascii") as f:
            for line in f:
                node, edge = NODE.match(line), EDGE.match(line)
                if node:
                    sizes[node.group(1)] = int(node.group(2))
                if edge:
                    calls.setdefault(edge.group(1), set()).add(edge.group(2))
    return sizes, calls


class Graph:
    def __init__(self, sizes, calls):
        self.sizes, self.calls, self.known, self.within = sizes, calls, {}, []

    def deepest(self, name):
        """Bytes that a function and what it calls may need, and the way there."""
        if name in self.within:
            sys.exit("recursion: " + " > ".join(self.within + [name]))
        if name not in self.known:
            self.within.append(name)
            below = [self.deepest(n) for n in self.calls.get(name, ()) if n in self.sizes]
            self.within.pop()
            size, way = max(below, default=(0, []))
            self.known[name] = (size + self.sizes[name] + RETURN_ADDRESS,
                                [f"{name} {self.sizes[name]}"] + way)
        return self.known[name]


def called_by_scripts():
    names = set()
    for header in ("stap_script.h", "stap_funcs.h", "builtins.def"):
        with open(os.path.join(SOURCE, "runtime/abi", header), encoding="utf-8") as f:
            names.update(re.findall(r"\b(st_\w+)[(,]", f.read()))
    return names


def main():
    most, graph = int(sys.argv[1]), Graph(*read(sys.argv[2:]))
    found = sorted((graph.deepest(n) for n in called_by_scripts() if n in graph.sizes),
                   reverse=True)
    if len(found) < 100:
        sys.exit(f"only {len(found)} functions were found")
    for size, way in found[:5]:
        print(size, " > ".join(way))
    return found[0][0] > most


if __name__ == "__main__":
    sys.exit(main())
