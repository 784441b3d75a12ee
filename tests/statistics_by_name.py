"""Every statistic of ripost, by name."""

from ripost.statistics.registry import find_all

STATISTICS = find_all()
