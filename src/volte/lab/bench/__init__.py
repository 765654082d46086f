"""Speeds of Volte on this machine: deals of the kernel, choices of the bots, cards at live tables.

Comparisons with other software, and all figures of the pages, are measured by the programs in
`benchmarks`, with the same tables.
"""

from volte.lab.bench.measure import Benchmark, BenchTable, Figure, measured

__all__ = ["BenchTable", "Benchmark", "Figure", "measured"]
