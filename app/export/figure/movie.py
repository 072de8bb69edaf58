"""Frames as a GIF, an MP4 or a folder of PNGs: whole or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from PIL import Image

from ...files import writing_name
from ..errors import CannotExport
from .extra import needed

#: How many frames the palette of a GIF is made from.
SAMPLES = 8
COLOURS, COMMONEST = 256, 96
#: From this difference in one of red, green and blue on two colours are told apart.
UNLIKE = 8
Colour = tuple[int, int, int]


def gif(frames: Sequence[bytes], fps: float) -> bytes:
    """An endless GIF; one palette for all frames, so that no colour flickers."""
    palette = shared_palette(frames)
    images = [image(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    buffer = BytesIO()
    images[0].save(buffer, "GIF", save_all=True, append_images=images[1:], duration=round(1000 / fps), loop=0,
                   optimize=False, disposal=1)  # fmt: skip
    return buffer.getvalue()


def shared_palette(frames: Sequence[bytes]) -> Image.Image:
    """The commonest colours as they are, so that grounds and lines keep theirs, and a choice of all others."""
    every = max(1, len(frames) // SAMPLES)
    chosen = [image(frame) for frame in [*frames[::every], frames[-1]]]
    together = Image.new("RGB", (chosen[0].width, sum(one.height for one in chosen)))
    for place, one in enumerate(chosen):
        together.paste(one, (0, place * one.height))
    counted = sorted(together.getcolors(together.width * together.height), reverse=True)[:COMMONEST]
    mixed = together.quantize(COLOURS - COMMONEST, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    parts = mixed.getpalette() or []
    others = [(parts[i], parts[i + 1], parts[i + 2]) for i in range(0, len(parts), 3)]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in apart([*(colour for _, colour in counted), *others]) for part in colour])
    return palette


def apart(colours: Sequence[Colour]) -> list[Colour]:
    """Those that are unlike every one before: Pillow maps a pixel to a palette by the upper bits of its colour."""
    kept: list[Colour] = []
    for colour in colours:
        if all(max(abs(a - b) for a, b in zip(colour, other, strict=True)) >= UNLIKE for other in kept):
            kept.append(colour)
    return kept


def image(frame: bytes) -> Image.Image:
    """A PNG as pixels, without its transparency."""
    return Image.open(BytesIO(frame)).convert("RGB")


def write_mp4(frames: Sequence[bytes], fps: float, path: Path) -> None:
    """H.264 in 4:2:0, as every player and slide program takes it."""
    ffmpeg, temporary = needed("imageio_ffmpeg", "mp4"), writing_name(path)
    images = _even(frames)
    first = next(images)
    looks = {"fps": fps, "codec": "libx264", "pix_fmt_in": "rgb24", "pix_fmt_out": "yuv420p", "macro_block_size": 2}
    writer = ffmpeg.write_frames(str(temporary), first.size, **looks, quality=8, ffmpeg_log_level="error",
                                 output_params=["-f", "mp4", "-movflags", "+faststart"])  # fmt: skip
    try:
        writer.send(None)
        writer.send(first.tobytes())
        for own in images:
            writer.send(own.tobytes())
        writer.close()
        temporary.replace(path)
    except BaseException:
        writer.close()
        temporary.unlink(missing_ok=True)
        raise


def _even(frames: Sequence[bytes]) -> Iterator[Image.Image]:
    """Frames of even width and height; what is added has the colour of the corner."""
    for frame in frames:
        own = image(frame)
        size = (own.width + own.width % 2, own.height + own.height % 2)
        wide = Image.new("RGB", size, own.getpixel((0, 0)))  # type: ignore[arg-type]
        wide.paste(own)
        yield wide


def check_folder(path: Path) -> None:
    """Raise `CannotExport` where the frames would mix with something else."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise CannotExport(f"{path} is there and not an empty folder: frames take one of their own")


def write_frames(frames: Sequence[bytes], path: Path) -> None:
    """A folder with frame-000.png, frame-001.png …; it is there when all of them are."""
    check_folder(path)
    temporary = writing_name(path)
    digits = max(3, len(str(len(frames) - 1)))
    try:
        temporary.mkdir(parents=True)
        for place, frame in enumerate(frames):
            (temporary / f"frame-{place:0{digits}}.png").write_bytes(frame)
        if path.exists():
            path.rmdir()
        temporary.replace(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
