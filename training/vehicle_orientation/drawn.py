"""Vehicles drawn from 3-D models that packages carry: points of their surfaces, seen from all around, before photographs.

What is seen of a model is known exactly: its front where the line of sight is within 60 degrees of where it faces, its back
from 120 on. Nothing is drawn in the six degrees on each side of those two.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import trimesh
from crops import Pixels, Vehicle
from numpy.random import Generator
from numpy.typing import NDArray

MODELS = {
    "pgdrive-0.1.4/pgdrive/assets/models/new/130/scene.gltf": 0,
    "pgdrive-0.1.4/pgdrive/assets/models/new/beetle/scene.gltf": 180,
    "pgdrive-0.1.4/pgdrive/assets/models/new/truck/scene.gltf": 90,
    "pgdrive-0.1.4/pgdrive/assets/models/ferra/scene.gltf": 0,
    "threebox-plugin-2.2.7/package/examples/models/vehicles/car.glb": 90,
    "threebox-plugin-2.2.7/package/examples/models/vehicles/truck.glb": 90,
}
"""Where each lies below DATA/packages, and from which angle it is seen in front."""
POINTS, VIEWS = 130_000, 44
OBLIQUE, DOUBTFUL = 60, 6  # degrees
CONTEXT = 0.3


class Surface(NamedTuple):
    """Points of a model, their normals and their colours; `body` are those that a painter would paint."""

    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    colours: NDArray[np.float64]
    body: NDArray[np.bool_]


def drawn(data: Path, rng: Generator) -> Iterator[Vehicle]:
    """Every model from all around, before parts of the photographs of faces_personfaces548."""
    photographs = [
        cv2.imread(str(path))[:, :, ::-1]
        for path in sorted((data / "faces_personfaces548/valid").glob("*.jpg"))[:40]
    ]
    for name, ahead in MODELS.items():
        surface = _surface(data / "packages" / name, rng)
        for _ in range(VIEWS):
            angle = rng.uniform(0, 360) if rng.random() < 0.65 else rng.choice([0, 180]) + rng.normal(0, 15)
            turned = abs((angle + 180) % 360 - 180)
            if min(abs(turned - OBLIQUE), abs(turned - 180 + OBLIQUE)) < DOUBTFUL:
                continue
            painted = _painted(surface, rng) if rng.random() < 0.8 else surface
            seen, there = _seen(painted, np.radians(angle + ahead), rng)
            pixels, box = _before(seen, there, photographs[rng.integers(len(photographs))], rng)
            answer = 0 if turned < OBLIQUE else 2 if turned > 180 - OBLIQUE else 1
            yield Vehicle("drawn", name, pixels, box, answer)


def _surface(path: Path, rng: Generator) -> Surface:
    """Points in proportion to area, the model's longest side being 1 and its middle the origin."""
    meshes = [mesh for mesh in trimesh.load(path, force="scene").dump() if len(mesh.faces)]
    total = sum(mesh.area for mesh in meshes)
    parts = [_of_mesh(mesh, max(200, int(2 * POINTS * mesh.area / total)), rng) for mesh in meshes]
    points, normals, colours = (np.concatenate(each) for each in zip(*parts, strict=True))
    owner = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])
    kept = rng.permutation(len(points))[:POINTS]
    points, normals, colours, owner = points[kept], normals[kept], colours[kept], owner[kept]
    low, high = np.percentile(points, [0.2, 99.8], axis=0)
    paint = np.median(colours[owner == np.bincount(owner).argmax()], axis=0)
    if len(parts) == 1:  # one mesh for all: what is most colourful is the paint
        paint = np.median(colours[np.ptp(colours, axis=1) > 0.5], axis=0)
    body = np.abs(colours - paint).max(axis=1) < 0.12
    return Surface((points - (low + high) / 2) / (high - low).max(), normals, colours, body)


def _of_mesh(mesh: trimesh.Trimesh, count: int, rng: Generator) -> tuple[NDArray[np.float64], ...]:
    faces = rng.choice(len(mesh.faces), count, p=mesh.area_faces / mesh.area_faces.sum())
    share = rng.dirichlet((1, 1, 1), count)[..., None]
    colours = np.full((count, 3), 0.6)
    material = getattr(mesh.visual, "material", None)
    base = getattr(material, "baseColorFactor", None)
    if base is not None:
        colours[:] = np.asarray(base[:3], float) / (255 if np.asarray(base).dtype == np.uint8 else 1)
    texture, places = getattr(material, "baseColorTexture", None), getattr(mesh.visual, "uv", None)
    if texture is not None and places is not None:
        image = np.asarray(texture.convert("RGB"), float) / 255
        at = (places[mesh.faces[faces]] * share).sum(axis=1) % 1
        rows, columns = (1 - at[:, 1]) * (image.shape[0] - 1), at[:, 0] * (image.shape[1] - 1)
        colours = image[rows.astype(int), columns.astype(int)] * (colours if base is not None else 1)
    return (mesh.triangles[faces] * share).sum(axis=1), mesh.face_normals[faces], colours


def _painted(surface: Surface, rng: Generator) -> Surface:
    """In another colour, two times of three a grey one."""
    paint = np.full(3, rng.uniform(0.03, 0.95)) if rng.random() < 2 / 3 else rng.uniform(0, 1, 3)
    colours = surface.colours.copy()
    colours[surface.body] += paint - np.median(colours[surface.body], axis=0)
    return surface._replace(colours=colours.clip(0, 1))


def _seen(
    surface: Surface, azimuth: float, rng: Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The nearest points, lit from somewhere, and where there are any."""
    height, distance = np.radians(rng.uniform(1, 18)), rng.uniform(1.6, 6)
    eye = np.array([np.sin(azimuth) * np.cos(height), np.sin(height), np.cos(azimuth) * np.cos(height)])
    right = np.array([np.cos(azimuth), 0, -np.sin(azimuth)])
    depth = distance - surface.points @ eye
    across, down = surface.points @ right / depth, -(surface.points @ np.cross(eye, right)) / depth
    scale = (np.exp(rng.uniform(np.log(60), np.log(150))) - 1) / max(np.ptp(across), np.ptp(down))
    columns, rows = ((each - each.min()) * scale for each in (across, down))
    size = int(rows.max()) + 1, int(columns.max()) + 1
    places = rows.astype(int) * size[1] + columns.astype(int)
    nearest = np.full(size[0] * size[1], np.inf)
    np.minimum.at(nearest, places, depth)
    near = depth < nearest[places] + 0.02
    lit = _lit(surface, eye, rng)[near]
    count = np.bincount(places[near], minlength=len(nearest)).astype(np.float32)
    sums = [np.bincount(places[near], lit[:, each], len(nearest)) for each in range(3)]
    colours = (np.stack(sums, 1) / np.maximum(count, 1)[:, None]).reshape(*size, 3).astype(np.float32)
    there = (count > 0).reshape(size).astype(np.float32)
    filled = cv2.morphologyEx(there, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    around = cv2.blur(colours, (3, 3)) / np.maximum(cv2.blur(there, (3, 3)), 1e-3)[..., None]
    return np.where((filled > there)[..., None], around, colours), filled


def _lit(surface: Surface, eye: NDArray[np.float64], rng: Generator) -> NDArray[np.float64]:
    """Lambert's and Blinn's light on both sides of every surface."""
    light = np.array([rng.uniform(-1, 1), rng.uniform(0.3, 1), rng.uniform(-1, 1)])
    light /= np.linalg.norm(light)
    half = (light + eye) / np.linalg.norm(light + eye)
    ambient = rng.uniform(0.35, 0.75)
    shade = ambient + (1 - ambient) * np.abs(surface.normals @ light)
    gloss = 0.5 * np.abs(surface.normals @ half).clip(0, 1) ** 40
    lit: NDArray[np.float64] = (surface.colours * shade[:, None] + gloss[:, None]).clip(0, 1)
    return lit


def _before(
    seen: NDArray[np.float32], there: NDArray[np.float32], photograph: Pixels, rng: Generator
) -> tuple[Pixels, NDArray[np.float64]]:
    """On a road with its shadow, before a part of a photograph; and the vehicle's box."""
    height, width = there.shape
    top, left = int(CONTEXT * height) + 1, int(CONTEXT * width) + 1
    margins = (top, top, left, left, cv2.BORDER_CONSTANT)
    mask, vehicle = cv2.copyMakeBorder(there, *margins), cv2.copyMakeBorder(seen, *margins)
    side = rng.integers(150, min(500, *photograph.shape[:2]))
    y, x = (rng.integers(0, limit - side + 1) for limit in photograph.shape[:2])
    ground = cv2.resize(
        photograph[y : y + side, x : x + side], mask.shape[::-1], interpolation=cv2.INTER_AREA
    )
    rows = np.arange(mask.shape[0])[:, None]
    scene = ground.astype(np.float32) / 255
    road = (rows > 0.62 * mask.shape[0])[..., None]
    scene = np.where(road, scene * 0.35 + rng.uniform(0.2, 0.5), scene)
    low = np.roll(mask, max(1, height // 25), 0) * (rows > top + 0.8 * height)
    scene *= 1 - 0.6 * cv2.GaussianBlur(low.astype(np.float32), (0, 0), max(1, width / 40))[..., None]
    edge = cv2.GaussianBlur(mask, (0, 0), 0.6)[..., None]
    scene = cv2.GaussianBlur(scene * (1 - edge) + vehicle * edge, (0, 0), 0.7)
    box = np.array([left, top, left + width, top + height], float)
    return (scene * 255).clip(0, 255).astype(np.uint8), box
