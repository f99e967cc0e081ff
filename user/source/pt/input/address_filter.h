/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The address filter of a recording, as perf stores it: "filter 0xADDRESS/0xSIZE,...". Source: the
 * kernel's parser of address filters, and perf's AUXTRACE_INFO record.
 */
#ifndef FARGS_SOURCE_PT_INPUT_ADDRESS_FILTER_H
#define FARGS_SOURCE_PT_INPUT_ADDRESS_FILTER_H

#include "source/pt/packet/config.h"

/*
 * Sets @config->ranges, of the kernel. Sets none if @text has filters of files, whose addresses
 * differ by process, or anything else.
 */
void fargs_pt_address_filter_parse(struct fargs_pt_config *config, const char *text);

#endif
