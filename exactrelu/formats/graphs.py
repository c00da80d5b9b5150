"""Adjacency graphs of regions as GraphML or node-link JSON, the same bytes in every run.

Rationals, tuples and neurons become text, since GraphML knows neither; JSON
keeps lists.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidFile
from ..verdicts import plain
from .files import write_text

if TYPE_CHECKING:
    import networkx

SUFFIXES = (".graphml", ".json")


def check_graph_name(path: str) -> None:
    """Refuse a file name whose suffix names no graph format."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise InvalidFile(path, 'must end in ".graphml" or ".json" to hold a graph')


def save_graph(graph: networkx.Graph, path: str) -> None:
    """Write a region graph, by the suffix of the file, as a whole or not at all."""
    check_graph_name(path)
    as_graphml = Path(path).suffix.lower() == ".graphml"
    write_text(path, graphml_text(graph) if as_graphml else node_link_text(graph))


def node_link_text(graph: networkx.Graph) -> str:
    """The graph in networkx's node-link form, with plain JSON values."""
    nodes = [{"id": name, **_plain(data)} for name, data in graph.nodes(data=True)]
    links = [{"source": a, "target": b, **_plain(data)} for a, b, data in graph.edges(data=True)]
    data = {"directed": False, "multigraph": False, "graph": {}, "nodes": nodes, "links": links}
    return json.dumps(data, indent=1) + "\n"


def graphml_text(graph: networkx.Graph) -> str:
    """The graph as GraphML, every value that is no integer as text."""
    import networkx
    from networkx.readwrite.graphml import GraphMLWriter

    flat = networkx.Graph()
    for name, data in graph.nodes(data=True):
        flat.add_node(name, **{key: _flat(value) for key, value in data.items()})
    for a, b, data in graph.edges(data=True):
        flat.add_edge(a, b, **{key: _flat(value) for key, value in data.items()})
    writer = GraphMLWriter(prettyprint=True)
    writer.add_graph_element(flat)
    buffer = io.BytesIO()
    writer.dump(buffer)
    return buffer.getvalue().decode("utf-8") + "\n"


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    return {key: plain(value) for key, value in data.items()}


def _flat(value: Any) -> Any:
    return value if isinstance(value, int) else json.dumps(plain(value))
