// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/input/perf_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "source/perf_data/locate.h"

/* Returns the time of the record on the perf clock; 0: before the trace. */
static uint64_t ns_of(const struct fargs_perf_body *b)
{
	return b->sample.has_time ? b->sample.ns : 0;
}

/* Returns a copy of the string from @at to the end of the record. The record may lack its NUL. */
static char *string_at(const struct fargs_perf_body *b, size_t at)
{
	return strndup((const char *)b->at + at, b->bytes - at);
}

static int take_comm(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	struct fargs_pt_comm comm = { .ns = ns_of(b), .parent = -1 };
	size_t bytes;

	if (b->bytes < 8)
		return -EIO;
	comm.pid = (int32_t)fargs_perf_body_u32(b, 0);
	comm.tid = (int32_t)fargs_perf_body_u32(b, 4);
	bytes = b->bytes - 8;
	memcpy(comm.comm, b->at + 8, bytes < sizeof(comm.comm) ? bytes : sizeof(comm.comm) - 1);
	comm.comm[sizeof(comm.comm) - 1] = '\0';
	comm.is_exec = b->head->misc & PERF_RECORD_MISC_COMM_EXEC;
	if (comm.is_exec) {
		const struct fargs_pt_mapping exec = {
			.ns = comm.ns, .pid = comm.pid, .kind = FARGS_PT_EXEC,
		};

		if (fargs_pt_input_add_mapping(in, &exec))
			return -ENOMEM;
	}
	return fargs_pt_input_add_comm(in, &comm);
}

/*
 * Adds a fork of a process. Ignores new threads, which share the code of their process, and forks
 * that perf synthesized, whose time is 0.
 */
static int fork_space(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	const struct fargs_pt_mapping fork = {
		.ns = ns_of(b), .kind = FARGS_PT_FORK,
		.pid = (int32_t)fargs_perf_body_u32(b, 0),
		.parent = (int32_t)fargs_perf_body_u32(b, 4),
	};

	return fork.ns && fork.pid != fork.parent ? fargs_pt_input_add_mapping(in, &fork) : 0;
}

static int take_fork(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	struct fargs_pt_comm comm = { .ns = ns_of(b) };

	if (b->bytes < 16)
		return -EIO;
	comm.pid = (int32_t)fargs_perf_body_u32(b, 0);
	comm.tid = (int32_t)fargs_perf_body_u32(b, 8);
	comm.parent = (int32_t)fargs_perf_body_u32(b, 12);
	if (fork_space(in, b))
		return -ENOMEM;
	/* Ignore forks synthesized by perf for existing tasks, whose names are in COMM records. */
	if (!comm.ns || comm.parent < 0 || comm.parent == comm.tid)
		return 0;
	return fargs_pt_input_add_comm(in, &comm);
}

/* Adds a mapping of a program's code. The file is looked for later (user_files.h). */
static int add_program(struct fargs_pt_input *in, const struct fargs_perf_body *b,
		       size_t name_at)
{
	struct fargs_pt_mapping m = {
		.ns = ns_of(b),
		.kind = FARGS_PT_MAP,
		.pid = (int32_t)fargs_perf_body_u32(b, 0),
		.addr = fargs_perf_body_u64(b, 8),
		.bytes = fargs_perf_body_u64(b, 16),
		.at = fargs_perf_body_u64(b, 24),
		.path = string_at(b, name_at),
	};

	if (!m.path)
		return -ENOMEM;
	/* Ignore mappings without a file, of anonymous memory: the decoder reports a gap. */
	if (((m.path[0] != '/' || m.path[1] == '/') && strcmp(m.path, FARGS_VDSO)) ||
	    m.addr + m.bytes < m.addr) {
		free(m.path);
		return 0;
	}
	fargs_perf_body_build_id(b, &m.build_id);
	return fargs_pt_input_add_mapping(in, &m);
}

/* perf inject --jit writes the mode of the file instead of PROT_EXEC. */
static bool is_injected(const struct fargs_perf_body *b, size_t name_at)
{
	static const char jitted[] = "/jitted-";

	return memmem(b->at + name_at, b->bytes - name_at, jitted, strlen(jitted));
}

static int take_mmap(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	bool is_2 = b->head->type == PERF_RECORD_MMAP2;
	size_t name_at = is_2 ? 64 : 32;

	if (b->bytes < name_at)
		return -EIO;
	if ((b->head->misc & PERF_RECORD_MISC_CPUMODE_MASK) !=
	    (in->is_guest ? PERF_RECORD_MISC_GUEST_USER : PERF_RECORD_MISC_USER))
		return 0;
	if (is_2 ? !(fargs_perf_body_u32(b, 56) & PROT_EXEC) && !is_injected(b, name_at) :
		   b->head->misc & PERF_RECORD_MISC_MMAP_DATA)
		return 0;
	return add_program(in, b, name_at);
}

static int take_ksymbol(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	struct fargs_pt_symbol sym = { .ns = ns_of(b) };
	uint16_t flags;

	if (b->bytes < 16)
		return -EIO;
	sym.addr = fargs_perf_body_u64(b, 0);
	sym.bytes = fargs_perf_body_u32(b, 8);
	memcpy(&flags, b->at + 14, sizeof(flags));
	sym.is_removed = flags & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER;
	sym.name = string_at(b, 16);
	return fargs_pt_input_add_symbol(in, &sym);
}

static int take_text_poke(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	struct fargs_pt_poke poke = { .ns = ns_of(b) };

	if (b->bytes < 12)
		return -EIO;
	poke.addr = fargs_perf_body_u64(b, 0);
	memcpy(&poke.old_bytes, b->at + 8, sizeof(poke.old_bytes));
	memcpy(&poke.new_bytes, b->at + 10, sizeof(poke.new_bytes));
	poke.code = b->at + 12;
	if (b->bytes - 12 < (size_t)poke.old_bytes + poke.new_bytes)
		return -EIO;
	return fargs_pt_input_add_poke(in, &poke);
}

/*
 * Adds a task switch. Of the two records of each switch, only that of the outgoing task is used; it
 * is written before the switch.
 */
static int take_switch(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	struct fargs_pt_switch sw = { .ns = ns_of(b), .cpu = b->sample.cpu, .from = b->sample.tid };

	if (b->bytes < 8)
		return -EIO;
	if (!(b->head->misc & PERF_RECORD_MISC_SWITCH_OUT) || !b->sample.has_cpu ||
	    !b->sample.has_task)
		return 0;
	sw.to = (int32_t)fargs_perf_body_u32(b, 4);
	return fargs_pt_input_add_switch(in, &sw);
}

/* Adds half of a task switch: the records of per-task events contain only their own task. */
static int take_task_switch(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	struct fargs_pt_switch sw = { .ns = ns_of(b), .cpu = b->sample.cpu, .from = -1, .to = -1 };

	if (!b->sample.has_cpu || !b->sample.has_task)
		return 0;
	if (b->head->misc & PERF_RECORD_MISC_SWITCH_OUT) {
		sw.half = FARGS_PT_SWITCH_OUT;
		sw.from = b->sample.tid;
	} else {
		sw.half = FARGS_PT_SWITCH_IN;
		sw.to = b->sample.tid;
	}
	return fargs_pt_input_add_switch(in, &sw);
}

/* Handles ITRACE_START, which reports the task that runs on the CPU when the trace begins. */
static int take_start(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	struct fargs_pt_switch sw = { .ns = ns_of(b), .cpu = b->sample.cpu };

	if (b->bytes < 8)
		return -EIO;
	sw.from = (int32_t)fargs_perf_body_u32(b, 4);
	sw.to = sw.from;
	if (!b->sample.has_cpu)
		return 0;
	return fargs_pt_input_add_switch(in, &sw);
}

int fargs_perf_record_take(struct fargs_pt_input *in, const struct fargs_perf_body *b)
{
	fargs_pt_input_extend(in, ns_of(b));
	switch (b->head->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return take_mmap(in, b);
	case PERF_RECORD_LOST:
		if (b->bytes >= 16)
			in->nr_lost_records += fargs_perf_body_u64(b, 8);
		return 0;
	case PERF_RECORD_COMM:
		return take_comm(in, b);
	case PERF_RECORD_FORK:
		return take_fork(in, b);
	case PERF_RECORD_ITRACE_START:
		return take_start(in, b);
	case PERF_RECORD_SWITCH:
		return take_task_switch(in, b);
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return take_switch(in, b);
	case PERF_RECORD_KSYMBOL:
		return take_ksymbol(in, b);
	case PERF_RECORD_TEXT_POKE:
		return take_text_poke(in, b);
	}
	return 0;
}
