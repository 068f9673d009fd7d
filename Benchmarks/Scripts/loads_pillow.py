"""Reads pictures from files, shrinks them to 256 x 256 in 2 threads, and keeps them.

Arguments: folder, how many; the files are 0.jpg and so on.
"""

import sys
from concurrent.futures import ThreadPoolExecutor

from PIL import Image


def thumbnail(number):
    with Image.open(f"{sys.argv[1]}/{number}.jpg") as image:
        # Calls draft() by itself. Lanczos, as Vitrine does, so that the work is the same.
        image.thumbnail((256, 256), Image.Resampling.LANCZOS)
        return image.convert("RGBA")


# Pillow lets go of the interpreter's lock while it decodes and resizes.
with ThreadPoolExecutor(2) as pool:
    pictures = list(pool.map(thumbnail, range(int(sys.argv[2]))))
assert all(picture.size == (256, 256) for picture in pictures)
