// SPDX-License-Identifier: GPL-2.0-only
#include "plugin/dlfilter/pt_samples.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernel/sym/ksyms.h"
#include "plugin/dlfilter/kernel_al.h"
#include "plugin/dlfilter/pt_code.h"
#include "source/pt/code/insn.h"
#include "source/pt/decode/names.h"
#include "source/pt/input/user_files.h"

struct fargs_dlfilter_pt {
	struct fargs_dlfilters *filters;
	const struct fargs_pt_input *in;
	struct fargs_pt_names *names;
	struct fargs_pt_code_reader *code;
	struct fargs_kernel_dsos dsos;
	struct perf_event_attr attr;
	char event[16];
	/* The following members are the state for the branch that filters are handling. */
	const struct fargs_pt_context *context;
	int32_t pid;
};

static const uint32_t insn_flags[] = {
	[FARGS_PT_INSN_OTHER] = 0,
	[FARGS_PT_INSN_CALL] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL,
	[FARGS_PT_INSN_RETURN] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN,
	[FARGS_PT_INSN_JUMP] = FARGS_DLFILTER_BRANCH,
	[FARGS_PT_INSN_COND] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CONDITIONAL,
	[FARGS_PT_INSN_INT] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL |
			      FARGS_DLFILTER_INTERRUPT,
	[FARGS_PT_INSN_IRET] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN |
			       FARGS_DLFILTER_INTERRUPT,
	[FARGS_PT_INSN_SYSCALL] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL |
				  FARGS_DLFILTER_SYSCALLRET,
	[FARGS_PT_INSN_SYSRET] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN |
				 FARGS_DLFILTER_SYSCALLRET,
	[FARGS_PT_INSN_FAR_CALL] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL,
	[FARGS_PT_INSN_FAR_RETURN] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_RETURN,
	[FARGS_PT_INSN_VMENTRY] = FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL |
				  FARGS_DLFILTER_VMENTRY,
	[FARGS_PT_INSN_FAR] = FARGS_DLFILTER_BRANCH,
};

/* Sets the attributes as perf does for the branches that it synthesizes from Intel PT. */
static void set_attr(struct fargs_dlfilter_pt *pt)
{
	const struct fargs_pt_config *config = &pt->in->config;

	pt->attr = (struct perf_event_attr){
		.size = sizeof(pt->attr), .type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS, .sample_period = 1,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ADDR |
			       PERF_SAMPLE_PERIOD,
		.exclude_kernel = !config->has_kernel, .exclude_user = !config->has_user,
	};
	if (config->has_time)
		pt->attr.sample_type |= PERF_SAMPLE_TIME;
	if (pt->in->nr_streams && pt->in->streams[0].cpu != UINT32_MAX)
		pt->attr.sample_type |= PERF_SAMPLE_CPU;
}

struct fargs_dlfilter_pt *fargs_dlfilter_pt_create(struct fargs_dlfilters *filters,
						   const struct fargs_pt_input *in)
{
	struct fargs_dlfilter_pt *pt = calloc(1, sizeof(*pt));

	if (!pt)
		return NULL;
	pt->filters = filters;
	pt->in = in;
	/* perf appends a colon to the name even if there is no modifier. */
	snprintf(pt->event, sizeof(pt->event), "branches:%s",
		 fargs_pt_config_modifier(&in->config));
	set_attr(pt);
	pt->names = fargs_pt_names_create(in);
	pt->code = fargs_pt_code_reader_create(in);
	if (!pt->names || !pt->code) {
		fargs_dlfilter_pt_destroy(pt);
		return NULL;
	}
	return pt;
}

void fargs_dlfilter_pt_destroy(struct fargs_dlfilter_pt *pt)
{
	if (!pt)
		return;
	fargs_pt_names_destroy(pt->names);
	fargs_pt_code_reader_destroy(pt->code);
	fargs_kernel_dsos_deinit(&pt->dsos);
	free(pt);
}

/*
 * Fills @al from @name, a symbol that was registered during the trace, such as that of a BPF
 * program. The name of the symbol is also used as the name of the dso.
 */
static void set_registered(struct fargs_dlfilter_al *al, const struct fargs_pt_input *in,
		     const struct fargs_pt_name *name)
{
	size_t i;

	al->sym = name->name;
	al->dso = name->name;
	al->sym_start = name->addr;
	al->symoff = al->addr - name->addr;
	for (i = 0; i < in->nr_symbols; i++)
		if (in->symbols[i].name == name->name)
			al->sym_end = name->addr + in->symbols[i].bytes;
}

static void resolve(void *arg, uint64_t addr, struct fargs_dlfilter_al *al)
{
	struct fargs_dlfilter_pt *pt = arg;
	const struct fargs_pt_code *code;
	struct fargs_pt_name name;

	if (fargs_kernel_has(addr)) {
		fargs_kernel_al_set(al, addr, pt->in->ksyms, &pt->dsos);
		fargs_pt_names_find(pt->names, -1, addr, pt->context->ns, &name);
		if (name.name && name.name != al->sym)
			set_registered(al, pt->in, &name);
		return;
	}
	al->addr = addr;
	code = fargs_pt_code_find(pt->in, pt->pid, addr);
	if (!code)
		return;
	al->dso = pt->in->files ? fargs_pt_files_path(pt->in->files, code->file) : code->path;
	al->is_64_bit = 1;
	al->addr = addr - code->addr + code->at;
}

static size_t read_code(void *arg, uint64_t addr, void *buf, size_t bytes)
{
	struct fargs_dlfilter_pt *pt = arg;

	return fargs_pt_code_read(pt->code, pt->pid, pt->context->ns, addr, buf, bytes);
}

/* Source lines are not supported: fargs does not read line tables of the kernel or of programs. */
static const char *srcline(void *arg, uint64_t addr, unsigned int *line)
{
	return NULL;
}

static const struct fargs_dlfilter_source source = {
	.resolve = resolve, .read_code = read_code, .srcline = srcline,
};

static uint32_t flags_of(const struct fargs_pt_item *item)
{
	uint32_t flags;

	if (item->flags & FARGS_PT_ABORTS)
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_TX_ABORT |
		       (item->kind == FARGS_PT_END ? FARGS_DLFILTER_TRACE_END : 0);
	switch (item->kind) {
	case FARGS_PT_BEGIN:
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_TRACE_BEGIN;
	case FARGS_PT_END:
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_ASYNC | FARGS_DLFILTER_TRACE_END;
	case FARGS_PT_INTERRUPT:
		return FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_CALL | FARGS_DLFILTER_ASYNC |
		       FARGS_DLFILTER_INTERRUPT;
	}
	flags = insn_flags[item->insn];
	if (item->flags & FARGS_PT_ENDS)
		flags |= FARGS_DLFILTER_BRANCH | FARGS_DLFILTER_TRACE_END;
	return flags;
}

int fargs_dlfilter_pt_ask(struct fargs_dlfilter_pt *pt, struct fargs_pt_context *context,
			  const struct fargs_pt_item *item, const struct fargs_pt_insn_cycles *ipc,
			  bool is_wanted)
{
	bool is_kernel = fargs_kernel_has(item->from ? item->from : item->to);
	const struct fargs_dlfilter_sample sample = {
		.size = sizeof(sample), .ip = item->from, .addr = item->to,
		.pid = fargs_pt_input_pid(pt->in, context->tid, context->ns), .tid = context->tid,
		.time = context->has_time ? context->ns : 0, .period = 1, .flags = flags_of(item),
		.cpu = context->stream->cpu == UINT32_MAX ? -1 : (int32_t)context->stream->cpu,
		.cpumode = is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.misc = is_kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER,
		.addr_correlates_sym = 1, .event = pt->event,
		.insn_cnt = ipc->nr_insns, .cyc_cnt = ipc->nr_cycles,
	};
	const struct fargs_dlfilter_event ev = {
		.sample = &sample, .attr = &pt->attr, .comm = fargs_pt_context_comm(context),
		.is_left_out = !is_wanted, .source = &source, .arg = pt,
	};
	int ret;

	pt->context = context;
	pt->pid = sample.pid;
	ret = fargs_dlfilters_early(pt->filters, &ev);
	if (!ret && is_wanted)
		ret = fargs_dlfilters_late(pt->filters, &ev);
	return ret;
}
