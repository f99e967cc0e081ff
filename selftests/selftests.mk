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

$(B)/selftests/fargs_other_abi: $(B)/other-abi/uapi/fargs.h user/ctl/device.c $(B)/fargs
	@mkdir -p $(@D)
	$(Q)$(CC) $(filter-out -M%,-I$(B)/other-abi $(UCFLAGS)) $(LDFLAGS) -o $@ user/ctl/device.c \
		$(CMD_OBJ) $(B)/libfargs.a $(ULIBS)
