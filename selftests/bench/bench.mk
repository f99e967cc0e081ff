# SPDX-License-Identifier: GPL-2.0-only
# For the top-level Makefile, whose variables it uses.

BENCH_BIN := $(B)/selftests/bench/fentry $(B)/selftests/bench/compile $(B)/selftests/bench/return

unit: $(BENCH_BIN)

$(B)/selftests/bench/fentry: selftests/bench/fentry.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE $(LDFLAGS) -o $@ $< -lbpf

$(B)/selftests/bench/compile: selftests/bench/compile.c $(B)/libfargs.a
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(filter-out -M%,$(UCFLAGS)) $(LDFLAGS) -o $@ $< $(B)/libfargs.a $(ULIBS)

$(B)/selftests/bench/return: selftests/bench/return.c selftests/lib/returns.h
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE= -Iselftests -Iinclude $(LDFLAGS) -o $@ $<

bench: user $(BENCH_BIN)
	selftests/bench/bench
