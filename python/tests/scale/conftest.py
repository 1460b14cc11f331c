"""What the tests of engines share."""

from tables import expected, people, shuffled

__all__ = ["expected", "people", "shuffled"]
