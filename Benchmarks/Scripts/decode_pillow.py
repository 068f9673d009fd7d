"""Decodes a picture as often as told, to what Pillow keeps: 4 bytes a pixel. Arguments: file, count."""

import io
import sys

from PIL import Image

with open(sys.argv[1], "rb") as file:
    data = file.read()
for _ in range(int(sys.argv[2])):
    with Image.open(io.BytesIO(data)) as image:
        image.load()
