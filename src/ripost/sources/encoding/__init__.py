"""Encoding: from the rows of an open source to cells, as one Ibis expression."""
