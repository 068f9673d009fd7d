#!/bin/bash
# Measures Vitrine beside its peers and prints tables; `make bench` installs what it needs.
#
#     Benchmarks/run.sh [--save FILE] [transfers] [thumbnails] [filters] [decoding] [probes] [caches] [loads]
set -euo pipefail
cd "$(dirname "$0")/.."

save=
if [ "${1:-}" = --save ]; then
    save=$2
    shift 2
fi

# Debian keeps nginx where only root's PATH leads.
PATH=$PATH:/usr/sbin
python=$PWD/.build/bench-python/bin/python3
programs=$PWD/.build/benchmarks/release
tools=$PWD/.build/release
scripts=$PWD/Benchmarks/Scripts

if ! "$python" -c 'import PIL, pyvips, hishel, httpx, aiohttp' 2>/dev/null; then
    echo "Installing Pillow, pyvips, hishel and aiohttp in .build/bench-python." >&2
    rm -rf .build/bench-python
    python3 -m venv .build/bench-python
    "$python" -m pip install --quiet --disable-pip-version-check Pillow pyvips hishel httpx aiohttp </dev/null >&2
fi

# Of the programs here, and of the package itself, only those that the wanted parts need.
clients=()
own=()
[ $# -gt 0 ] || set -- transfers thumbnails filters decoding probes caches loads
for part in "$@"; do
    case $part in
    transfers) clients+=(transfer-vitrine transfer-urlsession) ;;
    thumbnails) clients+=(thumbnail-vitrine batch-vitrine) ;;
    filters) clients+=(filters-vitrine) ;;
    decoding) clients+=(decode-vitrine decode-c) ;;
    probes) clients+=(probe-vitrine) ;;
    caches) clients+=(cache-hits) own+=(storage-speed) ;;
    loads) clients+=(loads-vitrine) own+=(vitrine) ;;
    *)
        echo "There is no part \"$part\": transfers, thumbnails, filters, decoding, probes, caches, loads." >&2
        exit 2
        ;;
    esac
done
for product in bench "${clients[@]}"; do
    # One starts and ends as programs do that are handed on, with Swift's library within them.
    static=()
    built=.build/benchmarks
    if [ "$product" = loads-vitrine ]; then
        static=(--static-swift-stdlib)
        built=.build/benchmarks-static
    fi
    swift build --package-path Benchmarks --scratch-path "$built" -c release "${static[@]}" \
        --product "$product" --quiet >&2
    [ "$built/release" -ef "$programs" ] || cp "$built/release/$product" "$programs/"
done
for product in "${own[@]}"; do
    swift build -c release --product "$product" --quiet >&2
done

folder=$(mktemp -d)
nginx=
finish() {
    if [ -n "$nginx" ]; then
        kill "$nginx" 2>/dev/null || true
        wait "$nginx" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# As root, nginx' worker is another user.
chmod 755 "$folder"
mkdir -p "$folder"/www "$folder"/nginx "$folder"/photos \
    "$folder"/thumbnails/{vitrine,vipsthumbnail,pillow,pyvips}
head -c 30720 /dev/urandom >"$folder/www/30k.bin"
"$python" "$scripts/photo.py" "$folder/photos/photo-0.jpg" "$folder/www/small.jpg"
for number in {1..15}; do
    cp "$folder/photos/photo-0.jpg" "$folder/photos/photo-$number.jpg"
done

# Between the choice and the start somebody else may take the port: then another one is tried.
for _ in 1 2 3 4 5; do
    port=$("$python" -c 'import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])')
    cat >"$folder/nginx.conf" <<END
worker_processes 1;
daemon off;
pid $folder/nginx/pid;
error_log $folder/nginx/error.log;
events { worker_connections 512; }
http {
    types { image/jpeg jpg; }
    access_log off;
    sendfile on;
    tcp_nopush on;
    open_file_cache max=2000;
    keepalive_requests 1000000;
    client_body_temp_path $folder/nginx/client;
    proxy_temp_path $folder/nginx/proxy;
    fastcgi_temp_path $folder/nginx/fastcgi;
    uwsgi_temp_path $folder/nginx/uwsgi;
    scgi_temp_path $folder/nginx/scgi;
    server {
        listen 127.0.0.1:$port;
        root $folder/www;
        expires 1d;
    }
}
END
    nginx -e "$folder/nginx/error.log" -p "$folder/nginx" -c "$folder/nginx.conf" &
    nginx=$!
    for _ in {1..50}; do
        curl -q -s -f --noproxy '*' -o /dev/null "http://127.0.0.1:$port/30k.bin" && break 2
        kill -0 "$nginx" 2>/dev/null || break
        sleep 0.1
    done
    kill "$nginx" 2>/dev/null || true
    wait "$nginx" 2>/dev/null || true
    nginx=
done
if [ -z "$nginx" ]; then
    cat "$folder/nginx/error.log" >&2
    exit 1
fi

facts() {
    echo "- $(date -u +%Y-%m-%d), $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
        "load $(cut -d ' ' -f 1 /proc/loadavg)"
    echo "- $(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release), Linux $(uname -r)," \
        "$(swift --version 2>/dev/null | sed -n 's/^\(Swift version [0-9.]*\).*/\1/p')"
    echo "- $(curl -q --version | sed -n '1s/\([^ ]* [^ ]*\) .*\(libcurl[^ ]*\).*/\1, \2/p')," \
        "$(nginx -v 2>&1 | sed 's/.*: //'), $(vipsthumbnail --version)," \
        "$("$python" -c 'import PIL, pyvips; from importlib.metadata import version as v
print("Pillow", PIL.__version__ + ", pyvips", pyvips.__version__ + ", hishel", v("hishel") + ", aiohttp", v("aiohttp"))')"
    echo "- Photo: $(stat -c %s "$folder/photos/photo-0.jpg") bytes"
}

report() {
    facts
    "$programs/bench" "$folder" "$programs" "$tools" "$scripts" "$python" "http://127.0.0.1:$port" "$@"
}

if [ -n "$save" ]; then
    report "$@" | tee "$folder/report"
    {
        echo "# Benchmarks"
        echo
        echo "One run of \`make bench\`; [how to read it](../Benchmarks/README.md)."
        echo
        cat "$folder/report"
    } >"$save"
else
    report "$@"
fi
