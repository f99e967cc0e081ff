# SPDX-License-Identifier: GPL-2.0-only
# For the top-level Makefile: what Intel PT does on real hardware, as a tarball.

.PHONY: hardware hardware-report

unit: hardware

hardware: $(B)/hardware/known $(B)/hardware/step

# At a fixed address, with no code but its own: its instructions are the same each time.
$(B)/hardware/known: selftests/hardware/known.c selftests/hardware/hardware.mk
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) -std=gnu11 $(WARN) -O1 -static -nostdlib -nostartfiles -ffreestanding -fno-pie -no-pie \
		-fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables \
		-mgeneral-regs-only -Wl,--entry=known_start -Wl,--build-id -o $@ $<

$(B)/hardware/step: selftests/hardware/step.c
	@mkdir -p $(@D)
	@echo "  CC      $@"
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE $(CFLAGS) $(WARN) $(LDFLAGS) -o $@ $<

# Without the module, what needs it is left out.
hardware-report: user hardware
	$(Q)if [ -e $(KDIR)/Makefile ]; then $(MAKE) modules; else \
		echo "hardware-report: there are no kernel headers at $(KDIR): unless the module is" \
			"installed, the kernel is not recorded" >&2; fi
	$(Q)selftests/hardware/report
