from collections import Counter

from aramis.images.kept import Drawn, Worst


def test_the_worst_are_kept_in_order_and_the_rest_counted() -> None:
    worst = Worst[str](3)
    for rank, name in [(1, "a"), (5, "b"), (3, "c"), (5, "d"), (2, "e")]:
        worst.add(rank, name)
    assert worst.first() == ("b", "d", "c")  # of equals the earlier one first
    assert worst.dropped == 2


def test_a_draw_takes_each_as_likely_and_the_same_in_every_run() -> None:
    def drawn() -> list[int]:
        some = Drawn[int](50)
        for number in range(10_000):
            some.offer(number)
        assert some.seen == 10_000
        return some.drawn

    assert drawn() == drawn()
    assert len(set(drawn())) == 50
    quarters = Counter(number // 2_500 for number in drawn())
    assert min(quarters.values()) >= 5  # of 12.5 expected


def test_of_few_all_are_drawn() -> None:
    some = Drawn[str](5)
    some.offer("a")
    assert some.drawn == ["a"]
