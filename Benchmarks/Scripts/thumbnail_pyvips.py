"""Fits each picture into 400 x 300 and writes it as PPM. Arguments: folder, pictures."""

import os
import sys

import pyvips

for path in sys.argv[2:]:
    name = os.path.splitext(os.path.basename(path))[0]
    pyvips.Image.thumbnail(path, 400, height=300).write_to_file(f"{sys.argv[1]}/{name}.ppm")
