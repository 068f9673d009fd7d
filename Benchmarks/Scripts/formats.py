"""Writes the photo in other formats. Arguments: the JPEG, folder; the files are called all.*."""

import sys

from PIL import Image

picture = Image.open(sys.argv[1]).convert("RGB")


def at(kind):
    return f"{sys.argv[2]}/all.{kind}"


with open(sys.argv[1], "rb") as source, open(at("jpg"), "wb") as copy:
    copy.write(source.read())
picture.save(at("png"), compress_level=6)
picture.save(at("webp"), quality=85, method=2)
picture.save(at("avif"), quality=70, speed=8, subsampling="4:2:0")
picture.save(at("bmp"))
ramp = Image.linear_gradient("L").resize(picture.size)
picture.putalpha(ramp)
picture.save(at("alpha.png"), compress_level=6)
small = picture.resize((256, 192))
small.save(at("ico"))
frames = [small.rotate(angle).convert("RGB") for angle in range(0, 40, 2)]
frames[0].save(at("gif"), save_all=True, append_images=frames[1:], duration=50)
