// SPDX-License-Identifier: GPL-2.0-only
#include "record.h"

#include <inttypes.h>
#include <stdlib.h>

void records_add(struct records *records, const struct record *record)
{
	/* The capacity is the next power of two. */
	if (!(records->nr & (records->nr - 1))) {
		size_t capacity = records->nr ? records->nr * 2 : 1;
		struct record *all = realloc(records->all, capacity * sizeof(*all));

		if (!all) {
			perror("synth");
			exit(2);
		}
		records->all = all;
	}
	records->all[records->nr++] = *record;
}

void records_deinit(struct records *records)
{
	free(records->all);
	*records = (struct records){ 0 };
}

static const char *const names[] = {
	[RECORD_INSN] = "insn", [RECORD_ENABLED] = "enabled", [RECORD_DISABLED] = "disabled",
	[RECORD_ASYNC_DISABLED] = "async-disabled", [RECORD_ASYNC] = "async",
	[RECORD_PAGING] = "paging", [RECORD_VMCS] = "vmcs", [RECORD_TX] = "tx",
	[RECORD_OVERFLOW] = "overflow", [RECORD_STOP] = "stop", [RECORD_PTWRITE] = "ptwrite",
	[RECORD_MWAIT] = "mwait", [RECORD_PWRE] = "pwre", [RECORD_EXSTOP] = "exstop",
	[RECORD_PWRX] = "pwrx", [RECORD_CBR] = "cbr", [RECORD_MNT] = "mnt", [RECORD_CFE] = "cfe",
	[RECORD_EVD] = "evd", [RECORD_IF] = "if", [RECORD_PEBS] = "pebs",
	[RECORD_PEBS_ITEM] = "pebs-item", [RECORD_PSB] = "psb",
};

void record_print(const struct record *record, FILE *to)
{
	fprintf(to, "%" PRIu64 " ", record->tsc);
	if (record->guest_tsc != record->tsc)
		fprintf(to, "(%" PRIu64 ") ", record->guest_tsc);
	fprintf(to, "%s", names[record->kind]);
	if (record->has_ip)
		fprintf(to, " ip %" PRIx64, record->ip);
	fprintf(to, " %" PRIx64 " %" PRIx64 "%s%s\n", record->a, record->b,
		record->is_tx ? " tx" : "", record->is_lost ? " lost" : "");
}

void records_print(const struct records *records, FILE *to)
{
	size_t i;

	for (i = 0; i < records->nr; i++)
		record_print(&records->all[i], to);
}
