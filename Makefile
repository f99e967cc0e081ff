# SPDX-License-Identifier: GPL-2.0-only
# The user's targets: all modules user install demo check bench lint doc deps clean

PREFIX ?= /usr/local
DESTDIR ?=
KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
B := build

VERSION := 0.1

CC ?= gcc
AR ?= ar
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter
UCFLAGS := -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE -DFARGS_VERSION='"$(VERSION)"' \
	   -Iuser -Iinclude -MMD -MP
ULIBS := -lbpf -lelf -lbsd

LIB_SRC := $(sort $(wildcard user/*/*.c))
CMD_SRC := $(sort $(wildcard user/*.c))
LIB_OBJ := $(LIB_SRC:%.c=$(B)/obj/%.o)
CMD_OBJ := $(CMD_SRC:%.c=$(B)/obj/%.o)
UNIT_SRC := $(sort $(wildcard selftests/unit/*.c))
UNIT_BIN := $(UNIT_SRC:selftests/unit/%.c=$(B)/selftests/unit/%)

.PHONY: all modules user unit check demo bench lint doc install uninstall deps clean
.DELETE_ON_ERROR:

all: modules user

user: $(B)/fargs

modules:
	@test -e $(KDIR)/Makefile || { \
		echo "no kernel headers at $(KDIR): install linux-headers-$(KVER), or give KDIR=" >&2; exit 1; }
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

$(B)/libfargs.a: $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $(LIB_OBJ)

$(B)/fargs: $(CMD_OBJ) $(B)/libfargs.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(CMD_OBJ) $(B)/libfargs.a $(ULIBS)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(UCFLAGS) -c -o $@ $<

unit: $(UNIT_BIN)

$(B)/selftests/unit/%: selftests/unit/%.c $(B)/libfargs.a
	@mkdir -p $(@D)
	$(CC) $(UCFLAGS) -Iselftests -MF $(B)/obj/unit-$*.d $(LDFLAGS) -o $@ $< $(B)/libfargs.a $(ULIBS)

-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d) $(wildcard $(B)/obj/unit-*.d)

clean:
	rm -rf $(B)/obj $(B)/fargs $(B)/libfargs.a $(B)/selftests
