# Homeward's front door. `make help` lists the targets; each first installs the Debian packages that it lacks.

# "make rig SHELL=1" asks for a shell in the machine, and is not to become the shell that runs these lines.
shell_wanted := $(if $(filter command line,$(origin SHELL)),yes)
override SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

SWIFT ?= swift
SECONDS ?= 60
MUTATIONS ?= 10000000
SEED ?=
SCENARIO ?=
SUITE ?= ci
ONCE_MORE ?=
ATTACK ?=
PROGRAMS ?=
SHORT ?=
WHOLE ?=
ALL ?=
ANSWERS ?=
TOY ?=
EXTRACTS ?=
WALKERS ?= 1000
BENCH ?=
DEBUGGER ?=
PREFIX ?= /usr/local
DESTDIR ?=

# Arrows between modules are checked in every build, so that CI never finds what a local build let through. An index is
# what editors make for themselves: it took a tenth of a build.
BUILD_FLAGS := --explicit-target-dependency-import-check error --disable-index-store
# Each module is compiled at once: file by file, and its outside before that, nearly everything was read and checked three
# times. One that did not change for those outside is not compiled again for them either way.
WHOLE_MODULES := -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads \
  -Xswiftc 1 -Xswiftc -disable-batch-mode
# Lines and names for a debugger, which builds anew, come with DEBUGGER=1.
DEBUG_FLAGS := $(BUILD_FLAGS) $(WHOLE_MODULES) $(if $(DEBUGGER),,-debug-info-format none)
# Small before fast: what is resident is mostly the programs' own text; Swift's runtime they share. A function is a
# section, and public means no more than inside one program: the linker drops what a program never calls, and keeps of
# functions that are alike one. What a running gateway calls lies side by side, as `make function-order` found it: the rest
# of the text is neither read nor resident until it is wanted.
RELEASE_FLAGS := -c release -Xswiftc -Osize -Xswiftc -gnone -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xswiftc -Xfrontend -Xswiftc -internalize-at-link -Xswiftc -use-ld=lld -Xlinker -s \
  -Xlinker -z -Xlinker now -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic -Xlinker --icf=all -Xlinker --as-needed \
  -Xlinker --symbol-ordering-file=$(CURDIR)/.ci/function-order.txt -Xlinker --no-warn-symbol-ordering \
  -Xswiftc -no-emit-module-separately-wmo $(BUILD_FLAGS)
SHIPPED := homewardd homeward homeward-hci homeward-warden $(notdir $(wildcard plugins/*/Sources/homeward-plugin-*))
PRODUCTS := $(SHIPPED)

# Modules with more than one thread; the thread sanitizer watches their tests.
CONCURRENT := Loop Store Plugins Runtime ControlSocket GPSD PluginKit \
  Loudspeaker SpokenSentences Credentials PictureStore

# Finds the toolchain once a target needs it, not for `make help`.
swift = $(eval swift := $$(shell .ci/swift-toolchain "$(SWIFT)"))$(or $(swift),$(error no Swift toolchain))

.PHONY: help house toys run build build-tests test golden bench function-order fuzz deb install release rig stories break crawl mutants screenshots towns format lint tsan clean catalogues contract default-configuration

help: ## Lists the targets.
	@grep -hE '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 23

# The debug build is ready in about a third of the time of the release build, and the outing is in real time anyway.
run: ## Shows a person leave home and return, on a simulated or a real receiver.
	@.ci/packages run
	@$(swift) build $(DEBUG_FLAGS) --product homewardd
	@$(swift) build $(DEBUG_FLAGS) --product homeward
	@$(swift) build $(DEBUG_FLAGS) --product homeward-warden
	@$(swift) build $(DEBUG_FLAGS) --product homeward-plugin-mqtt
	@$(swift) build $(DEBUG_FLAGS) --product homeward-plugin-console
	@$(swift) build $(DEBUG_FLAGS) --product homeward-plugin-report
	@exec .build/debug/homeward demo $(ARGUMENTS)

build: ## Builds everything unoptimised; DEBUGGER=1 with lines and names for a debugger.
	@.ci/packages build
	@$(swift) build $(DEBUG_FLAGS)

build-tests:
	@.ci/packages build
	@$(swift) build --build-tests $(DEBUG_FLAGS)

test: export HOMEWARD_WHOLE_TESTS = $(WHOLE)
test: ## Runs all tests; FILTER=Name runs those in Swift that it names, WHOLE=1 the long ones in full length.
	@.ci/packages test
	@$(swift) build --build-tests $(DEBUG_FLAGS)
	@$(if $(FILTER),.ci/swift-tests built --filter '$(FILTER)',.ci/tests)

golden: ## Keeps what the golden replay brings about now; the commit says which events differ and why.
	@HOMEWARD_GOLDEN_KEEP=1 $(MAKE) --no-print-directory test FILTER=GoldenReplayTests

# A program under the sanitizer needs more memory than a plugin may have: the tests that host a built one are left out.
tsan: ## Runs the tests of the concurrent modules under the thread sanitizer.
	@.ci/packages test
	@# The warden makes namespaces, which no process with the sanitizer's thread can: it comes from the plain build. Below a
	@# process with the sanitizer it gets none for itself either, so that the test of its own rights is for plain builds.
	@$(swift) build $(DEBUG_FLAGS) --product homeward-warden
	@install -D -m 755 -t "$$($(swift) build --scratch-path .build/tsan --show-bin-path)" \
	  "$$($(swift) build --show-bin-path)/homeward-warden"
	@HOMEWARD_TARGETS="$(addsuffix Tests,$(CONCURRENT))" .ci/swift-tests $(swift) --scratch-path .build/tsan \
	  --sanitize=thread $(WHOLE_MODULES) -Xswiftc -gline-tables-only --skip 'SpokenSentencesTests\.RealPluginTests' --skip 'WallTests/confinedWarden'

bench: ## Measures against the budgets, in a release build, each figure in a process of its own; fails when one is missed. ARGUMENTS=names of parts.
	@.ci/packages test
	@$(MAKE) --no-print-directory release
	@$(swift) build $(RELEASE_FLAGS) --product homeward-bench
	@exec .build/release/homeward-bench $(ARGUMENTS)

function-order: ## Finds in which order a running gateway calls its functions, for the linker to lay them side by side.
	@.ci/packages test
	@$(MAKE) --no-print-directory release
	@for product in homeward-bench homewardd; do $(swift) build $(subst -Xlinker -s ,,$(RELEASE_FLAGS)) --product $$product || exit 1; done
	@.ci/function-order .build/release/homewardd .ci/function-order.txt \
	  .build/release/homeward-bench daemon-start daemon-receiver daemon-memory
	@$(MAKE) --no-print-directory release

rig: ## Plays scenarios in a virtual machine; SCENARIO=name plays one, SUITE=full all, ONCE_MORE=1 repeats what failed, SHELL=1 looks around, BENCH=file plays on real hardware.
	@.ci/packages $(if $(BENCH),bench,rig)
	@$(if $(BENCH),,$(MAKE) --no-print-directory release PRODUCTS='$(PRODUCTS) homeward-walls')
	@exec hardware/rig/rig $(if $(shell_wanted),--shell) $(if $(BENCH),--bench '$(BENCH)') --suite $(SUITE) $(if $(ONCE_MORE),--once-more) $(SCENARIO)

stories: ## Tells stories of a household on this computer, without a virtual machine: days pass in seconds; SCENARIO=name tells one.
	@.ci/packages test
	@for product in $(filter-out homeward-hci,$(PRODUCTS)); do $(swift) build $(DEBUG_FLAGS) --product $$product || exit 1; done
	@exec hardware/rig/python -m homeward_rig --here $(SCENARIO)

break: ## Attacks a real gateway on this computer and counts what withstood; SHORT=1 in two minutes, ATTACK="names or F7", PROGRAMS=folder of another build, SEED=number.
	@.ci/packages test
	@$(if $(PROGRAMS),,$(MAKE) --no-print-directory release)
	@exec hardware/rig/python Tests/Break --programs '$(or $(PROGRAMS),.build/release)' $(if $(SHORT),--short) \
	  $(if $(SEED),--seed $(SEED)) $(ATTACK)

crawl: ## Has a scanner of web applications crawl and attack the pages of a made-up family; SECONDS=900 at most.
	@.ci/packages test crawl
	@for product in homewardd homeward-warden homeward-plugin-console; do $(swift) build $(DEBUG_FLAGS) --product $$product || exit 1; done
	@hardware/rig/python Tests/Browser/crawl.py $(if $(filter command line,$(origin SECONDS)),--seconds $(SECONDS))

screenshots: ## Takes pictures of the pages that look different now, for plugins/console/Design.md; ALL=1 of every page, ANSWERS=1 after a page asked something new.
	@.ci/packages test rig
	@$(MAKE) --no-print-directory build-tests
	@$(if $(ANSWERS),hardware/rig/python Tests/Browser/screenshots.py /dev/null --answers)
	@HOMEWARD_LOOKS='$(CURDIR)/.build/looks.txt' .ci/swift-tests built --filter 'ConsolePluginTests\.PictureTests/current' >/dev/null
	@hardware/rig/python Tests/Browser/screenshots.py .build/looks.txt $(if $(ALL),--all)

towns: ## Looks for each address of real towns, and has WALKERS=1000 people shown the way home there; EXTRACTS="files", OpenStreetMap's.
	@.ci/packages lint test
	@$(MAKE) --no-print-directory release PRODUCTS=homeward
	@$(swift) build $(RELEASE_FLAGS) --product homeward-walker-probe
	@.ci/towns .build/release $(WALKERS) $(EXTRACTS)

mutants: ## Breaks Homeward on purpose; the rig's scenarios have to notice. SCENARIO=mutation tries one.
	@.ci/packages rig
	@$(MAKE) --no-print-directory release
	@exec hardware/rig/rig --mutations $(SCENARIO)

fuzz: ## Feeds every reader of outside bytes with hostile input: each Bluetooth message MUTATIONS=10000000 times from SEED=20261120, each reader SECONDS=60.
	@.ci/packages fuzz
	@SWIFT=$(swift) .ci/fuzz $(SECONDS) $(MUTATIONS) $(SEED)

release: ## Builds what gets installed: optimised, stripped, the libraries of Swift's runtime beside the programs.
	@.ci/packages build
	@HOMEWARD_TARGETS="$(PRODUCTS)" $(swift) build $(RELEASE_FLAGS)
	@.ci/runtime $(swift) .build/release $(filter $(SHIPPED),$(PRODUCTS))

install: ## Installs below PREFIX=/usr/local, for DESTDIR= too; builds first when needed.
	@$(MAKE) --no-print-directory release
	@.ci/install "$(DESTDIR)" "$(PREFIX)"

deb: ## Builds the Debian package and lets lintian judge it; the result is in .build/deb.
	@.ci/packages deb
	@SWIFT=$(swift) .ci/deb

format: ## Formats all Swift and Python files.
	@.ci/packages lint
	@$(swift) format -i -r --parallel Package.swift Sources Tests plugins
	@hardware/rig/python -m ruff format --quiet .

house: ## Measures the sources: sizes, who imports whom, what every feature edits. BEFORE=a revision to compare with.
	@.ci/house $(if $(BEFORE),--before $(BEFORE))

toys: ## Adds each toy of Tests/Toys to a copy of the tree, builds it there and runs its tests; TOY=name takes one.
	@.ci/packages test
	@SWIFT='$(swift)' .ci/toys --check $(TOY)

lint: ## Checks format and documentation of all Swift files, and all Python and shell programs.
	@.ci/packages lint
	@$(swift) format lint --strict -r --parallel Package.swift Sources Tests plugins
	@hardware/rig/python -m ruff format --quiet --check .
	@hardware/rig/python -m ruff check --quiet .
	@.ci/catalogues --check >/dev/null
	@git grep -lzE '^#!(/bin/sh|.*bash)' -- ':!*.swift' | xargs -0 shellcheck --severity=warning

contract: build-tests ## Writes the pages of plugins/ that are made from what the gateway declares.
	@.ci/contract .build/debug/homeward

catalogues: ## Merges the texts of all sources into zh_CN.po, to be translated there; .build/homeward.pot has them for another language.
	@.ci/packages lint
	@.ci/catalogues

default-configuration: build-tests ## Takes debian/homeward.yaml from what the program documents.
	@.build/debug/homewardd --default-configuration > debian/homeward.yaml

clean: ## Removes everything that was built.
	rm -rf .build .run
