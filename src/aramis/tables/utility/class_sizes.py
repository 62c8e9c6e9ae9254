"""What a release costs by the sizes of its classes alone."""

import numpy as np

from aramis.tables.utility.pair import Pair


def discernibility(pair: Pair) -> int:
    """The sum of |class|^2; a suppressed record costs as much as the original has records. Bayardo, Agrawal, ICDE 2005."""
    return _squared(pair) + pair.suppressed * pair.before.rows


def discernibility_star(pair: Pair) -> int:
    """The same without the penalty: the suppressed records are one class."""
    return _squared(pair) + pair.suppressed**2


def average_class_size(pair: Pair) -> float:
    """Records per class, the suppressed ones being one together, as ARX has it. LeFevre et al., ICDE 2006."""
    classes = len(pair.after.classes().sizes) if pair.after.rows else 0
    return pair.before.rows / (classes + (pair.suppressed > 0))


def _squared(pair: Pair) -> int:
    sizes = pair.after.classes().sizes if pair.after.rows else np.zeros(0, np.int64)
    return int(sizes @ sizes)
