# What a machine needs, by apt's names (Debian 12, Ubuntu 24.04).
BUILD_PACKAGES := pkg-config libvips-dev libwebp-dev libavif-dev zlib1g-dev libcurl4-openssl-dev libsqlite3-dev
GTK_PACKAGES   := libgtk-4-dev adwaita-icon-theme fonts-cantarell
TEST_PACKAGES  := nginx-light openssl
# A display, and what reads a window as assistive technologies do.
GTK_TEST_PACKAGES := xvfb xauth xdotool dbus at-spi2-core python3-gi gir1.2-atspi-2.0
DEMO_PACKAGES  := python3-venv
FIXTURE_PACKAGES := libavif-bin libjxl-tools
BENCH_PACKAGES := libvips-tools curl nginx-light python3-venv

# What makes fixtures and the demo's pictures. Debian 12 has no package of pyvips, so pip brings it
# into a folder of its own; it drives the libvips that is installed.
PYTHON          := .build/python/bin/python3
PYTHON_PACKAGES := pyvips
PICTURES        := .build/demo/pictures

# Folders of Swift code, as far as they exist.
SWIFT_CODE := $(wildcard Sources Tests Tools Benchmarks Demo Examples Package.swift)

.DEFAULT_GOAL := help
.PHONY: help deps fixtures build-deps test-deps demo-deps bench-deps build demo test tsan asan lint \
        format examples outside bench conformance conformance-http fuzz docs features clean

help:  ## lists these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

deps:  ## installs all packages that build, test, demo and bench need, if any is missing
	@Scripts/deps $(sort $(BUILD_PACKAGES) $(GTK_PACKAGES) $(TEST_PACKAGES) $(GTK_TEST_PACKAGES) $(DEMO_PACKAGES) $(BENCH_PACKAGES))

# Without the views: VITRINE_GTK=0 leaves GTK out, here and in Package.swift.
ifeq ($(VITRINE_GTK),0)
GTK_PACKAGES :=
GTK_TEST_PACKAGES :=
endif

# What does without the views.
demo sheet soak bench fuzz conformance conformance-http: export VITRINE_GTK := 0
demo sheet soak bench fuzz conformance conformance-http: GTK_PACKAGES :=

build-deps:
	@Scripts/deps $(BUILD_PACKAGES) $(GTK_PACKAGES)

test-deps:
	@Scripts/deps $(BUILD_PACKAGES) $(GTK_PACKAGES) $(TEST_PACKAGES) $(GTK_TEST_PACKAGES)

demo-deps: $(PYTHON)

# Where pyvips finds no pkg-config it calls libvips without compiling, which would need gcc and
# Python's headers.
$(PYTHON):
	@Scripts/deps $(BUILD_PACKAGES) $(DEMO_PACKAGES)
	@echo "Installing $(PYTHON_PACKAGES) in .build/python."
	@rm -rf .build/python
	@python3 -m venv .build/python
	@PKG_CONFIG=false $@ -m pip install --quiet --disable-pip-version-check $(PYTHON_PACKAGES) </dev/null \
	    || { rm -rf .build/python; exit 1; }

bench-deps:
	@Scripts/deps $(BUILD_PACKAGES) $(BENCH_PACKAGES)

build: build-deps  ## builds everything for debugging
	swift build

fixtures: demo-deps  ## generates the files in Fixtures anew
	@Scripts/deps $(FIXTURE_PACKAGES)
	$(PYTHON) Fixtures/make.py images

# Without a list of one's own, the demo's pictures are needed, and what makes them.
demo: $(if $(URLS),build-deps,$(PICTURES))  ## loads 27 pictures twice; URLS=file: those that the file lists
	swift build -c release --product vitrine
	swift build -c release --product demo
	@.build/release/demo $(if $(URLS),"$(URLS)")

# A picture is taken on a display of its own, which is the same everywhere.
.PHONY: demo-gallery
demo-gallery: build-deps $(PICTURES)  ## shows the demo's pictures in the gallery; SCREENSHOT=file: takes a picture
	$(if $(SCREENSHOT),@Scripts/deps $(GTK_TEST_PACKAGES))
	swift build -c release --product vitrine-gallery
	swift build -c release --product demo
	@$(if $(SCREENSHOT),GSK_RENDERER=cairo xvfb-run -a -s "-screen 0 1280x1024x24") .build/release/demo gallery \
	    $(if $(SCREENSHOT),--size 850x590 --screenshot "$(SCREENSHOT)")

.PHONY: sheet
sheet: $(PICTURES)  ## draws what all filters and formats look like into Documentation
	swift build -c release --product vitrine
	@$(PYTHON) Scripts/sheet .build/release/vitrine $(PICTURES) Documentation

$(PICTURES): Fixtures/make.py | $(PYTHON)
	@echo "Making the demo's pictures."
	@rm -rf $@ $@.part
	@$(PYTHON) Fixtures/make.py demo $@.part >/dev/null
	@mv $@.part $@
	@touch $@

test: test-deps  ## builds and runs all tests
	swift build --build-tests --quiet
	swift test --skip-build --quiet --disable-xctest --no-parallel

.PHONY: torture
torture: build-deps  ## kills a process that writes to the disk store 300 times; KILLS=n
	swift build --build-tests --quiet
	VITRINE_KILLS=$(or $(KILLS),300) swift test --skip-build --quiet --disable-xctest --no-parallel \
	    --filter DiskStoreTortureTests

.PHONY: soak
soak: build-deps  ## 100,000 loads of all kinds, and what memory they leave; LOADS=n
	swift build -c release --quiet --product soak
	.build/release/soak $(or $(LOADS),100000)

.PHONY: recycle
recycle: build-deps  ## jumps about in a list of 2,000 pictures, 120,000 looks at its rows; CHECKS=n
	swift build --build-tests --quiet
	VITRINE_RECYCLING_CHECKS=$(or $(CHECKS),120000) swift test --skip-build --disable-xctest \
	    --no-parallel --filter RecyclingTests

tsan: test-deps  ## runs the tests under ThreadSanitizer
	swift test --sanitize=thread --scratch-path .build/tsan --no-parallel

# Leaks are not looked for: Foundation's reading of files has some of its own.
asan: test-deps  ## runs the tests under AddressSanitizer
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build/asan --no-parallel

lint:  ## checks the style; changes nothing
	swift format lint --strict --recursive $(SWIFT_CODE)

format:  ## brings the code into the style
	swift format --in-place --recursive $(SWIFT_CODE)

examples: test-deps  ## builds the programs in Examples and runs them
	@Scripts/examples

outside: build-deps  ## builds a package elsewhere that depends on what is committed here
	@Scripts/outside

bench: bench-deps  ## measures, beside other programs that do the same
	Benchmarks/run.sh

.PHONY: bench-gtk
bench-gtk: test-deps  ## measures how smoothly and how soon pictures come to a window; SECONDS=n
	swift build -c release --quiet --product gtk-bench
	@.build/release/gtk-bench $(or $(SECONDS),15)

.PHONY: gtk-stress
gtk-stress: test-deps  ## runs the tests of the views 20 times in a row while the machine is busy; RUNS=n
	swift build --build-tests --quiet
	@Scripts/gtk-stress $(or $(RUNS),20)

conformance: build-deps  ## make conformance CORPORA=folder [REPORT=file]: decodes others' files, compares
	@swift build --quiet --product conformance
	@.build/debug/conformance "$(CORPORA)" $(if $(REPORT),"$(REPORT)")

conformance-http: build-deps  ## make conformance-http SUITE=folder [REPORT=file]: judges the HTTP cache
	@swift build --quiet --product cache-probe
	@Scripts/conformance-http "$(SUITE)" $(if $(REPORT),"$(REPORT)")

fuzz: build-deps  ## fuzzes the decoders, and damages the fixtures of all formats; RUNS=n MUTANTS=n
	Tools/Fuzz/run $(or $(RUNS),1000000)
	swift build --quiet --sanitize=address --scratch-path .build/asan --product mutants
	ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no .build/asan/debug/mutants \
	    $(or $(MUTANTS),200000) 2>.build/asan/mutants.log

docs: build-deps  ## writes the documentation of each module to .build/docs
	@Scripts/docs

features:  ## make features FEATURES=file: which tests show which row of that file
	@Scripts/features "$(FEATURES)"

clean:  ## removes everything that was built
	rm -rf .build
