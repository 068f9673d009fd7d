"""Fits pictures into 400 x 300 and writes each as PPM, some at a time.

Arguments: folder, how many in all, how many at a time, pictures, which are taken in turns.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

from PIL import Image

folder, count, workers, *paths = sys.argv[1:]


def thumbnail(index):
    path = paths[index % len(paths)]
    with Image.open(path) as image:
        # Calls draft() by itself. Lanczos, as Vitrine does, so that the work is the same.
        image.thumbnail((400, 300), Image.Resampling.LANCZOS)
        name = os.path.splitext(os.path.basename(path))[0]
        image.save(f"{folder}/{name}.ppm")


# Pillow lets go of the interpreter's lock while it decodes and resizes.
with ThreadPoolExecutor(int(workers)) as pool:
    list(pool.map(thumbnail, range(int(count))))
