# SPDX-License-Identifier: GPL-2.0-only
# For the top-level Makefile, whose variables it uses.

BENCH_BIN := $(B)/selftests/bench/fentry $(B)/selftests/bench/compile \
	     $(B)/selftests/bench/measure $(B)/selftests/bench/grow $(B)/selftests/bench/flow $(B)/selftests/bench/stream \
	     $(B)/selftests/bench/started.so $(B)/selftests/bench/chroot.so

unit: $(BENCH_BIN)

FENTRY_C := selftests/bench/fentry.c selftests/bench/bpf_prog.c

$(B)/selftests/bench/fentry: $(FENTRY_C) selftests/bench/bpf_prog.h selftests/bench/kmod/object.h
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE $(LDFLAGS) -o $@ $(FENTRY_C) -lbpf

$(B)/selftests/bench/started.so $(B)/selftests/bench/chroot.so: $(B)/selftests/bench/%.so: \
		selftests/bench/%.c include/uapi/fargs.h
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE -Iinclude -fPIC -shared $(LDFLAGS) -o $@ $<

BENCH_LIB := compile measure grow flow stream

$(BENCH_LIB:%=$(B)/selftests/bench/%): $(B)/selftests/bench/%: selftests/bench/%.c $(B)/libfargs.a
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(filter-out -M%,$(UCFLAGS)) $(LDFLAGS) -o $@ $< $(B)/libfargs.a $(ULIBS)

bench: user $(BENCH_BIN)
	selftests/bench/bench
