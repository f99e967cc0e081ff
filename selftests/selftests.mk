# SPDX-License-Identifier: GPL-2.0-only
# For the top-level Makefile: the programs of the kselftests.

.PHONY: kselftests

unit: kselftests

kselftests:
	$(Q)$(MAKE) --no-print-directory -C selftests OUTPUT=$(CURDIR)/$(B)/selftests all
