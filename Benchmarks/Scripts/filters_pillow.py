"""Applies filters to pictures in memory, by the fastest way that Pillow has to the same picture.

Arguments: `prepare`, a photo and a folder: makes there the pictures of 1250 x 800 to be filtered.
Or: their folder, and how often; then a folder with results to compare. Prints the name of a row, the
median in milliseconds, and, if there is a result to compare, its PSNR, by tabs.
"""

import math
import os
import statistics
import sys
import time

from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageOps, ImageStat

COLOR = (0x33, 0x66, 0xCC)
SIZE = (1250, 800)


def prepare(photo, folder):
    with Image.open(photo) as image:
        opaque = image.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS)
    alpha = Image.linear_gradient("L").resize(SIZE, Image.Resampling.BILINEAR)
    opaque.save(f"{folder}/opaque.png", compress_level=1)
    opaque.putalpha(alpha)
    opaque.save(f"{folder}/alpha.png", compress_level=1)


def with_alpha(result, image):
    """The colours of one picture with the alpha of another, if that has any."""
    if image.mode == "RGBA":
        result.putalpha(image.getchannel("A"))
    return result


def rgb(image):
    return image if image.mode == "RGB" else image.convert("RGB")


def masked(image, mask):
    """The picture with its alpha multiplied by a mask."""
    if image.mode == "RGBA":
        mask = ImageChops.multiply(image.getchannel("A"), mask)
    result = image.copy()
    result.putalpha(mask)
    return result


def disc(side):
    """A circle whose edge is as smooth as drawing at twice the size makes it."""
    large = Image.new("L", (2 * side, 2 * side), 0)
    ImageDraw.Draw(large).ellipse((0, 0, 2 * side - 1, 2 * side - 1), fill=255)
    return large.reduce(2)


def rounded_mask(image):
    large = Image.new("L", (2 * image.width, 2 * image.height), 0)
    box = (0, 0, large.width - 1, large.height - 1)
    ImageDraw.Draw(large).rounded_rectangle(box, 160, fill=255)
    return masked(image, large.reduce(2))


def rounded_corners(image):
    """Only the corners are masked."""
    result = image.copy() if image.mode == "RGBA" else image.convert("RGBA")
    circle, (width, height) = disc(160), image.size
    for x, y in ((0, 0), (80, 0), (0, 80), (80, 80)):
        left, top = (width - 80 if x else 0), (height - 80 if y else 0)
        corner = result.crop((left, top, left + 80, top + 80))
        corner.putalpha(
            ImageChops.multiply(corner.getchannel("A"), circle.crop((x, y, x + 80, y + 80))))
        result.paste(corner, (left, top))
    return result


def circle(image):
    side = min(image.size)
    left, top = (image.width - side) // 2, (image.height - side) // 2
    return masked(image.crop((left, top, left + side, top + side)), disc(side))


def levels(function):
    return [max(0, min(255, int(function(level) + 0.5))) for level in range(256)]


def curve(image, tables):
    """A table for each channel."""
    return image.point(tables + (list(range(256)) if image.mode == "RGBA" else []))


def matrix(image, rows):
    return with_alpha(rgb(image).convert("RGB", rows), image)


def luminance_tables():
    """What the blend mode "color" makes of each luminance (Compositing and Blending Level 1)."""
    own = sum(weight * level for weight, level in zip((0.3, 0.59, 0.11), COLOR))
    tables = [], [], []
    for wanted in range(256):
        colors = [level + wanted - own for level in COLOR]
        low, high = min(colors), max(colors)
        if low < 0:
            colors = [wanted + (c - wanted) * wanted / (wanted - low) for c in colors]
        if high > 255:
            colors = [wanted + (c - wanted) * (255 - wanted) / (high - wanted) for c in colors]
        for table, color in zip(tables, colors):
            table.append(max(0, min(255, int(color + 0.5))))
    return tables


def tint(image):
    grey = rgb(image).convert("L")
    return with_alpha(
        Image.merge("RGB", [grey.point(table) for table in luminance_tables()]), image)


def half_tint(image):
    return with_alpha(Image.blend(rgb(image), rgb(tint(image)), 128 / 255), image)


def template(image):
    return with_alpha(Image.new("RGB", image.size, COLOR), image)


def blur(radius):
    def apply(image):
        if image.mode == "RGB":
            return image.filter(ImageFilter.GaussianBlur(radius))
        # Otherwise what is hidden shows at the edges.
        return image.convert("RGBa").filter(ImageFilter.GaussianBlur(radius)).convert("RGBA")
    return apply


def sharpen(image):
    return with_alpha(rgb(image).filter(ImageFilter.UnsharpMask(1, 70, 0)), image)


def pixellate(image):
    if image.mode == "RGB":
        return image.reduce(8).resize(
            (1256, 800), Image.Resampling.NEAREST).crop((0, 0, *image.size))
    blocks = image.convert("RGBa").reduce(8).convert("RGBA")
    return blocks.resize((1256, 800), Image.Resampling.NEAREST).crop((0, 0, *image.size))


def rotate(image):
    if image.mode == "RGB":
        return image.convert("RGBA").rotate(-30, Image.Resampling.BICUBIC, expand=True)
    turned = image.convert("RGBa").rotate(-30, Image.Resampling.BICUBIC, expand=True)
    return turned.convert("RGBA")


def background(image):
    if image.mode == "RGB":
        return image
    white = Image.new("RGB", image.size, (255, 255, 255))
    white.paste(image, mask=image.getchannel("A"))
    return white


def overlay(badge):
    def apply(image):
        if image.mode == "RGB":
            return badge
        return Image.alpha_composite(image, badge)
    return apply


def grey(weights):
    return (*weights, 0) * 3


def saturation(factor):
    weights = (0.2126, 0.7152, 0.0722)
    return tuple(
        value for row in range(3) for value in (
            *(weight * (1 - factor) + (factor if row == column else 0)
              for column, weight in enumerate(weights)), 0))


def rows(image):
    badge = image.transpose(Image.Transpose.ROTATE_180)
    mask = rgb(badge).convert("L")
    if image.mode == "RGBA":
        mask = ImageChops.multiply(mask, badge.getchannel("A"))
    multiply = [
        level for color in COLOR for level in levels(lambda i, color=color: i * color / 255)]
    sepia = (0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0)
    return {
        "rounded corners": rounded_mask,
        "rounded corners by parts": rounded_corners,
        "circle": circle,
        "sepia": lambda i: matrix(i, sepia),
        "greyscale": lambda i: matrix(i, grey((0.2126, 0.7152, 0.0722))),
        "saturation": lambda i: matrix(i, saturation(1.5)),
        "invert": lambda i: curve(i, levels(lambda level: 255 - level) * 3),
        "brightness": lambda i: curve(i, levels(lambda level: level * 1.2) * 3),
        "tint": tint,
        "tint, half": half_tint,
        "multiply": lambda i: curve(i, multiply),
        "template": template,
        "blur 3": blur(3),
        "blur 10": blur(10),
        "blur 50": blur(50),
        "sharpen": sharpen,
        "pixellate": pixellate,
        "flip": lambda i: i.transpose(Image.Transpose.FLIP_LEFT_RIGHT),
        "rotate 90": lambda i: i.transpose(Image.Transpose.ROTATE_270),
        "rotate 30": rotate,
        "border": lambda i: ImageOps.expand(i, 10, COLOR),
        "background": background,
        "overlay": overlay(badge),
        "mask": lambda i: masked(i, mask),
        "premultiply": lambda i: i.convert("RGBa") if i.mode == "RGBA" else i.convert("RGBA"),
    }


def psnr(path, result):
    """Of premultiplied colours and alpha, so that hidden colours do not count."""
    result = result.convert("RGBA")
    with open(path, "rb") as file:
        pixels = file.read()
    if len(pixels) != 4 * result.width * result.height:
        return "other size"
    ours = Image.frombytes("RGBA", result.size, pixels)
    difference = ImageChops.difference(
        *(Image.frombytes("RGBA", i.size, i.convert("RGBa").tobytes()) for i in (ours, result)))
    error = sum(ImageStat.Stat(difference).sum2) / (4 * result.width * result.height)
    return f"{10 * math.log10(255 * 255 / error):.1f}" if error else "equal"


def main():
    if sys.argv[1] == "prepare":
        prepare(*sys.argv[2:4])
        return
    folder, count = sys.argv[1], int(sys.argv[2])
    for kind in ("opaque", "alpha"):
        with Image.open(f"{folder}/{kind}.png") as image:
            image.load()
        for name, apply in rows(image).items():
            result = apply(image)
            samples = []
            for _ in range(count):
                start = time.perf_counter()
                apply(image)
                samples.append((time.perf_counter() - start) * 1e3)
            line = f"{name}, {kind}\t{statistics.median(samples)}"
            path = f"{sys.argv[3]}/{name.removesuffix(' by parts')}, {kind}.rgba" if sys.argv[3:] else ""
            if os.path.exists(path):
                line += f"\t{psnr(path, result)}"
            print(line)


main()
