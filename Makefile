# SPDX-License-Identifier: GPL-2.0-only
#
#	make			the tool, and the modules for the running kernel
#	make install		both, for the running kernel (PREFIX, DESTDIR, KVER)
#	make install-user	the tool alone
#	make install-dkms	the module's source, for DKMS
#	make uninstall		takes away what these installed
#	make demo		all set-up, then a tour in a VM; Debian 12, root
#	make check		all set-up, then every test; Debian 12, root
#	make soak		fuzzers, SOAK_SECONDS (600) each, the debug kernel, long tests
#	make bench		instructions per event, beside other tracers
#	make bench-native	time of an event on this machine's CPU
#	make lint		style and static checks
#	make deps		Debian packages that the above need
#
#	SANITIZE=address,undefined	builds the tool and its unit tests with these sanitizers

PREFIX ?= /usr/local
DESTDIR ?=
KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
B := build

VERSION := $(shell sed -n 's/.*FARGS_VERSION.*"\(.*\)".*/\1/p' kmod/Kbuild)

Q := $(if $(V),,@)
CFLAGS ?= -O2 -g
# Not for the kselftests: they run in VMs, whose root has no sanitizer's library.
override CFLAGS += $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer)
IS_SANITIZED := $(findstring -fsanitize,$(CFLAGS))
# GCC does not follow values through a sanitizer's checks, and warns of ranges it no longer knows.
WARN := -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter \
	$(if $(IS_SANITIZED),-Wno-format-truncation -Wno-maybe-uninitialized)
PKG_CONFIG ?= pkg-config
# Where there is no pkg-config, or it does not know: where distributions have it.
TRACEEVENT := $(shell $(PKG_CONFIG) --cflags libtraceevent 2>/dev/null || \
		echo -I/usr/include/traceevent)
TRACEEVENT_LIBS := $(shell $(PKG_CONFIG) --libs libtraceevent 2>/dev/null || echo -ltraceevent)
# Objects are for the tool and for what perf loads. Code of a position-independent program serves
# for both, unless a sanitizer refers to data of its own in it.
PIC := $(if $(IS_SANITIZED),-fPIC,$(if \
	$(filter 2,$(shell echo __PIE__ | $(CC) -E -P - 2>/dev/null)),,-fPIC))
UCFLAGS := -std=gnu11 $(CFLAGS) $(PIC) $(WARN) -D_GNU_SOURCE -DFARGS_VERSION='"$(VERSION)"' \
	   -Iuser -Iinclude $(TRACEEVENT) -MMD -MP
# What libtraceevent's plugin for kvm asks the program for is found by name (user/model/kvm_plugin.h).
LIBS := -lbpf -lelf -lbsd -lzstd -lipt -lZydis -ldw $(TRACEEVENT_LIBS) -lpthread
# The screen of fargs top; not for what perf loads.
ULIBS := -rdynamic $(LIBS) -lncursesw -ltinfo

# Objects that other flags made are made anew.
FLAGS := $(CC) $(UCFLAGS) $(LDFLAGS)
$(shell mkdir -p $(B))
ifneq ($(FLAGS),$(file <$(B)/flags))
$(file >$(B)/flags,$(FLAGS))
endif

# Everything but main() and what perf loads is in the library, for the unit tests.
PERF_DLFILTER := user/plugin/dlfilter/perf/fargs_dlfilter
MAIN_OBJ := $(B)/obj/user/cmd/main.o
LIB_SRC := $(sort $(filter-out user/cmd/main.c $(PERF_DLFILTER).c,$(shell find user -name '*.c')))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/obj/%.o)
UNIT_SRC := $(sort $(wildcard selftests/unit/*.c))
UNIT_BIN := $(UNIT_SRC:selftests/unit/%.c=$(B)/selftests/unit/%)
MAN := $(sort $(wildcard Documentation/man/*.[1-8]))

.PHONY: all modules user unit dlfilters check demo bench lint install install-user install-modules \
	install-dkms uninstall uninstall-dkms deps clean
.DELETE_ON_ERROR:

all: user modules

user: $(B)/fargs $(B)/fargs-dlfilter.so

modules:
	@test -e $(KDIR)/Makefile || { echo "no kernel headers at $(KDIR):" \
		"install linux-headers-$(KVER), or say KDIR=" >&2; exit 1; }
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

$(B)/libfargs.a: $(LIB_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $(LIB_OBJ)

$(B)/fargs: $(MAIN_OBJ) $(B)/libfargs.a
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(MAIN_OBJ) $(B)/libfargs.a $(ULIBS)

# For perf script --dlfilter: what it looks for is all that can be seen.
PERF_DLFILTER_OBJ := $(PERF_DLFILTER:%=$(B)/obj/%.o)
PERF_DLFILTER_MAP := $(dir $(PERF_DLFILTER))exports.map

# They use stdout and stderr, which are the C library's.
$(PERF_DLFILTER_OBJ) $(B)/obj/user/plugin/dlfilter/perf/spool.o: UCFLAGS += -fPIC

$(B)/fargs-dlfilter.so: $(PERF_DLFILTER_OBJ) $(B)/libfargs.a $(PERF_DLFILTER_MAP)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,--version-script=$(PERF_DLFILTER_MAP) \
		$(if $(IS_SANITIZED),,-Wl,--no-undefined) -Wl,--as-needed -o $@ $(PERF_DLFILTER_OBJ) $(B)/libfargs.a $(LIBS)

$(B)/obj/%.o: %.c Makefile kmod/Kbuild $(B)/flags
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(UCFLAGS) -c -o $@ $<

# The names of x86-64's system calls: those that the kernel's header defines.
$(B)/gen/syscall_names.h: Makefile
	@mkdir -p $(@D)
	$(Q)echo '#include <asm/unistd_64.h>' | $(CC) -E -dM - | \
		sed -n 's/^#define __NR_\([a-z0-9_]*\) .*/N(\1)/p' | sort >$@
	@test -s $@

$(B)/obj/user/abi/syscalls.o: $(B)/gen/syscall_names.h
$(B)/obj/user/abi/syscalls.o: UCFLAGS += -I$(B)/gen

# What the page of report --html is made of is in it.
$(B)/obj/user/sink/html/page_files.o: $(wildcard user/sink/html/page/*)

# Where it looks for dlfilters of its own. Another PREFIX makes another object.
$(shell mkdir -p $(B) && echo '$(PREFIX)' | cmp -s - $(B)/prefix || echo '$(PREFIX)' >$(B)/prefix)
$(B)/obj/user/plugin/dlfilter/find.o: $(B)/prefix
$(B)/obj/user/plugin/dlfilter/find.o: UCFLAGS += -DFARGS_LIBDIR='"$(PREFIX)/lib/fargs"'

unit: $(UNIT_BIN)

# The samples of dlfilters, by the header that linux-perf installs: fargs itself needs none.
DLFILTERS := $(patsubst samples/dlfilter/%.c,$(B)/dlfilters/%.so,$(wildcard samples/dlfilter/*.c))

dlfilters: $(DLFILTERS)

$(B)/dlfilters/%.so: samples/dlfilter/%.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) -std=gnu11 $(CFLAGS) $(WARN) -Wno-missing-prototypes -Iinclude -shared -fPIC -o $@ $<

$(B)/selftests/unit/%: selftests/unit/%.c $(B)/libfargs.a
	@mkdir -p $(@D) $(B)/obj
	@echo "  CC      $<"
	$(Q)$(CC) $(UCFLAGS) -Iselftests -MF $(B)/obj/unit-$*.d $(LDFLAGS) -o $@ \
		$(filter %.c %.o,$^) $(B)/libfargs.a $(ULIBS)

# They have memory run short.
$(B)/selftests/unit/array: LDFLAGS += -fno-builtin-realloc -Wl,--wrap=realloc
$(B)/selftests/unit/hash: LDFLAGS += -Wl,--wrap=calloc
$(B)/selftests/unit/stack_tree: LDFLAGS += -Wl,--wrap=calloc

-include $(LIB_OBJ:.o=.d) $(MAIN_OBJ:.o=.d) $(PERF_DLFILTER_OBJ:.o=.d) $(wildcard $(B)/obj/unit-*.d)
-include selftests/bench/bench.mk selftests/selftests.mk selftests/fuzz/fuzz.mk selftests/ptemu/ptemu.mk selftests/hardware/hardware.mk

deps:
	selftests/deps

# Set-up comes first, also with -j.
demo: deps
	$(MAKE) user
	selftests/vm/run --kernel 6.1 -- selftests/demo/run

check: deps
	+MAKE='$(MAKE)' selftests/check

lint: deps
	selftests/lint/run

install: install-user install-modules

# What is installed, and taken away again: mode, file, and where to below PREFIX. Programs of
# others include the interface as uapi/, by -I PREFIX/include/fargs.
UAPI := $(sort $(wildcard include/uapi/*.h))
USER_FILES := 755 $(B)/fargs bin/fargs \
	755 $(B)/fargs-dlfilter.so lib/fargs/dlfilters/fargs-dlfilter.so \
	644 kmod/60-fargs.rules lib/udev/rules.d/60-fargs.rules \
	644 user/completion/fargs.bash share/bash-completion/completions/fargs \
	644 user/completion/_fargs share/zsh/site-functions/_fargs \
	644 Documentation/fargs-event.schema.json share/fargs/event.schema.json \
	$(foreach page,$(MAN),644 $(page) share/man/man$(subst .,,$(suffix $(page)))/$(notdir $(page))) \
	$(foreach header,$(UAPI),644 $(header) include/fargs/$(header:include/%=%))

install-user: user
	$(Q)set -- $(USER_FILES); while [ $$# != 0 ]; do \
		echo "  INSTALL $(DESTDIR)$(PREFIX)/$$3"; \
		install -D -m $$1 $$2 "$(DESTDIR)$(PREFIX)/$$3" || exit; shift 3; done

# fargs.ko alone: the samples are not for a user's machine.
install-modules: modules
	@echo "  INSTALL $(DESTDIR)/lib/modules/$(KVER)/updates/fargs.ko"
	$(Q)install -D -m 644 kmod/fargs.ko "$(DESTDIR)/lib/modules/$(KVER)/updates/fargs.ko"
	$(Q)test -n "$(DESTDIR)" || depmod $(KVER)

# The module's source, where DKMS looks for it: then dkms install fargs/VERSION. Sources that
# kbuild made (.mod.c) are of one kernel.
DKMS_DIR := /usr/src/fargs-$(VERSION)

install-dkms:
	@echo "  INSTALL $(DESTDIR)$(DKMS_DIR)"
	$(Q)for file in $$(find kmod -name '*.[chS]' ! -name '*.mod.c' -o -name Kbuild) $(UAPI); do \
		install -D -m 644 $$file "$(DESTDIR)$(DKMS_DIR)/$$file" || exit; done
	$(Q)sed 's/#MODULE_VERSION#/$(VERSION)/' kmod/dkms.conf >"$(DESTDIR)$(DKMS_DIR)/dkms.conf"

# Folders that are left empty go, too: below DESTDIR all of them, else those that are only ours.
uninstall:
	$(Q)set -- $(USER_FILES); while [ $$# != 0 ]; do \
		rm -f "$(DESTDIR)$(PREFIX)/$$3" || exit; shift 3; done
	$(Q)rm -f "$(DESTDIR)/lib/modules/$(KVER)/updates/fargs.ko"
	$(Q)cd "$(DESTDIR)$(PREFIX)" 2>/dev/null || exit 0; for dir in lib/fargs share/fargs include/fargs; do \
		test ! -d $$dir || find $$dir -depth -type d -empty -delete; done
	$(Q)test -z "$(DESTDIR)" || test ! -d "$(DESTDIR)" || \
		find "$(DESTDIR)" -mindepth 1 -depth -type d -empty -delete
	$(Q)test -n "$(DESTDIR)" || depmod $(KVER)

# Behind dkms remove fargs/VERSION --all. Not a part of uninstall: it may be the Debian package's.
uninstall-dkms:
	$(Q)rm -rf "$(DESTDIR)$(DKMS_DIR)"
	$(Q)test -z "$(DESTDIR)" || test ! -d "$(DESTDIR)" || \
		find "$(DESTDIR)" -mindepth 1 -depth -type d -empty -delete

# Also what kbuild left beside its sources; its own clean would go through all of build/ as well.
clean:
	rm -rf $(B)/obj $(B)/fargs $(B)/fargs-dlfilter.so $(B)/libfargs.a $(B)/prefix $(B)/flags \
		$(B)/selftests $(B)/fuzz $(B)/hardware
	find kmod samples selftests/bench -type f \( -name '*.o' -o -name '*.ko' -o -name '*.mod' \
		-o -name '*.mod.c' -o -name '*.cmd' -o -name modules.order \) -delete
	rm -f modules.order Module.symvers .modules.order.cmd .Module.symvers.cmd
