"""Makes a picture of 4032 x 3024 that compresses like a photo, and a small one of 640 x 480.

Clouds, hills, water and a sun, each with noise of several octaves, then the grain of a sensor.
Arguments: path of the large JPEG, path of the small one.
"""

import random
import sys

from PIL import Image, ImageChops, ImageDraw, ImageFilter

SIZE = (4032, 3024)
NOISE = random.Random(12)


def noise(width, height):
    return Image.frombytes("L", (width, height), NOISE.randbytes(width * height))


def fractal(columns, octaves):
    """Noise whose finer octaves are weaker, 0 to 255."""
    result = Image.new("L", SIZE, 128)
    for octave in range(octaves):
        width = columns << octave
        layer = noise(width, width * 3 // 4).resize(SIZE, Image.Resampling.BICUBIC)
        result = Image.blend(result, layer, 0.62 if octave == 0 else 0.5 ** (octave + 0.3))
    return result


def tint(grey, dark, light):
    """A grey picture as one between two colours."""
    scales = [[low + (high - low) * i // 255 for i in range(256)] for low, high in zip(dark, light)]
    return Image.merge("RGB", [grey.point(scale) for scale in scales])


def hill(picture, base, height, dark, light):
    """Ground with a ragged edge that begins at `base`."""
    edge = noise(24, 1).resize((SIZE[0], 1), Image.Resampling.BICUBIC)
    points = [(x, base - edge.getpixel((x, 0)) * height // 255) for x in range(SIZE[0])]
    mask = Image.new("L", SIZE, 0)
    ImageDraw.Draw(mask).polygon([*points, (SIZE[0], base), SIZE, (0, SIZE[1])], fill=255)
    picture.paste(tint(fractal(12, 8), dark, light), mask=mask)


picture = tint(fractal(4, 6), (70, 120, 190), (245, 240, 235))
ImageDraw.Draw(picture).ellipse((2900, 350, 3300, 750), fill=(255, 236, 180))
picture = picture.filter(ImageFilter.GaussianBlur(3))
hill(picture, 1750, 700, (40, 60, 80), (110, 130, 140))
hill(picture, 2200, 600, (25, 50, 25), (130, 140, 70))
hill(picture, 2900, 500, (30, 25, 20), (190, 160, 110))
grain = Image.merge("RGB", [noise(*SIZE).filter(ImageFilter.BoxBlur(1)) for _ in range(3)])
grain = grain.point([(i - 128) * 2 // 7 + 128 for i in range(256)] * 3)
picture = ImageChops.add(picture, grain, 1, -128)
picture.save(sys.argv[1], quality=85, subsampling="4:2:0")
picture.resize((640, 480), Image.Resampling.LANCZOS).save(sys.argv[2], quality=85)
