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

# The module's capture path, built for user space with the options that matter to its code.
NATIVE_DIR := selftests/bench/native
NATIVE := $(B)/selftests/bench/native
NATIVE_FLAGS := -std=gnu11 -O2 -g -pthread -D_GNU_SOURCE $(WARN) -Iselftests -Iinclude
NATIVE_HAS_LTTNG = $(shell $(PKG_CONFIG) --exists lttng-ust && echo y)

$(NATIVE): $(wildcard $(NATIVE_DIR)/*.[ch] selftests/lib/kernel/*/*.h kmod/*/*.[ch] kmod/arch/x86/*.h) \
		selftests/unit/ring_machine.h $(B)/selftests/verifier.a
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(NATIVE_FLAGS) -c -o $@-layout.o $(NATIVE_DIR)/layout.c
	$(Q)$(if $(NATIVE_HAS_LTTNG),$(CC) $(NATIVE_FLAGS) -c -o $@-lttng.o $(NATIVE_DIR)/lttng.c)
	$(Q)$(CC) -Iselftests/lib/kernel -Ikmod $(NATIVE_FLAGS) -Wno-sign-compare -mno-red-zone \
		-fno-tree-vectorize -o $@ $(NATIVE_DIR)/native.c $@-layout.o $(B)/selftests/verifier.a \
		$(if $(NATIVE_HAS_LTTNG),$@-lttng.o $(shell $(PKG_CONFIG) --libs lttng-ust))

bench-native: $(NATIVE)
	$(NATIVE_DIR)/run $(NATIVE)
.PHONY: bench-native
