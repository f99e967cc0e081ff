# SPDX-License-Identifier: GPL-2.0-only
# For the top-level Makefile: the emulator of Intel PT, and what looks at its traces.

.PHONY: ptemu

unit: ptemu

ptemu: $(B)/ptemu/ptemu.so $(B)/ptemu/check $(B)/ptemu/flow $(B)/ptemu/truth

PTEMU_FLAGS := -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE -MMD -MP
PTEMU_PARTS := packet packet_event insn model clock topa truth trace store emit context events registers
PTEMU_OBJ := $(PTEMU_PARTS:%=$(B)/obj/ptemu/%.o)

$(B)/obj/ptemu/%.o: selftests/ptemu/%.c Makefile selftests/ptemu/ptemu.mk
	@mkdir -p $(@D)
	@echo "  CC      $<"
	$(Q)$(CC) $(PTEMU_FLAGS) -fPIC -fvisibility=hidden -c -o $@ $<

# What it calls of QEMU and GLib is in the process that loads it.
$(B)/ptemu/ptemu.so: $(PTEMU_OBJ) $(B)/obj/ptemu/plugin.o
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -shared -o $@.new $^ -lzstd
	$(Q)mv $@.new $@

-include $(PTEMU_OBJ:.o=.d) $(B)/obj/ptemu/plugin.d

PTEMU_CHECK_OBJ := $(B)/obj/ptemu/check.o $(B)/obj/ptemu/truth_read.o $(B)/obj/ptemu/perfdata.o $(B)/obj/ptemu/fargsdata.o

$(B)/obj/ptemu/fargsdata.o: private PTEMU_FLAGS += -Iuser -Iinclude

$(B)/ptemu/check: $(PTEMU_CHECK_OBJ) $(B)/libfargs.a
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(ULIBS)

-include $(PTEMU_CHECK_OBJ:.o=.d)

PTEMU_FLOW_OBJ := $(B)/obj/ptemu/flow.o $(B)/obj/ptemu/truth_read.o $(B)/obj/ptemu/perfdata.o \
	$(B)/obj/ptemu/copies.o $(B)/obj/ptemu/fargsdata.o

$(B)/obj/ptemu/flow.o: private PTEMU_FLAGS += -Iuser -Iinclude

$(B)/ptemu/flow: $(PTEMU_FLOW_OBJ) $(B)/libfargs.a
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(ULIBS)

-include $(PTEMU_FLOW_OBJ:.o=.d)

$(patsubst %,$(B)/selftests/unit/%,pt_packet_bytes pt_packet_random pt_clock_cpu): $(filter %/packet.o %/packet_event.o,$(PTEMU_OBJ))

# Its parts, without QEMU.
$(B)/selftests/unit/ptemu: $(filter %/packet.o %/packet_event.o %/insn.o %/model.o %/clock.o %/topa.o,$(PTEMU_OBJ))

PTEMU_TRUTH_OBJ := $(B)/obj/ptemu/truth_text.o $(B)/obj/ptemu/truth_read.o

$(B)/ptemu/truth: $(PTEMU_TRUTH_OBJ)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lzstd

-include $(PTEMU_TRUTH_OBJ:.o=.d)

ptemu: $(B)/ptemu/synth

SYNTH_OBJ := $(patsubst selftests/%.c,$(B)/obj/%.o,$(sort $(wildcard selftests/ptemu/synth/*.c))) \
	$(filter %/packet.o %/packet_event.o,$(PTEMU_OBJ))

$(B)/obj/ptemu/synth/%.o: private PTEMU_FLAGS += -Iselftests

$(B)/ptemu/synth: $(SYNTH_OBJ)
	@mkdir -p $(@D)
	@echo "  LD      $@"
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lipt

$(patsubst %,$(B)/selftests/unit/%,pt_synth pt_synth_flow pt_synth_random pt_synth_perf): $(filter-out %/main.o,$(SYNTH_OBJ))

-include $(SYNTH_OBJ:.o=.d)

ptemu: $(B)/ptemu/guest $(B)/ptemu/guest32

# Its file alone is the whole program. It runs in a guest, so no sanitizer's library is linked.
$(B)/ptemu/guest: selftests/ptemu/guest.c selftests/ptemu/model.h
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) $(filter-out -M% -fsanitize% -fno-sanitize%,$(PTEMU_FLAGS)) -static -no-pie -o $@ $<

# For a program without a library, the compiler and linker of a 64-bit machine are enough.
$(B)/ptemu/guest32: selftests/ptemu/guest32.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) -m32 -O1 $(WARN) -ffreestanding -nostdlib -static -no-pie -fno-pic \
		-fno-stack-protector -fno-asynchronous-unwind-tables -fcf-protection=none \
		-Wl,--build-id=none -o $@ $<
