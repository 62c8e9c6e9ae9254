"""What holds for every record, whatever is in it."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from aramis.images.assess import Tally
from aramis.images.files.jsonl import as_line, as_record
from aramis.images.records import Box, Carrier, ImageRecord, Orientation, Target, Verdict
from aramis.images.risk.quality import counts
from aramis.images.rules.judge import RULE_SETS, STRICT, RuleSet, judge

SIDE = 400


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    x1, y1 = draw(st.integers(0, SIDE - 2)), draw(st.integers(0, SIDE - 2))
    return (
        float(x1),
        float(y1),
        float(draw(st.integers(x1 + 1, SIDE))),
        float(draw(st.integers(y1 + 1, SIDE))),
    )


scores = st.integers(0, 20).map(lambda twentieths: twentieths / 20)
targets = st.builds(
    Target,
    kind=st.sampled_from(["face", "plate", "region"]),
    box=boxes(),
    score=st.none() | scores,
    method=st.sampled_from(["blur", None]),
)
carriers = st.builds(
    Carrier,
    kind=st.sampled_from(["person", "vehicle"]),
    label=st.sampled_from([None, "car", "bicycle"]),
    box=boxes(),
    score=scores,
    orientation=st.sampled_from(Orientation),
    orientation_score=st.none() | scores,
    head=st.none() | st.sampled_from(Orientation),
    head_box=st.none() | boxes(),
)


@st.composite
def records(draw: st.DrawFn) -> ImageRecord:
    return ImageRecord(
        image="a.jpg",
        width=SIDE,
        height=SIDE,
        targets=tuple(replace(one, id=n) for n, one in enumerate(draw(st.lists(targets, max_size=5)))),
        carriers=tuple(replace(one, id=n) for n, one in enumerate(draw(st.lists(carriers, max_size=6)))),
    )


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.name)
@given(record=records())
def test_every_carrier_above_the_floor_has_one_verdict_and_reasons_only_where_excused(
    rules: RuleSet, record: ImageRecord
) -> None:
    for carrier in judge(record, rules).carriers:
        assert (carrier.verdict is None) == (carrier.score < 0.3)
        assert bool(carrier.reasons) == (carrier.verdict is Verdict.UNRECOGNISABLE)
        assert (carrier.target is not None) == (carrier.verdict is Verdict.ANONYMIZED)


@given(record=records(), data=st.data())
def test_the_order_of_the_record_changes_no_strict_count(record: ImageRecord, data: st.DataObject) -> None:
    shuffled = replace(
        record,
        carriers=tuple(data.draw(st.permutations(record.carriers))),
        targets=tuple(data.draw(st.permutations(record.targets))),
    )
    assert counts(judge(shuffled, STRICT).carriers) == counts(judge(record, STRICT).carriers)


@given(record=records())
def test_strict_gives_each_face_and_plate_to_one_carrier(record: ImageRecord) -> None:
    regions = {target.id for target in record.targets if target.kind == "region"}
    given_away = [one.target for one in judge(record, STRICT).carriers if one.target not in regions | {None}]
    assert len(set(given_away)) == len(given_away)


@given(record=records())
def test_judging_twice_is_judging_once(record: ImageRecord) -> None:
    once = judge(record, STRICT)
    assert judge(once, STRICT) == once


@given(several=st.lists(records(), max_size=4))
def test_the_measures_add_up(several: list[ImageRecord]) -> None:
    tally = Tally()
    for place, record in enumerate(several):
        tally.judged(replace(record, image=f"{place}.jpg"))
    found = tally.assessment()
    assert len(found.leaks) == found.overall.ASA - found.overall.PA - found.overall.SANP
    for of in found.by_rules.values():
        assert of.people.TDP + of.vehicles.TDV == of.overall.ASA
        for total, hidden, excused, quality, risk in map(
            msgspec.structs.astuple, (of.people, of.vehicles, of.overall)
        ):
            assert 0 <= hidden + excused <= total
            if total:
                assert 0 <= risk <= 1
                assert quality + risk == pytest.approx(1)
            else:
                assert quality is None
                assert risk is None


@given(record=records())
def test_a_record_survives_being_written(record: ImageRecord) -> None:
    judged = judge(record, STRICT)
    assert as_record(msgspec.json.decode(as_line(judged)), "here") == judged
