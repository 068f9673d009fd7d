"""Times fresh hits of 16 KB through hishel's cache: `cache_hishel.py FOLDER COUNT`.

The cache alone, without httpx' client above it, in the configuration for a private cache. Its one
local storage is SQLite: in a file, and in memory. Prints name, wall and processor time in
nanoseconds a hit, by tabs.
"""

import random
import sqlite3
import sys
import time

import httpx
from hishel import CacheOptions, SqliteStorage
from hishel.httpx import CacheTransport

SIZE = 16384
PICTURES = 64


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    memory = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    measure("memory", SqliteStorage(connection=memory), count)
    measure("disk", SqliteStorage(database_path=folder + "/hishel.db"), count)


def measure(name, storage, count):
    body = random.Random(1).randbytes(SIZE)
    headers = {
        "Server": "nginx/1.22.1",
        "Content-Type": "image/jpeg",
        "Content-Length": str(SIZE),
        "Last-Modified": "Sun, 01 Nov 2026 10:00:00 GMT",
        "ETag": '"6545a2f0-4000"',
        "Cache-Control": "max-age=86400",
        "Accept-Ranges": "bytes",
    }
    server = httpx.MockTransport(lambda request: httpx.Response(200, headers=headers, content=body))
    cache = CacheTransport(server, storage=storage, rfc=CacheOptions(shared=False))
    urls = [f"https://images.example.org/albums/2026/autumn/{n}.jpg?width=640" for n in range(PICTURES)]
    for url in urls:
        cache.handle_request(httpx.Request("GET", url)).read()

    def hit(number):
        response = cache.handle_request(httpx.Request("GET", urls[number * 29 % PICTURES]))
        if len(response.read()) != SIZE or not response.extensions["caching"]["from_cache"]:
            sys.exit(1)

    for number in range(200):
        hit(number)
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    for number in range(count):
        hit(number)
    wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
    print(name, wall / count, cpu / count, sep="\t")


main()
