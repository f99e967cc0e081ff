// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the log of a vCPU (truth.h), a line for each record.
 *
 *	truth DIR VCPU
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

static const char *const names[] = {
	[TRUTH_RUN] = "run", [TRUTH_ENABLE] = "enable", [TRUTH_DISABLE] = "disable",
	[TRUTH_ASYNC] = "interrupt", [TRUTH_LOSING] = "losing", [TRUTH_OVF] = "overflow",
	[TRUTH_FAULT] = "fault", [TRUTH_ODD] = "odd", [TRUTH_PSB] = "psb", [TRUTH_PTW] = "ptwrite",
	[TRUTH_FULL] = "full", [TRUTH_CONTROL] = "control", [TRUTH_PMI] = "pmi",
	[TRUTH_TASK] = "task", [TRUTH_SPACE] = "space", [TRUTH_CYC] = "cycles",
	[TRUTH_STOP] = "stop", [TRUTH_IDLE] = "idle", [TRUTH_WAKE] = "wake",
	[TRUTH_EVENT] = "event", [TRUTH_DATA] = "data", [TRUTH_FLAGS] = "flags",
};

static void print(const struct truth_record *record)
{
	char name[17] = "";

	if (record->kind >= sizeof(names) / sizeof(names[0]) || !names[record->kind]) {
		printf("%" PRIu64 " kind %u\n", record->offset, record->kind);
		return;
	}
	printf("%" PRIu64 " %s", record->offset, names[record->kind]);
	switch (record->kind) {
	case TRUTH_TASK:
		memcpy(name, &record->ip, 8);
		memcpy(name + 8, &record->value, 8);
		printf(" %u %s\n", record->nr, name);
		return;
	case TRUTH_SPACE:
		printf(" cr3 %" PRIx64 " cpl %u %u-bit\n", record->value, record->nr & 3,
		       record->nr & TRUTH_32BIT ? 32 : 64);
		return;
	case TRUTH_EVENT:
		printf(" type %u vector %u ip %" PRIx64 "\n", record->nr >> 8, record->nr & 0xff,
		       record->ip);
		return;
	}
	printf(" ip %" PRIx64 " value %" PRIx64 " nr %u\n", record->ip, record->value,
	       record->nr);
}

int main(int argc, char **argv)
{
	struct truth_record *records;
	size_t nr, i;

	if (argc != 3) {
		fprintf(stderr, "usage: truth DIR VCPU\n");
		return 2;
	}
	records = truth_read(argv[1], (unsigned int)strtoul(argv[2], NULL, 10), &nr);
	if (!records)
		return 1;
	for (i = 0; i < nr; i++)
		print(&records[i]);
	free(records);
	return fflush(stdout) ? 1 : 0;
}
