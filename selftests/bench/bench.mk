# SPDX-License-Identifier: GPL-2.0-only
# For the top-level Makefile, whose variables it uses.

unit: $(B)/selftests/bench/fentry

$(B)/selftests/bench/fentry: selftests/bench/fentry.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(CFLAGS) $(WARN) -D_GNU_SOURCE $(LDFLAGS) -o $@ $< -lbpf

bench: user $(B)/selftests/bench/fentry
	selftests/bench/bench
