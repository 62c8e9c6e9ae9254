import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import solve_toeplitz  # type: ignore[import-untyped]
from scipy.signal import lfilter  # type: ignore[import-untyped]

from aramis.images.redact.voice import COEFFICIENTS, RATE, Samples, disguise, drawn


def vowel(pitch: float, formants: list[float], seconds: float = 1) -> Samples:
    """Pulses of a voice through the resonances of a mouth."""
    time = np.arange(round(RATE * seconds)) / RATE
    sound = np.diff(np.floor(time * pitch), prepend=0.0)
    for formant in formants:
        radius = np.exp(-np.pi * 90 / RATE)
        sound = lfilter([1], [1, -2 * radius * np.cos(2 * np.pi * formant / RATE), radius**2], sound)
    return np.asarray(0.5 * sound / np.abs(sound).max(), np.float32)


def changed(sound: Samples, coefficient: float, chunk: int = 1024) -> Samples:
    voice = disguise(coefficient)
    return np.concatenate([*(voice(sound[i : i + chunk]) for i in range(0, len(sound), chunk)), voice(None)])


def formants(sound: Samples) -> NDArray[np.float64]:
    part = lfilter([1, -0.97], [1], sound[4000:12000]) * np.hanning(8000)
    echoes = np.correlate(part, part, "full")[7999:8012]
    poles = np.roots(np.concatenate([[1.0], -solve_toeplitz(echoes[:-1], echoes[1:])]))
    hertz = np.angle(poles) * RATE / 2 / np.pi
    return np.sort(hertz[(hertz > 200) & (np.abs(poles) > 0.9)])


def pitch(sound: Samples) -> float:
    part = sound[4000:12000]
    echoes = np.correlate(part, part, "full")[7999:]
    return RATE / float(np.argmax(echoes[40:320]) + 40)


A = [730.0, 1090.0, 2440.0, 3400.0]


@pytest.mark.parametrize("coefficient", [0.70, 0.82, 1.16, 1.26])
def test_the_formants_move_and_the_pitch_stays(coefficient: float) -> None:
    before = vowel(120, A)
    after = changed(before, coefficient)
    moved = formants(after)[:2] / formants(before)[:2] - 1
    assert (np.sign(moved) == (1 if coefficient < 1 else -1)).all()
    assert (np.abs(moved) > 0.09).all()
    assert pitch(after) == pytest.approx(pitch(before), rel=0.01)


def test_a_coefficient_of_one_changes_nothing() -> None:
    before = vowel(150, A)
    assert np.abs(changed(before, 1.0)[400:-400] - before[400:-400]).max() < 0.01


@pytest.mark.parametrize("length", [0, 1, 199, 200, 201, 400, 1000, 16_000])
@pytest.mark.parametrize("chunk", [1, 160, 1024, 20_000])
def test_as_much_comes_out_as_goes_in_however_it_is_cut(length: int, chunk: int) -> None:
    if chunk == 1 and length > 1000:
        return
    sound = vowel(120, A)[:length]
    assert len(changed(sound, 0.8, chunk)) == length
    assert np.allclose(changed(sound, 0.8, chunk), changed(sound, 0.8, 333), atol=1e-6)


def test_silence_stays_silence_and_loudness_stays() -> None:
    assert not changed(np.zeros(5000, np.float32), 0.8).any()
    before = vowel(120, A)
    loudness = [float(np.sqrt((sound**2).mean())) for sound in (before, changed(before, 0.75))]
    assert loudness[1] == pytest.approx(loudness[0], rel=0.15)


def test_a_coefficient_is_drawn_anew_for_every_voice_and_is_never_near_one() -> None:
    some = [drawn() for _ in range(200)]
    assert len(set(some)) > 100
    assert all(any(low <= one <= high for low, high in COEFFICIENTS) for one in some)
