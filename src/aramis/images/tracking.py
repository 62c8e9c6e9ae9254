"""Targets followed through a video, forwards and backwards in time.

A target that is found in some frames of its way is given for all of them: between sightings, through short
occlusions, and for a margin of time before the first and after the last. What is known of a frame is final once
the frames of the next `reach` seconds have been seen, so only that much is ever held, however long the video.

Sightings are joined as ByteTrack does: sure ones first, then doubtful ones, which never begin a track. Zhang et al.,
"ByteTrack: Multi-Object Tracking by Associating Every Detection Box", ECCV 2022. Distance takes the place of overlap:
small faces a few frames apart do not overlap. All is measured against the sweep of the camera.

From each sighting the pixels themselves are followed from frame to frame, as far as they are recognised; only where
they are not is the way taken to be straight.
"""

import dataclasses
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from msgspec.structs import replace

from aramis.images.geometry import centre, clip, grow
from aramis.images.local_motion import Grey, likeness, moved
from aramis.images.records import Box, Carrier, Corners, Point, Target

FOUND_BY = "tracking"  # in the records: inferred from the frames before and after


@dataclass(frozen=True, slots=True)
class Seen:
    """One frame: what was found in it, where the camera has swept to by then (pixels), and which scene it is of."""

    index: int
    found: Sequence[Target] | None  # None: nobody looked
    camera: Point = (0.0, 0.0)
    scene: int = 0
    grey: Grey | None = field(default=None, compare=False)  # a small copy, to follow pixels in


@dataclass(frozen=True, slots=True)
class Habits:
    """What following goes by. Times are in seconds."""

    sure: float = 0.0  # a score below this continues a track and never begins one
    gap: float = 1.2  # unseen for longer, it is another track
    margin: float = 0.6  # hidden for so long before the first sighting and after the last
    steady: float = 0.25  # the size is the largest within this time, before and after
    near: float = 1.0  # of its own size: as far as a sighting may be from where it was expected
    wander: float = 3.0  # of its own size, a second: how much farther it may be after being unseen
    border: float = 0.3  # of its own size: so near to the border of the picture it may be cut off
    widen: float = 0.4  # of its own size, a second, on each side: doubt where nothing is known of it
    drift: float = 0.1  # the same where its pixels are followed
    alike: float = 0.4  # correlation with its last sighting, down to which pixels are recognised


USUAL = Habits()
SAMPLED = Habits(gap=2.5, margin=0.04)  # for carriers, which are looked for about once a second


@dataclass(frozen=True, slots=True)
class _Sighting:
    """Where a target is in one frame: detected, or followed there from a frame beside it."""

    index: int
    target: Target
    camera: Point
    cut_off: tuple[
        bool, bool
    ]  # across, down: by the border of the picture; its middle says little of its way then

    @property
    def middle(self) -> Point:
        """Where it is, the sweep of the camera undone."""
        x, y = centre(self.target.box)
        return x - self.camera[0], y - self.camera[1]

    @property
    def size(self) -> Point:
        x1, y1, x2, y2 = self.target.box
        return x2 - x1, y2 - y1


@dataclass(slots=True)
class _Trail:
    """Where a thing was in the frames next to its first or its last sighting, as far as its pixels were followed."""

    places: list[_Sighting] = field(default_factory=list)  # the nearest first
    is_lost: bool = False


@dataclass(slots=True)
class _Track:
    number: int
    kind: str
    scene: int
    sightings: deque[_Sighting] = field(default_factory=deque)
    between: deque[_Sighting] = field(default_factory=deque)  # followed from one sighting to the next
    before: _Trail = field(default_factory=_Trail)
    after: _Trail = field(default_factory=_Trail)

    def trail(self, end: int) -> _Trail:
        """Of its first (0) or last (-1) sighting."""
        return self.after if end else self.before

    def add_first(self, sighting: _Sighting) -> None:
        self.sightings.appendleft(sighting)
        self.before = _Trail()

    def expected(self, index: int, end: int, span: int, *, by_trail: bool = True) -> Point:
        """Where it should be, seen from its first or last sighting, or from the end of the trail there."""
        inward = self.sightings if end == 0 else reversed(self.sightings)
        way = [*reversed(self.trail(end).places if by_trail else ()), *inward]
        at = min(way, key=lambda s: abs(s.index - index))
        (x, y), (vx, vy) = at.middle, _velocity(way, span)
        return x + vx * (index - at.index), y + vy * (index - at.index)


def _drawn(places: Sequence[_Sighting], before: _Sighting, after: _Sighting) -> list[_Sighting]:
    """Places followed from one sighting to the next, drawn to the next; none where they lead elsewhere."""
    (x, y), (true_x, true_y) = places[-1].middle, after.middle
    off = true_x - x, true_y - y
    if max(map(abs, off)) > _extent(after) / 2:
        return []
    shares = [(place.index - before.index) / (after.index - before.index) for place in places[:-1]]
    return [
        _shifted(place, (off[0] * share, off[1] * share))
        for place, share in zip(places, shares, strict=False)
    ]


def _shifted(place: _Sighting, by: Point) -> _Sighting:
    x1, y1, x2, y2 = place.target.box
    box = x1 + by[0], y1 + by[1], x2 + by[0], y2 + by[1]
    return dataclasses.replace(place, target=_reshaped(place.target, box))


def _velocity(way: Sequence[_Sighting], span: int) -> Point:
    """Pixels a frame, over the `span` frames next to the first of these."""
    if len(way) == 1:
        return 0.0, 0.0
    at, beside = way[:2]
    far = max(
        [beside, *(s for s in way if abs(s.index - at.index) <= span)], key=lambda s: abs(s.index - at.index)
    )
    time = at.index - far.index
    x, y = ((here - there) / time for here, there in zip(at.middle, far.middle, strict=True))
    across, down = (one or other for one, other in zip(at.cut_off, far.cut_off, strict=True))
    return 0.0 if across else x, 0.0 if down else y


def follow(
    frames: Iterable[Seen], rate: float, size: tuple[int, int], habits: Habits = USUAL
) -> Iterator[tuple[Seen, tuple[Target, ...]]]:
    """For each frame in turn, every target that is in it, seen or inferred; `track` numbers them.

    >>> face = Target(kind="face", box=(10, 10, 20, 20), score=0.9)
    >>> frames = [Seen(0, [face]), Seen(1, None), Seen(2, []), Seen(3, [face])]
    >>> [[(t.track, t.box) for t in targets] for _, targets in follow(frames, rate=25, size=(64, 48))][1]
    [(0, (10.0, 10.0, 20.0, 20.0))]
    """
    follower = _Follower(rate, size, habits)
    for seen in frames:
        follower.see(seen)
        yield from follower.settled()
    yield from follower.rest()


class Numbers:
    """The number of the track that each person and vehicle of a video belongs to, from sample to sample."""

    def __init__(self, rate: float, size: tuple[int, int]) -> None:
        self._follower = _Follower(rate, size, SAMPLED)

    def of(self, carriers: Sequence[Carrier], seen: Seen) -> list[Carrier]:
        """The carriers of a sampled frame with the numbers of their tracks."""
        places = [Target(kind=c.kind, box=c.box, score=c.score) for c in carriers]
        self._follower.see(Seen(seen.index, places, seen.camera, seen.scene))
        tracks = {id(t.sightings[-1].target): t.number for t in self._follower.tracks}
        for _ in self._follower.settled():
            pass
        return [replace(c, track=tracks[id(place)]) for c, place in zip(carriers, places, strict=True)]


class _Follower:
    def __init__(self, rate: float, size: tuple[int, int], habits: Habits) -> None:
        self.habits, self.size = habits, size
        self.gap, self.margin, self.steady = (
            max(1, round(t * rate)) for t in (habits.gap, habits.margin, habits.steady)
        )
        self.rate = rate
        # a track that begins now may reach back by a gap, and is given a margin before that
        self.reach = self.gap + self.margin + self.steady
        self.frames: deque[Seen] = deque()  # not yet given, and the newest
        self.tracks: list[_Track] = []
        self.doubtful: deque[tuple[Seen, list[Target]]] = deque()  # what continued no track
        self.count = 0

    def see(self, seen: Seen) -> None:
        self.frames.append(seen)
        if seen.found is None:
            return
        sure = [t for t in seen.found if t.score is None or t.score >= self.habits.sure]
        unsure = [t for t in seen.found if t.score is not None and t.score < self.habits.sure]
        alive = [
            t for t in self.tracks if t.scene == seen.scene and seen.index - t.sightings[-1].index <= self.gap
        ]
        for track in alive:
            last = track.sightings[-1]
            self._pursue(track.after, last, 1, seen.index - last.index, seen.scene)
        alive, sure = self._join(alive, sure, seen)
        _, unsure = self._join(alive, unsure, seen)
        self.doubtful.append((seen, unsure))
        for target in sure:
            track = _Track(self.count, target.kind, seen.scene, deque([self._sighting(seen, target)]))
            self.count += 1
            self.tracks.append(track)
            self._reach_back(track)

    def settled(self) -> Iterator[tuple[Seen, tuple[Target, ...]]]:
        """The frames of which nothing new will be known."""
        while self.frames and self.frames[-1].index - self.frames[0].index > self.reach:
            yield self._give()

    def rest(self) -> Iterator[tuple[Seen, tuple[Target, ...]]]:
        while self.frames:
            yield self._give()

    def _join(
        self, tracks: list[_Track], found: list[Target], seen: Seen
    ) -> tuple[list[_Track], list[Target]]:
        """Give each track the sighting nearest to where it was expected; return what found no partner."""
        pairs = self._pairs(tracks, found, seen)
        for row, column in pairs:
            self._go_on(tracks[row], self._sighting(seen, found[column]))
            if len(tracks[row].sightings) == 2:  # its velocity is known for the first time
                self._reach_back(tracks[row])
        rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
        return (
            [track for i, track in enumerate(tracks) if i not in rows],
            [target for i, target in enumerate(found) if i not in columns],
        )

    def _pairs(self, tracks: list[_Track], found: list[Target], seen: Seen) -> list[tuple[int, int]]:
        from scipy.optimize import linear_sum_assignment  # type: ignore[import-untyped]

        if not tracks or not found:
            return []
        cost = np.array([[self._distance(track, target, seen, -1) for target in found] for track in tracks])
        far = cost > 1
        rows, columns = linear_sum_assignment(np.where(far, 1e6, cost))
        return [(int(r), int(c)) for r, c in zip(rows, columns, strict=True) if not far[r, c]]

    def _distance(self, track: _Track, target: Target, seen: Seen, end: int) -> float:
        """How far a sighting is from where it was expected, as a share of how far it may be: up to 1 it may be it."""
        if target.kind != track.kind:
            return np.inf
        at = track.sightings[end]
        here = self._sighting(seen, target)
        larger, smaller = _ordered(_extent(at), _extent(here))
        if larger > 2.2 * smaller:
            return np.inf
        ways = (track.expected(seen.index, end, self.steady * 2, by_trail=one) for one in (True, False))
        off = min(float(np.hypot(here.middle[0] - x, here.middle[1] - y)) for x, y in ways) / larger
        unseen = abs(seen.index - at.index) / self.rate
        return off / (self.habits.near + self.habits.wander * min(unseen, 0.5)) + 0.1 * (larger / smaller - 1)

    def _sighting(self, seen: Seen, target: Target) -> _Sighting:
        x1, y1, x2, y2 = grow(target.box, self.habits.border, self.habits.border)
        width, height = self.size
        return _Sighting(seen.index, target, seen.camera, (x1 < 0 or x2 > width, y1 < 0 or y2 > height))

    def _reach_back(self, track: _Track) -> None:
        """Join doubtful sightings of earlier frames that continue a track backwards."""
        for seen, unsure in reversed(self.doubtful):
            first = track.sightings[0]
            if seen.index >= first.index or not unsure:
                continue
            if seen.scene != track.scene or first.index - seen.index > self.gap:
                break
            best = min(unsure, key=lambda target: self._distance(track, target, seen, 0))
            if self._distance(track, best, seen, 0) <= 1:
                unsure.remove(best)
                track.add_first(self._sighting(seen, best))

    def _go_on(self, track: _Track, sighting: _Sighting) -> None:
        """Add the next sighting, and where its pixels were between it and the last."""
        last, places = track.sightings[-1], track.after.places
        if places and places[-1].index == sighting.index:
            track.between += _drawn(places, last, sighting)
        else:
            back = _Trail()
            self._pursue(back, sighting, -1, sighting.index - last.index - len(places) - 1, track.scene)
            track.between += [*places, *reversed(back.places)]
        track.sightings.append(sighting)
        track.after = _Trail()

    def _pursue(self, trail: _Trail, first: _Sighting, step: int, count: int, scene: int) -> None:
        """Follow the pixels of a sighting through so many frames, as far as they are recognised."""
        while not trail.is_lost and len(trail.places) < min(count, self.gap):
            at = trail.places[-1] if trail.places else first
            there = self._frame(at.index + step, scene)
            box = self._followed(first, at, there) if there else None
            if there and box:
                trail.places.append(self._sighting(there, _reshaped(at.target, box)))
            trail.is_lost = box is None

    def _followed(self, first: _Sighting, at: _Sighting, there: Seen) -> Box | None:
        """The box in a frame beside that of `at`, where what was sighted first is still recognised in it."""
        begun, here = (self._frame(one.index, there.scene) for one in (first, at))
        if begun is None or here is None or begun.grey is None or here.grey is None or there.grey is None:
            return None
        scale = there.grey.shape[1] / self.size[0], there.grey.shape[0] / self.size[1]
        box = moved(_scaled(at.target.box, scale), here.grey, there.grey)
        if (
            box is None
            or likeness(_scaled(first.target.box, scale), begun.grey, box, there.grey) < self.habits.alike
        ):
            return None
        return _scaled(box, (1 / scale[0], 1 / scale[1]))

    def _frame(self, index: int, scene: int) -> Seen | None:
        """A frame that is still held, and of this scene."""
        place = index - self.frames[0].index
        seen = self.frames[place] if 0 <= place < len(self.frames) else None
        return seen if seen and seen.scene == scene else None

    def _give(self) -> tuple[Seen, tuple[Target, ...]]:
        seen = self.frames[0]
        given = [target for track in self.tracks if (target := self._at(track, seen)) is not None]
        self.frames.popleft()
        self._forget(seen.index)
        return seen, tuple(given)

    def _forget(self, index: int) -> None:
        """Drop what no later frame can ask for."""
        while self.doubtful and self.doubtful[0][0].index < index - self.reach:
            self.doubtful.popleft()
        self.tracks = [t for t in self.tracks if t.sightings[-1].index >= index - self.reach]
        for track in self.tracks:
            while (
                len(track.between) > 1 and track.between[1].index <= index
            ):  # the way goes on from the last one given
                track.between.popleft()
            while len(track.sightings) > 2 and track.sightings[1].index < index - self.reach:
                track.sightings.popleft()
                track.before = _Trail(is_lost=True)  # its frames are given

    def _at(self, track: _Track, seen: Seen) -> Target | None:
        """The target of a track in a frame; None where it is not."""
        first, last = track.sightings[0], track.sightings[-1]
        if track.scene != seen.scene or not first.index - self.gap <= seen.index <= last.index + self.gap:
            return None
        if seen.index < first.index:
            return self._beyond(track, seen, 0)
        if seen.index > last.index:
            return self._beyond(track, seen, -1)
        return self._between(track, seen)

    def _between(self, track: _Track, seen: Seen) -> Target | None:
        """Where it was seen or its pixels were followed to; straight from one such place to the next."""
        known = [*track.sightings, *track.between]
        before = max((s for s in known if s.index <= seen.index), key=lambda s: s.index)
        after = min((s for s in known if s.index >= seen.index), key=lambda s: s.index)
        if before is after:
            return self._sized(track, seen, before.target, centre(before.target.box), 0)
        share = (seen.index - before.index) / (after.index - before.index)
        middle = _mixed(before.middle, after.middle, share)
        near = before if share < 0.5 else after
        target = _moved(near, _mixed(before.size, after.size, share), _swept(middle, seen.camera))
        if before.target.corners and after.target.corners:
            target = replace(target, corners=_mixed_corners(before, after, share, seen.camera))
        unknown = min(seen.index - before.index, after.index - seen.index)
        return self._sized(track, seen, target, _swept(middle, seen.camera), unknown)

    def _beyond(self, track: _Track, seen: Seen, end: int) -> Target | None:
        """Where its pixels were followed to; straight on from there, for the time of a margin."""
        first, trail = track.sightings[end], track.trail(end)
        away = abs(seen.index - first.index)
        self._pursue(trail, first, 1 if end else -1, away, seen.scene)
        followed = len(trail.places)
        if away > max(self.margin, followed + self.steady):  # it was lost, but it is not gone at once
            return None
        at = trail.places[min(away, followed) - 1] if followed else first
        place = _swept(track.expected(seen.index, end, self.steady * 2), seen.camera)
        return self._sized(track, seen, _moved(at, at.size, place), place, max(0, away - followed))

    def _sized(self, track: _Track, seen: Seen, target: Target, place: Point, unknown: int) -> Target | None:
        """The target with its steady size, wider by the doubt of the time it was not seen; None outside the picture."""
        near = [s.size for s in track.sightings if abs(s.index - seen.index) <= self.steady]
        unseen = min(abs(s.index - seen.index) for s in track.sightings)
        x1, y1, x2, y2 = target.box
        width = max([x2 - x1, *(w for w, _ in near)])
        height = max([y2 - y1, *(h for _, h in near)])
        doubt = (self.habits.widen * unknown + self.habits.drift * (unseen - unknown)) / self.rate
        box = grow(_around(place, (width, height)), doubt, doubt)
        kept = clip(box, *self.size)
        if kept[2] - kept[0] < 1 or kept[3] - kept[1] < 1:
            return None
        return _as_given(_reshaped(target, box), kept, track, is_seen=unseen == 0)


def _ordered(a: float, b: float) -> tuple[float, float]:
    return (a, b) if a >= b else (b, a)


def _extent(sighting: _Sighting) -> float:
    """One length for a target's size: the longer side, for a plate is narrow and moves along it."""
    return max(*sighting.size, 1.0)


def _mixed(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def _swept(point: Point, camera: Point) -> Point:
    return point[0] + camera[0], point[1] + camera[1]


def _scaled(box: Box, scale: Point) -> Box:
    return box[0] * scale[0], box[1] * scale[1], box[2] * scale[0], box[3] * scale[1]


def _around(middle: Point, size: Point) -> Box:
    return middle[0] - size[0] / 2, middle[1] - size[1] / 2, middle[0] + size[0] / 2, middle[1] + size[1] / 2


def _mixed_corners(before: _Sighting, after: _Sighting, share: float, camera: Point) -> Corners:
    """The corners between two sightings, in a frame whose camera has swept so far."""
    old, new = (np.array(s.target.corners) - s.camera for s in (before, after))
    a, b, c, d = ((float(x), float(y)) for x, y in old + (new - old) * share + camera)
    return a, b, c, d


def _moved(at: _Sighting, size: Point, place: Point) -> Target:
    """A sighting's target in another place."""
    return _reshaped(at.target, _around(place, size))


def _reshaped(target: Target, box: Box) -> Target:
    """A target in another box, its corners and its outline carried along."""
    corners = _carried(target.corners, target.box, box) if target.corners else None
    polygon = _carried(target.polygon, target.box, box) if target.polygon else None
    return replace(target, box=box, corners=cast("Corners | None", corners), polygon=polygon)


def _carried(points: Sequence[Point], old: Box, new: Box) -> tuple[Point, ...]:
    """Points that lie in one box, as they lie in another."""
    old_size, new_size = np.subtract(old[2:], old[:2]), np.subtract(new[2:], new[:2])
    moved = (np.array(points) - old[:2]) / np.maximum(old_size, 1e-6) * new_size + new[:2]
    return tuple((float(x), float(y)) for x, y in moved)


def _as_given(target: Target, box: Box, track: _Track, *, is_seen: bool) -> Target:
    """What is not seen has no score, and following found it."""
    given = replace(target, box=box, track=track.number, extra=_said(target, track))
    return given if is_seen else replace(given, score=None, found_by=FOUND_BY)


def _said(target: Target, track: _Track) -> dict[str, object]:
    """What else is said of a target; a track is spared as a whole, where most of its sightings are."""
    said = {key: value for key, value in target.extra.items() if key != "spared"}
    why = [s.target.extra["spared"] for s in track.sightings if "spared" in s.target.extra]
    return said | ({"spared": why[-1]} if 2 * len(why) > len(track.sightings) else {})
