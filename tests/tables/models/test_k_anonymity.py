"""k-anonymity: the size of the smallest class."""

import numpy as np

from aramis.tables.frequency import Classes
from aramis.tables.models.k_anonymity import KAnonymity


def test_the_level_of_a_class_is_its_size() -> None:
    model = KAnonymity(3)
    levels = model.levels(Classes(np.array([2, 3, 4])))
    assert levels.tolist() == [2, 3, 4]
    assert model.holds(levels).tolist() == [False, True, True]
