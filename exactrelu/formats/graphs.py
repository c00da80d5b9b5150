"""Graphs of regions and of networks as GraphML or node-link JSON, the same bytes in every run.

Rationals, tuples and neurons become text, since GraphML knows neither; JSON
keeps lists.
"""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidFile
from ..files import write_text
from ..networks.formulas import activation_name, neuron_name
from ..rationals import text
from ..verdicts import plain

if TYPE_CHECKING:
    import networkx

    from ..networks import Network

SUFFIXES = (".graphml", ".json")


def network_graph(net: Network) -> networkx.DiGraph:
    """The neurons of a network with its present edges, every number as text.

    >>> from ..networks import Network
    >>> graph = network_graph(Network.mlp([[["1/2"]], [[3]]], [[1], None]))
    >>> graph.nodes["h1_0"], graph.edges["x0", "h1_0"]
    ({'layer': 1, 'index': 0, 'bias': '1', 'activation': 'relu'}, {'weight': '1/2'})
    """
    import networkx

    graph = networkx.DiGraph()
    for j in range(net.input_dim):
        graph.add_node(neuron_name(net, 0, j), layer=0, index=j)
    for number, layer in enumerate(net.layers, start=1):
        for i, rho in enumerate(layer.activations):
            name = neuron_name(net, number, i)
            bias = {} if layer.bias is None else {"bias": text(layer.bias[i])}
            graph.add_node(name, layer=number, index=i, **bias, activation=activation_name(rho))
            for source, block in layer.blocks:
                for j, entry in enumerate(block[i]):
                    if entry is not None:
                        graph.add_edge(neuron_name(net, source, j), name, weight=text(entry))
    return graph


def check_graph_name(path: str) -> None:
    """Refuse a file name whose suffix names no graph format."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise InvalidFile(path, 'must end in ".graphml" or ".json" to hold a graph')


def save_graph(graph: networkx.Graph, path: str | os.PathLike[str]) -> None:
    """Write a graph of regions or neurons, by the suffix of the file, as a whole or not at all.

    Raises :class:`~exactrelu.errors.InvalidFile` for other names than ``.graphml`` and ``.json``.
    """
    path = os.fspath(path)
    check_graph_name(path)
    as_graphml = Path(path).suffix.lower() == ".graphml"
    write_text(path, graphml_text(graph) if as_graphml else node_link_text(graph))


def node_link_text(graph: networkx.Graph) -> str:
    """The graph in networkx's node-link form, with plain JSON values."""
    nodes = [{"id": name, **_plain(data)} for name, data in graph.nodes(data=True)]
    links = [{"source": a, "target": b, **_plain(data)} for a, b, data in graph.edges(data=True)]
    data = {"directed": graph.is_directed(), "multigraph": False, "graph": {}, "nodes": nodes, "links": links}
    return json.dumps(data, indent=1) + "\n"


def graphml_text(graph: networkx.Graph) -> str:
    """The graph as GraphML, every value that is no integer as text."""
    import networkx
    from networkx.readwrite.graphml import GraphMLWriter

    flat = networkx.DiGraph() if graph.is_directed() else networkx.Graph()
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
    return value if isinstance(value, int | str) else json.dumps(plain(value))
