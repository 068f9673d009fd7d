#!/usr/bin/env python3
"""Makes the pictures that tests and demos use.

    make.py images          writes Fixtures/images anew (committed; under 400 KB)
    make.py demo DIR        writes 27 larger pictures, three of each format

Needs libvips 8.14 with its codecs, and its Python binding: pip install pyvips; for images also avifenc
and cjxl (Debian's libavif-bin and libjxl-tools).
"""

import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

import pyvips

HERE = os.path.dirname(os.path.abspath(__file__))

# The reference scene: four quadrants and a white marker that tells up from down and left from right.
# Tests draw the same in Swift. All edges are multiples of 8, so that lossy codecs keep them sharp.
WIDTH, HEIGHT = 96, 64
RED, GREEN, BLUE, YELLOW = (220, 30, 40), (30, 170, 60), (40, 70, 210), (240, 200, 40)
MARKER = (8, 8, 24, 8)  # x, y, width, height


def scene(shift=0):
    """The scene; `shift` turns the colours round, for the frames of an animation."""
    colors = [RED, GREEN, BLUE, YELLOW]
    colors = colors[shift:] + colors[:shift]
    image = pyvips.Image.black(WIDTH, HEIGHT, bands=3).copy(interpretation="srgb")
    for index, color in enumerate(colors):
        x, y = (index % 2) * WIDTH // 2, (index // 2) * HEIGHT // 2
        image = image.draw_rect(color, x, y, WIDTH // 2, HEIGHT // 2, fill=True)
    return image.draw_rect((255, 255, 255), *MARKER, fill=True)


def with_alpha(image):
    """Transparent marker, half transparent last quadrant."""
    alpha = pyvips.Image.black(WIDTH, HEIGHT) + 255
    alpha = alpha.cast("uchar")
    alpha = alpha.draw_rect(0, *MARKER, fill=True)
    alpha = alpha.draw_rect(128, WIDTH // 2, HEIGHT // 2, WIDTH // 2, HEIGHT // 2, fill=True)
    return image.bandjoin(alpha).copy(interpretation="srgb")


def animation():
    """Three frames below each other, 100, 200 and 300 ms, shown twice."""
    strip = pyvips.Image.arrayjoin([scene(0), scene(1), scene(2)], across=1).copy()
    strip.set_type(pyvips.GValue.gint_type, "page-height", HEIGHT)
    strip.set_type(pyvips.GValue.array_int_type, "delay", [100, 200, 300])
    strip.set_type(pyvips.GValue.gint_type, "loop", 2)
    return strip


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(
        ">I", zlib.crc32(kind + body))


def apng(images):
    """An APNG of RGB frames; the encoder at hand writes none."""
    out = b"\x89PNG\r\n\x1a\n"
    out += chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 2, 0, 0, 0))
    out += chunk(b"acTL", struct.pack(">II", len(images), 2))
    sequence = 0
    for index, image in enumerate(images):
        control = struct.pack(
            ">IIIIIHHBB", sequence, WIDTH, HEIGHT, 0, 0, 100 * (index + 1), 1000, 0, 0)
        out += chunk(b"fcTL", control)
        sequence += 1
        raw = image.write_to_memory()
        rows = b"".join(
            b"\0" + raw[y * WIDTH * 3:(y + 1) * WIDTH * 3] for y in range(HEIGHT))
        body = zlib.compress(rows, 9)
        if index == 0:
            out += chunk(b"IDAT", body)
        else:
            out += chunk(b"fdAT", struct.pack(">I", sequence) + body)
            sequence += 1
    return out + chunk(b"IEND", b"")


def lying(image, orientation):
    """`image` stored so that the EXIF orientation brings it upright again."""
    inverse = {
        1: lambda i: i, 2: lambda i: i.fliphor(), 3: lambda i: i.rot180(),
        4: lambda i: i.flipver(), 5: lambda i: i.rot90().fliphor(), 6: lambda i: i.rot270(),
        7: lambda i: i.rot270().fliphor(), 8: lambda i: i.rot90(),
    }
    turned = inverse[orientation](image).copy()
    turned.set_type(pyvips.GValue.gint_type, "orientation", orientation)
    return turned


def boxes(data, start, end):
    """The boxes of an ISO file between two places: where each is, its length and its kind."""
    while start < end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        yield start, size, kind
        start += size


def turned_heif(data, quarters):
    """A HEIF file of one picture, with a box that turns it by quarters against the clock."""
    def find(kind, start, end):
        return next((at, at + size) for at, size, found in boxes(data, start, end) if found == kind)

    meta = find(b"meta", 0, len(data))
    iloc = find(b"iloc", meta[0] + 12, meta[1])
    iprp = find(b"iprp", meta[0] + 12, meta[1])
    ipco = find(b"ipco", iprp[0] + 8, iprp[1])
    ipma = find(b"ipma", iprp[0] + 8, iprp[1])
    number = len(list(boxes(data, ipco[0] + 8, ipco[1]))) + 1
    out = bytearray(data)

    def add(place, amount, form):
        value, = struct.unpack_from(form, out, place)
        struct.pack_into(form, out, place, value + amount)

    # One property, of which the one entry of `ipma` says that it is essential, moves all data by 10.
    for box, amount in ((meta, 10), (iprp, 10), (ipco, 9), (ipma, 1)):
        add(box[0], amount, ">I")
    add(ipma[0] + 18, 1, ">B")
    for place in range(iloc[0] + 16, iloc[1], 18):
        add(place + 4, 10, ">I")
    out[ipma[1]:ipma[1]] = bytes([0x80 | number])
    out[ipco[1]:ipco[1]] = struct.pack(">I4sB", 9, b"irot", quarters)
    return bytes(out)


def rows(step=1):
    """The scene as rows of (red, green, blue, alpha), every `step`th pixel, alpha as `with_alpha`."""
    raw = bytes(with_alpha(scene()).write_to_memory())
    return [
        [tuple(raw[(y * WIDTH + x) * 4:][:4]) for x in range(0, WIDTH, step)]
        for y in range(0, HEIGHT, step)]


PALETTE = [RED, GREEN, BLUE, YELLOW, (255, 255, 255)]


def indices(picture, palette=PALETTE):
    return [[palette.index(pixel[:3]) for pixel in row] for row in picture]


def packed(row, bits):
    """Indices of a row, several to a byte, the row padded to 4 bytes."""
    number = 0
    for index in row:
        number = number << bits | index
    padding = -len(row) * bits % 32
    return (number << padding).to_bytes((len(row) * bits + padding) // 8, "big")


def runs(row, bits):
    """A row of indices as RLE4 or RLE8: a run where pixels repeat, else pixels as they are."""
    out, x = b"", 0
    while x < len(row):
        end = x
        while end < len(row) and row[end] == row[x] and end - x < 255:
            end += 1
        value = row[x] << 4 | row[x] if bits == 4 else row[x]
        out += bytes([end - x, value])
        x = end
    return out + b"\0\0"


def dib(size, bits, compression=0, length=40, colors=0, masks=(), data=0, height=None):
    """A bitmap's header of the version that `length` tells, with its masks in it or behind it."""
    width, rows_ = size
    height = rows_ if height is None else height
    if length == 12:
        return struct.pack("<IHHHH", 12, width, height, 1, bits)
    header = struct.pack("<IiiHH", length, width, height, 1, bits)
    header += struct.pack("<IIiiII", compression, data, 2835, 2835, colors, 0)
    header += struct.pack(f"<{len(masks)}I", *masks)
    if length > len(header):
        header += b"\0" * (length - len(header))
    return header[:max(length, 40 + 4 * len(masks))] if length >= 40 else header[:length]


def bmp(header, palette, pixels):
    table = b"".join(palette)
    offset = 14 + len(header) + len(table)
    return b"BM" + struct.pack("<IHHI", offset + len(pixels), 0, 0, offset) + header + table + pixels


def quads(palette):
    return [bytes([b, g, r, 0]) for r, g, b in palette]


def words(picture, shifts, size, order=reversed):
    """Pixels as words of `size` bytes; `shifts` gives (shift, bits) of red, green, blue, alpha."""
    out = b""
    for row in order(picture):
        line = b""
        for pixel in row:
            value = 0
            for sample, (shift, bits) in zip(pixel, shifts):
                value |= (sample * ((1 << bits) - 1) + 127) // 255 << shift
            line += value.to_bytes(size, "little")
        out += line + b"\0" * (-len(line) % 4)
    return out


def masks_of(shifts):
    return [((1 << bits) - 1) << shift for shift, bits in shifts]


def bitmaps():
    """BMP files by name: every depth, packing and header; most show every fourth pixel only."""
    full, small = rows(), rows(4)
    size, tiny = (WIDTH, HEIGHT), (WIDTH // 4, HEIGHT // 4)
    rgb = [(16, 8), (8, 8), (0, 8)]
    five, six = [(10, 5), (5, 5), (0, 5)], [(11, 5), (5, 6), (0, 5)]
    odd = [(0, 8), (20, 8), (10, 8), (28, 4)]
    index = indices(small)
    plain = {bits: b"".join(packed(row, bits) for row in reversed(index)) for bits in (4, 8)}
    files = {
        "scene.bmp": bmp(dib(size, 24), [], words(full, rgb, 3)),
        "rgba.bmp": bmp(
            dib(size, 32, 3, 124, masks=masks_of(rgb + [(24, 8)])), [],
            words(full, rgb + [(24, 8)], 4)),
        "bmp-1.bmp": bmp(
            dib(tiny, 1, colors=2), quads([BLUE, YELLOW]),
            b"".join(packed([i % 2 for i in row], 1) for row in reversed(index))),
        "bmp-2.bmp": bmp(
            dib(tiny, 2, colors=4), quads(PALETTE[:4]),
            b"".join(packed([i % 4 for i in row], 2) for row in reversed(index))),
        "bmp-4.bmp": bmp(dib(tiny, 4, colors=5), quads(PALETTE), plain[4]),
        "bmp-8.bmp": bmp(dib(tiny, 8, colors=5), quads(PALETTE), plain[8]),
        "bmp-8-large-palette.bmp": bmp(
            dib(tiny, 8, colors=300), quads(PALETTE + [(1, 2, 3)] * 295), plain[8]),
        "bmp-8-top-down.bmp": bmp(
            dib(tiny, 8, colors=5, height=-tiny[1]), quads(PALETTE),
            b"".join(packed(row, 8) for row in index)),
        "bmp-555.bmp": bmp(dib(tiny, 16), [], words(small, five, 2)),
        "bmp-565.bmp": bmp(dib(tiny, 16, 3, masks=masks_of(six)), [], words(small, six, 2)),
        "bmp-32.bmp": bmp(dib(tiny, 32), [], words(small, rgb + [(24, 8)], 4)),
        "bmp-fields.bmp": bmp(
            dib(tiny, 32, 6, masks=masks_of(odd)), [], words(small, odd, 4)),
        "bmp-no-alpha.bmp": bmp(
            dib(tiny, 32, 3, 108, masks=masks_of(rgb + [(24, 8)])), [], words(small, rgb, 4)),
        "bmp-os2.bmp": bmp(
            dib(tiny, 8, length=12), [bytes([b, g, r]) for r, g, b in PALETTE], plain[8]),
        "bmp-rle4.bmp": bmp(
            dib(tiny, 4, 2, colors=5), quads(PALETTE),
            b"".join(runs(row, 4) for row in reversed(index)) + b"\0\1"),
        "bmp-rle8.bmp": bmp(
            dib(tiny, 8, 1, colors=5), quads(PALETTE),
            b"".join(runs(row, 8) for row in reversed(index)) + b"\0\1"),
        # Six rows and four columns are skipped; then five pixels as they are, and the end.
        "bmp-rle8-skips.bmp": bmp(
            dib(tiny, 8, 1, colors=5), quads(PALETTE),
            b"\2\2\0\0" + b"\0\2\4\6" + b"\0\5\0\1\2\3\4\0" + b"\0\1"),
        "bmp-rle24.bmp": bmp(
            dib(tiny, 24, 4, 64), [],
            b"".join(
                b"".join(b"\1" + bytes([b, g, r]) for r, g, b, _ in row) + b"\0\0"
                for row in reversed(small)) + b"\0\1"),
    }
    for length in (16, 52, 56, 64, 108, 124):
        count = 0 if length == 16 else 5
        palette = PALETTE + [(9, 9, 9)] * (0 if count else 251)
        files[f"bmp-header-{length}.bmp"] = bmp(
            dib(tiny, 8, length=length, colors=count), quads(palette), plain[8])
    inner = scene().pngsave_buffer(strip=True)
    files["bmp-png.bmp"] = bmp(dib((WIDTH, HEIGHT), 0, 5, 124, data=len(inner)), [], inner)
    inner = scene().jpegsave_buffer(strip=True, Q=95, subsample_mode="off")
    files["bmp-jpeg.bmp"] = bmp(dib((WIDTH, HEIGHT), 0, 4, 124, data=len(inner)), [], inner)
    return files


def icon(kind, entries):
    """An ICO (1) or CUR (2) of (width, height, bits, bytes); a cursor's hot spot is at 3, 4."""
    out = struct.pack("<HHH", 0, kind, len(entries))
    offset = 6 + 16 * len(entries)
    for width, height, bits, body in entries:
        first, second = (3, 4) if kind == 2 else (1, bits)
        out += struct.pack(
            "<BBBBHHII", width % 256, height % 256, 0, 0, first, second, len(body), offset)
        offset += len(body)
    return out + b"".join(body for _, _, _, body in entries)


def icons():
    """ICO and CUR files by name."""
    full, small = rows(), rows(4)
    size, tiny = (WIDTH, HEIGHT), (WIDTH // 4, HEIGHT // 4)
    argb = [(16, 8), (8, 8), (0, 8), (24, 8)]

    def bitmap(picture, size, bits, palette, pixels):
        mask = b"".join(packed([int(p[3] == 0) for p in row], 1) for row in reversed(picture))
        header = dib(size, bits, colors=len(palette), height=size[1] * 2)
        return header + b"".join(quads(palette)) + pixels + mask

    def entry(picture, size, bits):
        if bits == 32:
            pixels, palette = words(picture, argb, 4), []
        elif bits == 24:
            pixels, palette = words(picture, argb[:3], 3), []
        else:
            index = indices(picture)
            pixels = b"".join(packed(row, bits) for row in reversed(index))
            palette = PALETTE
        return (*size, bits, bitmap(picture, size, bits, palette, pixels))

    def opaque(picture):
        return [[(*pixel[:3], 255) for pixel in row] for row in picture]

    png = (*size, 32, bytes(with_alpha(scene()).pngsave_buffer(strip=True)))
    return {
        "scene.ico": icon(1, [entry(opaque(full), size, 24), entry(opaque(small), tiny, 32)]),
        "rgba.ico": icon(1, [entry(full, size, 32)]),
        "png.ico": icon(1, [entry(small, tiny, 4), png, entry(small, tiny, 32)]),
        "mask-4.ico": icon(1, [entry(small, tiny, 4)]),
        "mask-8.ico": icon(1, [entry(small, tiny, 8)]),
        "mask-24.ico": icon(1, [entry(small, tiny, 24)]),
        "cursor.cur": icon(2, [entry(small, tiny, 8)]),
    }


def svg():
    """The scene as a drawing of shapes, a path, a style sheet and a reference."""
    half = f'width="{WIDTH // 2}" height="{HEIGHT // 2}"'
    color = lambda rgb: "#%02x%02x%02x" % rgb
    x, y, w, h = MARKER
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- The reference scene. -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">
  <style>.green {{ fill: {color(GREEN)} }}</style>
  <defs><rect id="part" {half}/></defs>
  <use href="#part" fill="{color(RED)}"/>
  <use href="#part" x="{WIDTH // 2}" class="green"/>
  <use href="#part" y="{HEIGHT // 2}" style="fill:{color(BLUE)}"/>
  <path d="M{WIDTH} {HEIGHT}h-{WIDTH // 2}v-{HEIGHT // 2}H{WIDTH}z" fill="{color(YELLOW)}"/>
  <rect x="{x}" y="{y}" width="{w}" height="{h}" fill="white"/>
</svg>
""".encode()


def xbm(name, bits, lines):
    """Rows of bits as text: of X11, which has values of 8 bits, or of X10, which has 16."""
    values = []
    for row in lines:
        for x in range(0, len(row), bits):
            part = row[x:x + bits]
            values.append(sum(bit << place for place, bit in enumerate(part)))
    digits = bits // 4
    kind = "unsigned char" if bits == 8 else "short"
    text = f"/* made by make.py */\n#define {name}_width {len(lines[0])}\n"
    text += f"#define {name}_height {len(lines)}\n#define {name}_x_hot 1\n#define {name}_y_hot 2\n"
    text += f"static {kind} {name}_bits[] = {{\n"
    for start in range(0, len(values), 12):
        text += "   " + ", ".join(f"0x{v:0{digits}x}" for v in values[start:start + 12]) + ",\n"
    return (text.rstrip(",\n") + "};\n").encode()


def make_plain(folder):
    """The formats that no library at hand writes, or not in every way."""
    dark = [[int(pixel[:3] in (RED, BLUE)) for pixel in row] for row in rows(1)]
    odd = [row[:91] for row in dark[:61]]
    files = {**bitmaps(), **icons(), "scene.xbm": xbm("scene", 8, dark), "x10.xbm": xbm("x10", 16, odd)}
    files["scene.svg"] = svg()
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


# --- colours by code points, and AVIF ------------------------------------------------------------

# Linear light of sRGB to that of Display P3 and of BT.2020.
TO_P3 = ((0.822462, 0.177538, 0), (0.033194, 0.966806, 0), (0.017083, 0.072397, 0.910520))
TO_2020 = (
    (0.627404, 0.329283, 0.043313), (0.069097, 0.919540, 0.011362), (0.016391, 0.088013, 0.895595))


def srgb_light(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def srgb_value(light):
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def pq_value(light):
    """Of light whose 1 is 203 cd/m2."""
    power = (max(0, light) * 203 / 10000) ** (2610 / 16384)
    return ((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power)) ** (2523 / 32)


def hlg_values(lights):
    """Of light whose 1 is 203 cd/m2, on a display of 1,000: the way back through its gamma of 1.2."""
    display = [light * 203 / 1000 for light in lights]
    luminance = sum(share * light for share, light in zip((0.2627, 0.6780, 0.0593), display))
    values = []
    for light in display:
        scene = light * luminance ** (-0.2 / 1.2) if luminance else 0
        values.append(
            math.sqrt(3 * scene) if scene <= 1 / 12
            else 0.17883277 * math.log(12 * scene - 0.28466892) + 0.55991073)
    return values


def coded(image, matrix, encode):
    """The scene as 16-bit numbers of other primaries and another transfer function."""
    cache = {}

    def numbers(pixel):
        light = [srgb_light(sample / 255) for sample in pixel]
        light = [sum(m * l for m, l in zip(row, light)) for row in matrix]
        return struct.pack("=3H", *(round(min(1, max(0, v)) * 65535) for v in encode(light)))

    raw, out = bytes(image.write_to_memory()), []
    for start in range(0, len(raw), 3):
        pixel = raw[start:start + 3]
        if pixel not in cache:
            cache[pixel] = numbers(pixel)
        out.append(cache[pixel])
    wide = pyvips.Image.new_from_memory(b"".join(out), WIDTH, HEIGHT, 3, "ushort")
    return wide.copy(interpretation="rgb16")


def straight(profile):
    """A profile whose curves are straight lines: who heeds it by mistake shows other tones."""
    count = profile.index(b"curv") + 8
    return profile[:count] + bytes(4) + profile[count + 4:]


def grey_profile():
    """An ICC profile of grey whose curve is a straight line (ICC.1:2022, 8.6.2)."""
    curve = b"curv" + bytes(8)
    white = b"XYZ " + bytes(4) + struct.pack(">3i", 0xF6D6, 0x10000, 0xD32D)
    start = 128 + 4 + 2 * 12
    tags = struct.pack(">I", 2)
    tags += b"wtpt" + struct.pack(">2I", start, len(white))
    tags += b"kTRC" + struct.pack(">2I", start + len(white), len(curve))
    header = struct.pack(">I4xI4s4s4s", start + len(white) + len(curve), 0x02400000, b"mntr",
                         b"GRAY", b"XYZ ") + bytes(12) + b"acsp" + bytes(28)
    header += struct.pack(">3i", 0xF6D6, 0x10000, 0xD32D) + bytes(48)
    return header + tags + white + curve


def with_icc(jpeg, profile):
    """A JPEG with an ICC profile behind its first segment; libvips leaves out one that does not fit."""
    behind = 4 + struct.unpack(">H", jpeg[4:6])[0]
    body = b"ICC_PROFILE\0\1\1" + profile
    segment = b"\xff\xe2" + struct.pack(">H", len(body) + 2) + body
    return jpeg[:behind] + segment + jpeg[behind:]


def with_cicp(png, primaries, transfer):
    """A PNG with a cICP chunk behind its IHDR."""
    return png[:33] + chunk(b"cICP", bytes([primaries, transfer, 0, 1])) + png[33:]


def with_nclx(heic, *points):
    """A HEIC of one item with an nclx box, which its encoder leaves out."""
    data = bytearray(heic)
    box = struct.pack(">I4s4sHHHB", 19, b"colr", b"nclx", *points, 0x80)
    end = data.index(b"ipma") - 4
    count = data.index(b"ipma") + 14
    for kind, more in ((b"meta", 20), (b"iprp", 20), (b"ipco", 19), (b"ipma", 1)):
        place = data.index(kind) - 4
        data[place:place + 4] = struct.pack(">I", struct.unpack_from(">I", data, place)[0] + more)
    base = data.index(b"iloc") + 16
    data[base:base + 4] = struct.pack(">I", struct.unpack_from(">I", data, base)[0] + 20)
    data[count] += 1
    data.insert(count + data[count], data[count])
    data[end:end] = box
    return bytes(data)


def make_coded(folder):
    """Files that say by code points what their colours are, and AVIF of every kind."""
    plain, alpha = scene(), with_alpha(scene())
    power = lambda light: [srgb_value(v) for v in light]
    pictures = {
        "plain": plain, "alpha": alpha, "second": scene(1), "third": scene(2),
        "p3": coded(plain, TO_P3, power), "bt2020": coded(plain, TO_2020, power),
        "pq": coded(plain, TO_2020, lambda light: [pq_value(v) for v in light]),
        "hlg": coded(plain, TO_2020, hlg_values),
    }
    p3 = plain.icc_transform("p3", input_profile="srgb")
    exact, good = ["--min", "0", "--max", "0"], ["--min", "4", "--max", "8"]
    sdr, ten = ["--cicp", "1/13/6"], ["-d", "10"]
    avif = {
        "grey": (["plain"], ["-y", "400", *sdr, *exact]),
        "grey-rgb-profile": (["plain"], ["-y", "400", *sdr, *exact, "--icc", "rgb.icc"]),
        "grey-profile": (["plain"], ["-y", "400", *sdr, *exact, "--icc", "grey.icc"]),
        "grey-alpha-profile": (["alpha"], [
            "-y", "400", *sdr, *exact, "--minalpha", "0", "--maxalpha", "0", "--icc", "grey.icc"]),
        "420": (["plain"], ["-y", "420", *sdr, *good]),
        "422": (["plain"], ["-y", "422", *sdr, *good]),
        "444": (["plain"], ["-y", "444", *sdr, *good]),
        "10-bit": (["plain"], [*ten, *sdr, *exact]),
        "12-bit": (["plain"], ["-d", "12", *sdr, *exact]),
        "limited": (["plain"], ["-r", "limited", *sdr, *exact]),
        "limited-10-bit": (["plain"], ["-r", "limited", "-y", "420", *ten, *sdr, *good]),
        "lossless": (["plain"], ["-l", "--cicp", "1/13/0"]),
        "alpha-10-bit": (["alpha"], [*ten, *sdr, *exact, "--minalpha", "0", "--maxalpha", "0"]),
        "premultiplied": (["alpha"], ["-p", *sdr, *exact, "--minalpha", "0", "--maxalpha", "0"]),
        "turned": (["plain"], ["--irot", "1", *sdr, *good]),
        "mirrored": (["plain"], ["--irot", "0", "--imir", "0", *sdr, *good]),
        "cropped": (["plain"], ["--crop", "8,8,40,24", *sdr, *good]),
        "p3": (["p3"], ["-d", "8", "--cicp", "12/13/1", *exact]),
        "bt2020": (["bt2020"], [*ten, "--cicp", "9/14/9", *exact]),
        "pq": (["pq"], [*ten, "--cicp", "9/16/9", *exact]),
        "pq-420": (["pq"], [*ten, "-y", "420", "-r", "limited", "--cicp", "9/16/9", *good]),
        "hlg": (["hlg"], ["-d", "12", "--cicp", "9/18/9", *exact]),
    }
    with tempfile.TemporaryDirectory() as temporary:
        for name, image in pictures.items():
            image.pngsave(os.path.join(temporary, f"{name}.png"), strip=True)

        def run(*words):
            subprocess.run(words, cwd=temporary, check=True, capture_output=True)

        for name, profile in {
                "rgb.icc": straight(p3.get("icc-profile-data")), "grey.icc": grey_profile()}.items():
            with open(os.path.join(temporary, name), "wb") as file:
                file.write(profile)

        for name, (sources, options) in avif.items():
            run("avifenc", "-s", "4", *options, *[f"{source}.png" for source in sources],
                os.path.join(folder, f"{name}.avif"))
        # Frames of 100, 200 and 300 ms, the second and third built on the first.
        run("avifenc", "-s", "4", *sdr, *good, "--timescale", "10", "--duration", "1",
            "plain.png", "--duration", "2", "second.png", "--duration", "3", "third.png", os.path.join(folder, "animated.avif"))
        with open(os.path.join(folder, "animated.avif"), "r+b") as file:
            data = bytearray(file.read())
            # Without the times of creation, of 8 bytes each, which differ from run to run.
            for kind in (b"mvhd", b"tkhd", b"mdhd"):
                place = data.find(kind)
                while place >= 0:
                    data[place + 8:place + 24] = bytes(16)
                    place = data.find(kind, place + 1)
            file.seek(0)
            file.write(data)
        for name in ("p3", "pq", "hlg"):
            with open(os.path.join(temporary, f"{name}.png"), "rb") as file:
                png = file.read()
            points = {"p3": (12, 13), "pq": (9, 16), "hlg": (9, 18)}[name]
            with open(os.path.join(folder, f"{name}.png"), "wb") as file:
                file.write(with_cicp(png, *points))
        for name, space in (("pq", "RGB_D65_202_Rel_PeQ"), ("hlg", "RGB_D65_202_Rel_HLG")):
            pictures[name].ppmsave(os.path.join(temporary, f"{name}.ppm"), strip=True)
            run("cjxl", "--quiet", f"{name}.ppm", os.path.join(folder, f"{name}.jxl"),
                "-x", f"color_space={space}", "-d", "0")
        animation().gifsave(os.path.join(temporary, "animated.gif"), dither=0)
        run("cjxl", "--quiet", "animated.gif", os.path.join(folder, "animated.jxl"), "-d", "0")
    heic = pictures["pq"].heifsave_buffer(
        compression="hevc", Q=95, bitdepth=10, subsample_mode="off", strip=True)
    with open(os.path.join(folder, "pq.heic"), "wb") as file:
        file.write(with_nclx(bytes(heic), 9, 16, 6))


def make_images():
    folder = os.path.join(HERE, "images")
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))

    def at(name):
        return os.path.join(folder, name)

    plain, alpha = scene(), with_alpha(scene())
    grey = plain.colourspace("b-w")
    p3 = plain.icc_transform("p3", input_profile="srgb")
    wide = plain.colourspace("rgb16")
    wide_alpha = wide.bandjoin((alpha[3].cast("ushort") * 257).cast("ushort")).copy(
        interpretation="rgb16")
    cmyk = plain.icc_transform("cmyk", input_profile="srgb")
    jpeg = {"Q": 95, "subsample_mode": "off"}

    plain.pngsave(at("scene.png"), strip=True)
    alpha.pngsave(at("rgba.png"), strip=True)
    grey.pngsave(at("grey.png"), strip=True)
    grey.bandjoin(alpha[3]).copy(interpretation="b-w").pngsave(at("grey-alpha.png"), strip=True)
    wide.pngsave(at("16-bit.png"), strip=True)
    wide_alpha.pngsave(at("16-bit-alpha.png"), strip=True)
    grey_wide = plain.colourspace("grey16").bandjoin(wide_alpha[3]).copy(interpretation="grey16")
    grey_wide.pngsave(at("16-bit-grey-alpha.png"), strip=True)
    grey_wide.tiffsave(at("16-bit-grey-alpha.tiff"), strip=True, compression="deflate")
    plain.colourspace("grey16").pngsave(at("16-bit-grey.png"), strip=True)
    plain.pngsave(at("palette.png"), strip=True, palette=True)
    alpha.pngsave(at("palette-alpha.png"), strip=True, palette=True)
    plain.pngsave(at("interlaced.png"), strip=True, interlace=True)
    (grey > 100).pngsave(at("1-bit.png"), strip=True, bitdepth=1)
    p3.pngsave(at("display-p3.png"))
    with open(at("animated.png"), "wb") as file:
        file.write(apng([scene(0), scene(1), scene(2)]))

    plain.jpegsave(at("scene.jpg"), strip=True, **jpeg)
    plain.jpegsave(at("progressive.jpg"), strip=True, interlace=True, **jpeg)
    plain.jpegsave(at("subsampled.jpg"), strip=True, Q=90, subsample_mode="on")
    grey.jpegsave(at("grey.jpg"), strip=True, Q=95)
    p3.jpegsave(at("display-p3.jpg"), **jpeg)
    cmyk.jpegsave(at("cmyk.jpg"), strip=True, **jpeg)
    profile = p3.get("icc-profile-data")
    with open(at("grey-rgb-profile.jpg"), "wb") as file:
        file.write(with_icc(grey.jpegsave_buffer(strip=True, Q=95), straight(profile)))
    with open(at("damaged-profile.jpg"), "wb") as file:
        file.write(with_icc(
            plain.jpegsave_buffer(strip=True, **jpeg), profile[:128] + b"no tags at all" * 20))
    for orientation in range(1, 9):
        lying(plain, orientation).jpegsave(at(f"orientation-{orientation}.jpg"), **jpeg)

    plain.gifsave(at("scene.gif"), strip=True, dither=0)
    animation().gifsave(at("animated.gif"), dither=0)
    plain.webpsave(at("scene.webp"), strip=True, Q=95)
    alpha.webpsave(at("rgba.webp"), strip=True, lossless=True)
    animation().webpsave(at("animated.webp"), lossless=True)
    plain.tiffsave(at("scene.tiff"), strip=True, compression="lzw")
    cmyk.tiffsave(at("cmyk.tiff"), strip=True, compression="lzw")
    alpha.tiffsave(at("rgba.tiff"), strip=True, compression="deflate")
    animation().tiffsave(at("pages.tiff"), strip=True, compression="lzw")
    lying(plain, 6).tiffsave(at("orientation-6.tiff"), compression="lzw")
    lying(plain, 6).webpsave(at("orientation-6.webp"), lossless=True)
    # As cameras write them: EXIF data that say 6, and boxes that say the same.
    photo = pyvips.Image.new_from_file(at("orientation-6.jpg"))
    heic = photo.heifsave_buffer(compression="hevc", Q=90, subsample_mode="off")
    with open(at("orientation-6.heic"), "wb") as file:
        file.write(turned_heif(bytes(heic), 3))
    subprocess.run(
        ["cjxl", "--quiet", "--lossless_jpeg=1", at("orientation-6.jpg"), at("orientation-6.jxl")],
        check=True, capture_output=True)
    heif = {"strip": True, "subsample_mode": "off"}
    plain.heifsave(at("scene.heic"), compression="hevc", Q=90, **heif)
    plain.heifsave(at("scene.avif"), compression="av1", Q=90, **heif)
    alpha.heifsave(at("rgba.avif"), compression="av1", Q=90, **heif)
    plain.jxlsave(at("scene.jxl"), strip=True, distance=0.5)
    alpha.jxlsave(at("rgba.jxl"), strip=True, lossless=True)
    plain.jp2ksave(at("scene.jp2"), lossless=True)
    make_plain(folder)
    make_coded(folder)

    sizes = [os.path.getsize(at(name)) for name in os.listdir(folder)]
    print(f"{len(sizes)} files, {sum(sizes):,} bytes")


# --- demo pictures -------------------------------------------------------------------------------

PALETTES = [  # sky above, sky at the horizon, sun, far hills, near hills, water
    ("#1b2a6b", "#f59e6c", "#ffe3a8", "#6d5a8c", "#241a3d", "#3c4a80"),
    ("#2f80c8", "#d9eefb", "#fff7d6", "#8fb3cf", "#2d5d4b", "#4b93bd"),
    ("#0c1b33", "#4a7fa0", "#f1f5ff", "#33566f", "#0d1f2d", "#1c3d57"),
    ("#7a2f5e", "#ffb37b", "#fff0c9", "#a8547a", "#3b1836", "#8a4a78"),
    ("#3f6fb5", "#fbe3c0", "#fff3c4", "#b59a86", "#5e4a3a", "#6f9fc4"),
    ("#0f4c5c", "#a7e0c9", "#fbfff0", "#4f9a94", "#12403f", "#2a7f86"),
]


def ridge(rng, width, base, height, roughness):
    """A mountain line by midpoint displacement, as an SVG path down to `base` and beyond."""
    points = [rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8)]
    amount = 0.5
    while len(points) < 129:
        between = []
        for left, right in zip(points, points[1:]):
            between += [left, (left + right) / 2 + rng.uniform(-amount, amount)]
        points = between + [points[-1]]
        amount *= roughness
    step = width / (len(points) - 1)
    line = " L".join(
        f"{index * step:.1f},{base - height * max(0.02, point):.1f}"
        for index, point in enumerate(points))
    return f"M{line} L{width},{base + 4000} L0,{base + 4000} Z"


def mix(first, second, share):
    pair = [[int(color[i:i + 2], 16) for i in (1, 3, 5)] for color in (first, second)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*pair))


def landscape(seed, width, height):
    rng = random.Random(seed)
    top, low, sun, far, near, water = PALETTES[seed % len(PALETTES)]
    horizon = height * rng.uniform(0.60, 0.68)
    sun_x, sun_y = width * rng.uniform(0.2, 0.8), horizon - height * rng.uniform(0.16, 0.38)
    radius = min(width, height) * rng.uniform(0.05, 0.08)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"><defs>'
        f'<linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="{top}"/>'
        f'<stop offset="1" stop-color="{low}"/></linearGradient>'
        f'<linearGradient id="w" x1="0" y1="0" x2="0" y2="1">'
        f'<stop offset="0" stop-color="{mix(water, low, 0.6)}"/>'
        f'<stop offset="1" stop-color="{mix(water, "#000000", 0.35)}"/></linearGradient>'
        f'<radialGradient id="g"><stop offset="0" stop-color="{sun}" stop-opacity="0.85"/>'
        f'<stop offset="1" stop-color="{sun}" stop-opacity="0"/></radialGradient></defs>'
        f'<rect width="{width}" height="{horizon + 2}" fill="url(#s)"/>']
    if seed % len(PALETTES) in (0, 2):
        for _ in range(120):
            parts.append(
                f'<circle cx="{rng.uniform(0, width):.1f}" cy="{rng.uniform(0, horizon * 0.6):.1f}" '
                f'r="{rng.uniform(0.6, 1.8):.1f}" fill="#fff" opacity="{rng.uniform(0.2, 0.9):.2f}"/>')
    parts.append(
        f'<circle cx="{sun_x}" cy="{sun_y}" r="{radius * 5}" fill="url(#g)"/>'
        f'<circle cx="{sun_x}" cy="{sun_y}" r="{radius}" fill="{sun}"/>')
    for _ in range(7):
        x, y = rng.uniform(0, width), rng.uniform(height * 0.06, horizon * 0.55)
        for _ in range(5):
            parts.append(
                f'<ellipse cx="{x + rng.uniform(-90, 90):.0f}" cy="{y + rng.uniform(-8, 8):.0f}" '
                f'rx="{rng.uniform(40, 130):.0f}" ry="{rng.uniform(5, 14):.0f}" fill="#fff" '
                f'opacity="{rng.uniform(0.08, 0.2):.2f}"/>')
    layers = 4
    for layer in range(layers):
        share = layer / (layers - 1)
        path = ridge(
            rng, width, horizon, height * (0.34 - 0.22 * share), 0.48 + 0.05 * (1 - share))
        parts.append(f'<path d="{path}" fill="{mix(mix(far, low, 0.45), near, share)}"/>')
    parts.append(
        f'<rect y="{horizon}" width="{width}" height="{height - horizon + 1}" fill="url(#w)"/>')
    for _ in range(110):
        depth = rng.uniform(0, 1) ** 1.6
        y = horizon + 3 + depth * (height - horizon)
        glint = rng.random() < 0.55
        x = sun_x + rng.gauss(0, radius * (0.5 + depth)) if glint else rng.uniform(0, width)
        parts.append(
            f'<rect x="{x - 40 - 60 * depth:.0f}" y="{y:.1f}" width="{rng.uniform(30, 90) * (1 + depth):.0f}" '
            f'height="{1 + 2.5 * depth:.1f}" rx="1.5" fill="{sun if glint else low}" '
            f'opacity="{(0.5 if glint else 0.16) * (1 - 0.5 * depth):.2f}"/>')
    shore = height * rng.uniform(0.93, 0.97)
    dark = mix(near, "#000000", 0.45)
    parts.append(f'<path d="{ridge(rng, width, shore + 30, height * 0.1, 0.5)}" fill="{dark}"/>')
    for _ in range(26):
        x = rng.choice([rng.uniform(0, width * 0.3), rng.uniform(width * 0.72, width)])
        tall = rng.uniform(0.08, 0.2) * height
        y = shore + rng.uniform(0, height * 0.05)
        for tier in range(4):
            wide, peak = tall * (0.16 + 0.05 * tier), y - tall * (1 - 0.2 * tier)
            parts.append(
                f'<path d="M{x:.1f},{peak:.1f} l{wide:.1f},{tall * 0.34:.1f} h{-2 * wide:.1f} Z" '
                f'fill="{dark}"/>')
        parts.append(f'<rect x="{x - 3:.1f}" y="{y - 0.1 * tall:.1f}" width="6" height="{0.2 * tall:.0f}" fill="{dark}"/>')
    return "".join(parts) + "</svg>"


def badge(seed, size):
    """A leaf on a round badge, on transparent ground."""
    rng = random.Random(seed)
    top, low, sun, far, near, water = PALETTES[seed % len(PALETTES)]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="-100 -100 200 200">'
        f'<defs><radialGradient id="b" cx="0.35" cy="0.3" r="0.9"><stop offset="0" stop-color="{low}"/>'
        f'<stop offset="1" stop-color="{top}"/></radialGradient>'
        f'<linearGradient id="l" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="{sun}"/>'
        f'<stop offset="1" stop-color="{mix(low, near, 0.4)}"/></linearGradient></defs>'
        f'<ellipse cx="0" cy="92" rx="70" ry="6" fill="#000" opacity="0.25"/>']
    for index in range(24):
        angle = index * 15
        parts.append(
            f'<circle cx="{84 * math.cos(math.radians(angle)):.2f}" cy="{84 * math.sin(math.radians(angle)) - 4:.2f}" '
            f'r="11" fill="{near}"/>')
    parts.append(
        f'<circle cx="0" cy="-4" r="84" fill="{near}"/><circle cx="0" cy="-4" r="76" fill="url(#b)"/>')
    turn = rng.uniform(15, 50)
    parts.append(
        f'<g transform="translate(0,-4) rotate({turn:.0f})">'
        f'<path d="M0,-62 C44,-36 42,26 0,54 C-42,26 -44,-36 0,-62 Z" fill="url(#l)"/>'
        f'<path d="M0,-54 V66" stroke="{near}" stroke-width="3" fill="none" stroke-linecap="round"/>')
    for y in range(-36, 45, 13):
        reach = 26 - abs(y) * 0.22
        parts.append(
            f'<path d="M0,{y} L{reach:.1f},{y - 13} M0,{y} L{-reach:.1f},{y - 13}" stroke="{near}" '
            f'stroke-width="1.6" opacity="0.8"/>')
    return "".join(parts) + "</g></svg>"


def make_demo(folder):
    os.makedirs(folder, exist_ok=True)
    savers = {
        "jpg": lambda i, p: i.jpegsave(p, Q=88),
        "png": lambda i, p: i.pngsave(p, compression=5),
        "webp": lambda i, p: i.webpsave(p, Q=84, effort=2),
        "gif": lambda i, p: i.gifsave(p, effort=3),
        "tiff": lambda i, p: i.tiffsave(p, compression="jpeg", Q=88),
        "avif": lambda i, p: i.heifsave(p, compression="av1", Q=62, effort=0),
        "heic": lambda i, p: i.heifsave(p, compression="hevc", Q=60, effort=0),
        "jxl": lambda i, p: i.jxlsave(p, distance=1.5, effort=3),
        "jp2": lambda i, p: i.jp2ksave(p, Q=44),
    }
    turned = {("jpg", 1): 6, ("jpg", 2): 3, ("tiff", 1): 8, ("webp", 1): 5}
    badges = {("png", 2), ("webp", 2), ("jxl", 2)}
    seed = 0
    for extension, save in savers.items():
        for index in range(3):
            portrait = index == 1
            if (extension, index) in badges:
                image = pyvips.Image.svgload_buffer(badge(seed, 900).encode())
                name = "badge"
            else:
                width, height = (800, 1200) if portrait else (1200, 800)
                svg = landscape(seed, width, height).encode()
                image = pyvips.Image.svgload_buffer(svg, unlimited=True).flatten()
                name = "landscape"
            image = lying(image.copy_memory(), turned.get((extension, index), 1))
            save(image, os.path.join(folder, f"{name}-{seed + 1:02}.{extension}"))
            seed += 1
    print(f"{seed} files in {folder}")


if __name__ == "__main__":
    if sys.argv[1:] == ["images"]:
        make_images()
    elif len(sys.argv) == 3 and sys.argv[1] == "demo":
        make_demo(sys.argv[2])
    else:
        sys.exit(__doc__)
