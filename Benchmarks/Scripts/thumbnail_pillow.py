"""Fits each picture into 400 x 300 and writes it as PPM. Arguments: folder, pictures."""

import os
import sys

from PIL import Image

for path in sys.argv[2:]:
    with Image.open(path) as image:
        # Calls draft() by itself. Lanczos, as libvips does, so that the work is the same.
        image.thumbnail((400, 300), Image.Resampling.LANCZOS)
        name = os.path.splitext(os.path.basename(path))[0]
        image.save(f"{sys.argv[1]}/{name}.ppm")
