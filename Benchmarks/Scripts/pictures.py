"""Makes different pictures of 1200 x 1200, of about 200 KB each, from parts of one photo.

Arguments: the photo, folder, how many.
"""

import random
import sys

from PIL import Image

photo = Image.open(sys.argv[1]).convert("RGB")
PLACES = random.Random(5)
for number in range(int(sys.argv[3])):
    x = PLACES.randrange(photo.width - 1200)
    y = PLACES.randrange(photo.height - 1200)
    part = photo.crop((x, y, x + 1200, y + 1200))
    part.save(f"{sys.argv[2]}/{number}.jpg", quality=84, subsampling="4:2:0")
