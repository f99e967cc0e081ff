# SPDX-License-Identifier: GPL-2.0-only
#
# Outside of a kernel tree: the targets of its lib.mk that we use.

OUTPUT ?= $(if $(wildcard ../kmod),$(abspath ../build/selftests),$(CURDIR))
CC ?= cc

TEST_GEN_PROGS := $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS))
TEST_GEN_PROGS_EXTENDED := $(addprefix $(OUTPUT)/,$(TEST_GEN_PROGS_EXTENDED))

.PHONY: all run_tests install clean list
.DEFAULT_GOAL := all

all: $(TEST_GEN_PROGS) $(TEST_GEN_PROGS_EXTENDED)

$(OUTPUT)/%: %.c $(LOCAL_HDRS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $<

run_tests: all
	@lib/run $(TEST_PROGS) $(TEST_GEN_PROGS)

# The names, for who runs them elsewhere.
list:
	@echo $(TEST_PROGS) $(notdir $(TEST_GEN_PROGS))

install: all
	@test -n "$(INSTALL_PATH)" || { echo "say where: INSTALL_PATH=DIR" >&2; exit 1; }
	install -d $(INSTALL_PATH)
	cp -a $(TEST_PROGS) $(TEST_FILES) $(TEST_GEN_PROGS) $(TEST_GEN_PROGS_EXTENDED) settings \
		$(INSTALL_PATH)/

clean:
	rm -f $(TEST_GEN_PROGS) $(TEST_GEN_PROGS_EXTENDED)
