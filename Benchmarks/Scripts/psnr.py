"""Prints the PSNR of each thumbnail against the photo, decoded whole and shrunk with Lanczos."""

import math
import sys

from PIL import Image, ImageChops, ImageStat

with Image.open(sys.argv[1]) as photo:
    reference = photo.convert("RGB").resize((400, 300), Image.Resampling.LANCZOS)

for path in sys.argv[2:]:
    with Image.open(path) as thumbnail:
        if thumbnail.size != reference.size:
            sys.exit(f"{path} is {thumbnail.size}")
        squares = ImageStat.Stat(ImageChops.difference(thumbnail, reference)).sum2
    error = sum(squares) / (3 * 400 * 300)
    print(f"{10 * math.log10(255 * 255 / error):.1f}")
