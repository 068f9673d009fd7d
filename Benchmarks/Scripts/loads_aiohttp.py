"""Loads pictures with aiohttp, shrinks them to 256 x 256 with Pillow in 2 threads, and keeps them.

Arguments: a file with a URL in each line, how many transfers at once.
"""

import asyncio
import io
import sys
from concurrent.futures import ThreadPoolExecutor

import aiohttp
from PIL import Image


def thumbnail(data):
    with Image.open(io.BytesIO(data)) as image:
        # Calls draft() by itself. Lanczos, as Vitrine does, so that the work is the same.
        image.thumbnail((256, 256), Image.Resampling.LANCZOS)
        return image.convert("RGBA")


async def load(session, limit, pool, url):
    async with limit:
        async with session.get(url) as response:
            response.raise_for_status()
            data = await response.read()
    return await asyncio.get_running_loop().run_in_executor(pool, thumbnail, data)


async def main():
    with open(sys.argv[1]) as file:
        urls = file.read().split()
    count = int(sys.argv[2])
    connector = aiohttp.TCPConnector(limit=count)
    # Pillow lets go of the interpreter's lock while it decodes and resizes.
    with ThreadPoolExecutor(2) as pool:
        async with aiohttp.ClientSession(connector=connector) as session:
            limit = asyncio.Semaphore(count)
            pictures = await asyncio.gather(*[load(session, limit, pool, url) for url in urls])
    assert all(picture.size == (256, 256) for picture in pictures)


asyncio.run(main())
