# SPDX-License-Identifier: GPL-2.0-only
#
#	make			the tool, and the modules for the running kernel
#	make install		both, for the running kernel (PREFIX, DESTDIR, KVER)
#	make demo		all set-up, then a tour in a VM; Debian 12, root
#	make check		all set-up, then every test; Debian 12, root
#	make soak		fuzzers, SOAK_SECONDS (600) each, the debug kernel, long tests
#	make bench		instructions per event, beside other tracers
#	make lint		style and static checks
#	make deps		Debian packages that the above need

PREFIX ?= /usr/local
DESTDIR ?=
KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
B := build

VERSION := $(shell sed -n 's/.*FARGS_VERSION.*"\(.*\)".*/\1/p' kmod/Kbuild)

Q := $(if $(V),,@)
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter
PKG_CONFIG ?= pkg-config
# Where there is no pkg-config, or it does not know: where distributions have it.
TRACEEVENT := $(shell $(PKG_CONFIG) --cflags libtraceevent 2>/dev/null || \
		echo -I/usr/include/traceevent)
TRACEEVENT_LIBS := $(shell $(PKG_CONFIG) --libs libtraceevent 2>/dev/null || echo -ltraceevent)
# Objects are for the tool and for what perf loads: those that can be anywhere are for both.
PIC := $(if $(filter 2,$(shell echo __PIE__ | $(CC) -E -P - 2>/dev/null)),,-fPIC)
UCFLAGS := -std=gnu11 $(CFLAGS) $(PIC) $(WARN) -D_GNU_SOURCE -DFARGS_VERSION='"$(VERSION)"' \
	   -Iuser -Iinclude $(TRACEEVENT) -MMD -MP
# What libtraceevent's plugin for kvm asks the program for is found by name (user/decode/kvm_plugin.h).
LIBS := -lbpf -lelf -lbsd -lzstd -lipt -ldw $(TRACEEVENT_LIBS) -lpthread
ULIBS := -rdynamic $(LIBS)

LIB_SRC := $(sort $(wildcard user/*/*.c))
CMD_SRC := $(sort $(wildcard user/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/obj/%.o)
CMD_OBJ := $(CMD_SRC:%.c=$(B)/obj/%.o)
UNIT_SRC := $(sort $(wildcard selftests/unit/*.c))
UNIT_BIN := $(UNIT_SRC:selftests/unit/%.c=$(B)/selftests/unit/%)
MAN := $(sort $(wildcard Documentation/man/*.[1-8]))

.PHONY: all modules user unit dlfilters check demo bench lint install install-user install-modules \
	uninstall deps clean
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

$(B)/fargs: $(CMD_OBJ) $(B)/libfargs.a
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(CMD_OBJ) $(B)/libfargs.a $(ULIBS)

# For perf script --dlfilter: what it looks for is all that can be seen.
PERF_DLFILTER := user/dlfilter/perf
PERF_DLFILTER_OBJ := $(B)/obj/$(PERF_DLFILTER)/fargs_dlfilter.o

# They use stdout and stderr, which are the C library's.
$(PERF_DLFILTER_OBJ) $(B)/obj/user/dlfilter/spool.o: UCFLAGS += -fPIC

$(B)/fargs-dlfilter.so: $(PERF_DLFILTER_OBJ) $(B)/libfargs.a $(PERF_DLFILTER)/exports.map
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,--version-script=$(PERF_DLFILTER)/exports.map \
		-Wl,--no-undefined -Wl,--as-needed -o $@ $(PERF_DLFILTER_OBJ) $(B)/libfargs.a $(LIBS)

$(B)/obj/%.o: %.c Makefile kmod/Kbuild
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(UCFLAGS) -c -o $@ $<

# Where it looks for dlfilters of its own.
$(B)/obj/user/dlfilter/find.o: UCFLAGS += -DFARGS_LIBDIR='"$(PREFIX)/lib/fargs"'

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

-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d) $(PERF_DLFILTER_OBJ:.o=.d) $(wildcard $(B)/obj/unit-*.d)
-include selftests/bench/bench.mk selftests/selftests.mk selftests/fuzz/fuzz.mk selftests/ptemu/ptemu.mk

deps:
	selftests/deps

# Set-up comes first, also with -j.
demo: deps
	$(MAKE) user
	selftests/vm/run --kernel 6.1 -- selftests/demo/run

check: deps
	$(MAKE) user unit fuzzers
	selftests/check

lint: deps
	selftests/lint/run

install: install-user install-modules

install-user: user
	install -D -m 755 $(B)/fargs $(DESTDIR)$(PREFIX)/bin/fargs
	install -D -m 755 $(B)/fargs-dlfilter.so \
		$(DESTDIR)$(PREFIX)/lib/fargs/dlfilters/fargs-dlfilter.so
	for page in $(MAN); do \
		install -D -m 644 $$page \
			$(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/} || exit; done
	install -D -m 644 user/completion/fargs.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/fargs
	install -D -m 644 Documentation/fargs-event.schema.json \
		$(DESTDIR)$(PREFIX)/share/fargs/event.schema.json

# fargs.ko alone: the samples are not for a user's machine.
install-modules: modules
	install -D -m 644 kmod/fargs.ko $(DESTDIR)/lib/modules/$(KVER)/updates/fargs.ko
	test -n "$(DESTDIR)" || depmod $(KVER)

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/fargs \
		$(DESTDIR)$(PREFIX)/lib/fargs/dlfilters/fargs-dlfilter.so \
		$(DESTDIR)/lib/modules/$(KVER)/updates/fargs.ko \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/fargs \
		$(DESTDIR)$(PREFIX)/share/fargs/event.schema.json
	for page in $(MAN); do \
		rm -f $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}; done
	test -n "$(DESTDIR)" || depmod $(KVER)

clean:
	rm -rf $(B)/obj $(B)/fargs $(B)/fargs-dlfilter.so $(B)/libfargs.a $(B)/selftests $(B)/fuzz
