/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface of perf's dlfilters: see perf-dlfilter(1), and perf/perf_dlfilter.h of linux-perf.
 * It covers Linux 5.14 to 7.2. One definition fits all these versions, because each version only
 * added members after the existing ones. The interface is copied here because fargs is built
 * without that header, and an installed header may be older than the one that filters were built
 * with. selftests/unit/dlfilter.c compares this copy with the installed header.
 */
#ifndef FARGS_PLUGIN_DLFILTER_API_H
#define FARGS_PLUGIN_DLFILTER_API_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

enum fargs_dlfilter_flag {
	FARGS_DLFILTER_BRANCH = 1 << 0,
	FARGS_DLFILTER_CALL = 1 << 1,
	FARGS_DLFILTER_RETURN = 1 << 2,
	FARGS_DLFILTER_CONDITIONAL = 1 << 3,
	FARGS_DLFILTER_SYSCALLRET = 1 << 4,
	FARGS_DLFILTER_ASYNC = 1 << 5,
	FARGS_DLFILTER_INTERRUPT = 1 << 6,
	FARGS_DLFILTER_TX_ABORT = 1 << 7,
	FARGS_DLFILTER_TRACE_BEGIN = 1 << 8,
	FARGS_DLFILTER_TRACE_END = 1 << 9,
	FARGS_DLFILTER_IN_TX = 1 << 10,
	FARGS_DLFILTER_VMENTRY = 1 << 11,
	FARGS_DLFILTER_VMEXIT = 1 << 12,
	/* perf passes these, too, although its header does not name them. */
	FARGS_DLFILTER_INTR_DISABLE = 1 << 13,
	FARGS_DLFILTER_INTR_TOGGLE = 1 << 14,
};

/*
 * perf's struct perf_dlfilter_sample. Fields that a recording lacks are 0, unless noted otherwise.
 */
struct fargs_dlfilter_sample {
	uint32_t size;			/* size of this struct */
	uint16_t ins_lat;
	uint16_t p_stage_cyc;
	uint64_t ip;
	int32_t pid;			/* -1: unknown */
	int32_t tid;			/* -1: unknown */
	uint64_t time;			/* ns */
	uint64_t addr;			/* target of a branch */
	uint64_t id;
	uint64_t stream_id;
	uint64_t period;
	uint64_t weight;
	uint64_t transaction;
	uint64_t insn_cnt;
	uint64_t cyc_cnt;
	int32_t cpu;			/* -1: unknown */
	uint32_t flags;			/* enum fargs_dlfilter_flag */
	uint64_t data_src;
	uint64_t phys_addr;
	uint64_t data_page_size;
	uint64_t code_page_size;
	uint64_t cgroup;
	uint8_t cpumode;		/* PERF_RECORD_MISC_KERNEL, _USER, … */
	uint8_t addr_correlates_sym;	/* resolve_addr() may be called for @addr */
	uint16_t misc;
	uint32_t raw_size;
	const void *raw_data;
	uint64_t brstack_nr;
	const struct perf_branch_entry *brstack;
	uint64_t raw_callchain_nr;
	const uint64_t *raw_callchain;
	const char *event;
	int32_t machine_pid;		/* @machine_pid and @vcpu: since Linux 6.0 */
	int32_t vcpu;
};

/* perf's struct perf_dlfilter_al: a resolved address. */
struct fargs_dlfilter_al {
	uint32_t size;
	uint32_t symoff;
	const char *sym;		/* NULL: unknown */
	uint64_t addr;			/* address within @dso */
	uint64_t sym_start;
	uint64_t sym_end;
	const char *dso;		/* NULL: unknown */
	uint8_t sym_binding;		/* STB_LOCAL, STB_GLOBAL or STB_WEAK */
	uint8_t is_64_bit;
	uint8_t is_kernel_ip;
	uint32_t buildid_size;
	const uint8_t *buildid;
	/* Only resolve_ip() sets filtered and comm. */
	uint8_t filtered;
	const char *comm;
	void *priv;			/* since Linux 6.5, like al_cleanup() below */
};

#define FARGS_DLFILTER_FNS	128

/* perf's struct perf_dlfilter_fns: the functions that filters can call. */
struct fargs_dlfilter_fns {
	const struct fargs_dlfilter_al *(*resolve_ip)(void *ctx);
	const struct fargs_dlfilter_al *(*resolve_addr)(void *ctx);
	char **(*args)(void *ctx, int *nr);
	int32_t (*resolve_address)(void *ctx, uint64_t addr, struct fargs_dlfilter_al *al);
	const uint8_t *(*insn)(void *ctx, uint32_t *bytes);
	const char *(*srcline)(void *ctx, uint32_t *line);
	struct perf_event_attr *(*attr)(void *ctx);
	int32_t (*object_code)(void *ctx, uint64_t ip, void *buf, uint32_t bytes);
	void (*al_cleanup)(void *ctx, struct fargs_dlfilter_al *al);
	/* All elements are NULL, so that filters can detect missing functions. */
	void *(*reserved[FARGS_DLFILTER_FNS - 9])(void *);
};

_Static_assert(sizeof(struct fargs_dlfilter_fns) == FARGS_DLFILTER_FNS * sizeof(void *),
	       "functions are found by their offsets");

#endif
