# SPDX-License-Identifier: GPL-2.0-only
# For the top-level Makefile: the programs of the kselftests.

.PHONY: kselftests

unit: kselftests

kselftests:
	$(Q)$(MAKE) --no-print-directory -C selftests OUTPUT=$(CURDIR)/$(B)/selftests all

# The tool as it would be were the interface another one: what does it say of
# today's module? All that knows the number is the device's file.
unit: $(B)/selftests/fargs_other_abi

$(B)/other-abi/uapi/fargs.h: include/uapi/fargs.h
	@mkdir -p $(@D)
	$(Q)sed 's/^\(#define FARGS_ABI\s*\).*/\1999/' $< >$@

$(B)/selftests/fargs_other_abi: $(B)/other-abi/uapi/fargs.h user/session/device.c $(B)/fargs
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -M%,-I$(B)/other-abi $(UCFLAGS)) $(LDFLAGS) -o $@ user/session/device.c \
		$(MAIN_OBJ) $(B)/libfargs.a $(ULIBS)

# The module's verifier of layouts, and what runs their programs, for user space. The kernel is built without
# -Wsign-compare.
VERIFIER_SRC := selftests/lib/verifier.c selftests/lib/machine.c selftests/lib/memory_map.c \
	$(addprefix kmod/,base/refusal.c layout/layout.c layout/body.c layout/prog_verify.c prog/template.c \
		prog/prog.c prog/chain.c prog/regcond.c prog/regrange.c prog/tree.c)
VERIFIER_HDR := $(wildcard selftests/lib/kernel/*/*.h selftests/lib/verifier.h \
	selftests/lib/machine.h kmod/*/*.h kmod/*/*/*.h \
	include/uapi/*.h)
VERIFIER_FLAGS := -std=gnu11 $(WARN) -Wno-sign-compare -Iselftests/lib/kernel -Ikmod -Iinclude

$(B)/selftests/verifier.a: $(VERIFIER_SRC) $(VERIFIER_HDR) $(B)/flags
	@mkdir -p $(B)/obj/verifier $(@D)
	@echo "  AR      $@"
	$(Q)for src in $(VERIFIER_SRC); do \
		$(CC) $(CFLAGS) $(VERIFIER_FLAGS) -c -o $(B)/obj/verifier/$$(basename $$src .c).o \
			$$src || exit; done
	@rm -f $@
	$(Q)$(AR) rcs $@ $(patsubst %.c,$(B)/obj/verifier/%.o,$(notdir $(VERIFIER_SRC)))

WITH_VERIFIER := $(addprefix $(B)/selftests/unit/,kernels modules expr_compute expr_cond expr_errors expr_fetch \
					       expr_variable template regcond)
$(WITH_VERIFIER): $(B)/selftests/verifier.a
$(WITH_VERIFIER): private ULIBS := $(B)/selftests/verifier.a $(ULIBS)
$(B)/selftests/unit/regcond: private UCFLAGS := -Iselftests/lib/kernel $(UCFLAGS) -Ikmod

# What the oracles have in common.
ORACLE_OBJ := $(patsubst %.c,$(B)/obj/%.o,$(sort $(wildcard selftests/unit/oracle/*.c)))

$(ORACLE_OBJ): UCFLAGS += -Iselftests
$(B)/selftests/unit/abi_oracle: $(B)/obj/selftests/unit/oracle/signatures.o
$(B)/selftests/unit/dwarf_oracle: $(ORACLE_OBJ)

-include $(ORACLE_OBJ:.o=.d)

$(B)/selftests/unit/expr_scope: $(B)/selftests/verifier.a
$(B)/selftests/unit/expr_scope: private ULIBS := $(B)/selftests/verifier.a $(ULIBS)
$(B)/selftests/unit/expr_trigger: $(B)/selftests/verifier.a
$(B)/selftests/unit/expr_trigger: private ULIBS := $(B)/selftests/verifier.a $(ULIBS)

# With the module's own reading of memory, where the machine has another.
$(B)/obj/verifier/mem.o: kmod/prog/mem.c $(VERIFIER_HDR)
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(CFLAGS) $(VERIFIER_FLAGS) -c -o $@ $<

$(B)/selftests/unit/arch_mem: $(B)/selftests/verifier.a
$(B)/selftests/unit/arch_mem: private ULIBS := $(B)/selftests/verifier.a $(ULIBS)
$(B)/selftests/unit/arch_mem: private UCFLAGS := -Iselftests/lib/kernel $(UCFLAGS) -Ikmod -Wno-sign-compare

WITH_MEMORY := $(addprefix $(B)/selftests/unit/,prog_chain prog_tree)
$(WITH_MEMORY): $(B)/obj/verifier/mem.o $(B)/selftests/verifier.a
$(WITH_MEMORY): private ULIBS := $(B)/selftests/verifier.a $(ULIBS)
$(WITH_MEMORY): private UCFLAGS := -Iselftests/lib/kernel $(UCFLAGS) -Ikmod -Wno-sign-compare

# The module's rings, whose source the tests include; one test once more with ThreadSanitizer.
RING_MODEL := $(addprefix $(B)/selftests/unit/,ring_model ring_model_tsan ring_steps)

unit: $(RING_MODEL)

$(B)/selftests/unit/ring_model_tsan: private SANITIZER := -fsanitize=thread

$(B)/selftests/unit/ring_model_tsan: selftests/unit/ring_model.c
$(filter-out %_tsan,$(RING_MODEL)): $(B)/selftests/unit/%: selftests/unit/%.c

$(RING_MODEL): selftests/unit/ring_machine.h $(VERIFIER_HDR) $(wildcard selftests/lib/kernel/*/*/*.h kmod/ring/*.c)
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) -std=gnu11 -O2 -g $(SANITIZER) -pthread -D_GNU_SOURCE $(WARN) -Wno-sign-compare \
		-mno-red-zone -Iselftests/lib/kernel -Ikmod -Iselftests -Iinclude -o $@ \
		$(filter %.c,$(filter-out kmod/%,$^))

# The tool as somebody may build it who wants it small: what libtraceevent's plugin for kvm asks
# for has to be left in it.
unit: $(B)/selftests/fargs_small

$(B)/selftests/fargs_small: user/model/kvm_plugin.c user/model/kvm_plugin.h $(B)/fargs
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -M%,$(UCFLAGS)) -flto -fvisibility=hidden -ffunction-sections \
		-Wl,--gc-sections $(LDFLAGS) -o $@ $< $(MAIN_OBJ) $(B)/libfargs.a $(ULIBS)
$(B)/selftests/unit/kvm: $(B)/selftests/fargs_small

# The recording engine without a module: what it would ask the kernel is answered by the tests.
capture_wrap = $(B)/selftests/unit/$(1): private LDFLAGS += $(addprefix -Wl$(comma)--wrap=fargs_,$(2))
comma := ,

$(call capture_wrap,capture_selection,selector_init device_open avail_load session_add \
	session_add_tpoints)
$(call capture_wrap,capture_run,ksyms_load)
$(call capture_wrap,capture_control,ksyms_load)
$(call capture_wrap,capture_flight,session_freeze session_clock task_watch_create \
	task_watch_destroy task_watch_read task_watch_history task_history_take)
$(call capture_wrap,capture_events,perf_open perf_close perf_set_offset)
