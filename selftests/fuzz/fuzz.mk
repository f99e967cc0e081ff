# SPDX-License-Identifier: GPL-2.0-only
# For the top-level Makefile, whose variables it uses: fuzzers, and the tool's
# library once more, with sanitizers.

FUZZ_SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# Not in build/selftests, all of which goes into each VM.
FUZZ_DIR := $(B)/fuzz
# Instrumented, the compiler sees less of the ranges that these two judge by.
# -g1 has the lines for sanitizers' reports, and is built faster.
FUZZ_FLAGS := $(filter-out -O2 -g,$(UCFLAGS)) -g1 -Wno-format-truncation -Wno-maybe-uninitialized -O1 \
	$(FUZZ_SANITIZE) -Iselftests
# What no fuzzer reaches is not built: what captures, resolves and exports, and most commands.
FUZZ_UNUSED := user/capture/% user/session/% user/source/pt/capture/% user/source/perf_event/% \
	user/source/ring/% user/select/resolve/% user/sink/export/% user/sink/html/% user/sink/summary/% \
	$(filter-out user/cmd/inject.c,$(wildcard user/cmd/*.c)) \
	$(filter-out $(addprefix user/cmd/options/,help.c parse.c tsc_offset.c),$(wildcard user/cmd/options/*.c))
FUZZ_LIB := $(patsubst %.c,$(FUZZ_DIR)/obj/%.o,$(filter-out $(FUZZ_UNUSED),$(LIB_SRC)))
FUZZ_VERIFIER := $(VERIFIER_SRC:%.c=$(FUZZ_DIR)/obj/%.o)
FUZZ_BIN := $(FUZZ_DIR)/align $(FUZZ_DIR)/btf $(FUZZ_DIR)/expr $(FUZZ_DIR)/file $(FUZZ_DIR)/flow $(FUZZ_DIR)/inject $(FUZZ_DIR)/join $(FUZZ_DIR)/packets \
	$(FUZZ_DIR)/perf $(FUZZ_DIR)/prog $(FUZZ_DIR)/pt $(FUZZ_DIR)/record $(FUZZ_DIR)/samples \
	$(FUZZ_DIR)/user_files

.PHONY: fuzzers soak

fuzzers: $(FUZZ_BIN)

$(FUZZ_VERIFIER): FUZZ_FLAGS := $(VERIFIER_FLAGS) -O1 -g -MMD -MP $(FUZZ_SANITIZE)

$(FUZZ_DIR)/obj/%.o: %.c Makefile selftests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(FUZZ_FLAGS) -c -o $@ $<

$(FUZZ_DIR)/obj/user/abi/syscalls.o: $(B)/gen/syscall_names.h
$(FUZZ_DIR)/obj/user/abi/syscalls.o: FUZZ_FLAGS += -I$(B)/gen

$(FUZZ_DIR)/libfargs.a: $(FUZZ_LIB) $(FUZZ_VERIFIER)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(FUZZ_DIR)/btf: $(FUZZ_DIR)/obj/selftests/fuzz/btf_input.o
$(FUZZ_BIN): $(FUZZ_DIR)/%: $(FUZZ_DIR)/obj/selftests/fuzz/%.o $(FUZZ_DIR)/libfargs.a
	@echo "  LD      $@"
	$(Q)$(CC) $(FUZZ_SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(FUZZ_DIR)/libfargs.a $(ULIBS)

-include $(shell find $(FUZZ_DIR) -name '*.d' 2>/dev/null)

# From seeds never seen before: every fuzzer for so long, and so does the debug kernel.
SOAK_SECONDS ?= 600
soak:
	selftests/deps soak
	$(MAKE) -j$(shell nproc) user unit fuzzers
	selftests/soak/run --seconds $(SOAK_SECONDS)
