// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/event.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/errname.h"
#include "base/put.h"
#include "source/pt/capture/attr.h"

static void put_number(struct fargs_buf *out, const char *name, uint64_t value)
{
	if (!value)
		return;
	fargs_put_char(out, ' ');
	fargs_put(out, name);
	fargs_put_char(out, ' ');
	fargs_put_u64(out, value, 0, ' ');
}

static void put_hex(struct fargs_buf *out, const char *name, uint64_t value)
{
	fargs_put_char(out, ' ');
	fargs_put(out, name);
	fargs_put_char(out, ' ');
	fargs_put_hex(out, value);
}

/* Appends the names of the bits of @value, where @names[N] is that of bit N. */
static void put_bits(struct fargs_buf *out, const char *name, uint64_t value,
		     const char *const *names, size_t nr)
{
	const char *separator = "";
	size_t i;

	if (!value)
		return;
	fargs_put_char(out, ' ');
	fargs_put(out, name);
	fargs_put_char(out, ' ');
	for (i = 0; i < nr; i++) {
		if (!(value >> i & 1))
			continue;
		fargs_put(out, separator);
		fargs_put(out, names[i]);
		separator = "|";
	}
	if (value >> nr) {
		fargs_put(out, separator);
		fargs_put_hex(out, value >> nr << nr);
	}
}

#define BITS(out, name, value, names) \
	put_bits(out, name, value, names, sizeof(names) / sizeof((names)[0]))

static const char *const samples[] = {
	"IP", "TID", "TIME", "ADDR", "READ", "CALLCHAIN", "ID", "CPU", "PERIOD", "STREAM_ID", "RAW",
	"BRANCH_STACK", "REGS_USER", "STACK_USER", "WEIGHT", "DATA_SRC", "IDENTIFIER",
	"TRANSACTION", "REGS_INTR", "PHYS_ADDR", "AUX", "CGROUP", "DATA_PAGE_SIZE",
	"CODE_PAGE_SIZE", "WEIGHT_STRUCT",
};

static const char *const reads[] = {
	"TOTAL_TIME_ENABLED", "TOTAL_TIME_RUNNING", "ID", "GROUP", "LOST",
};

void fargs_pt_event_put(struct fargs_buf *out, const struct perf_event_attr *attr)
{
	uint32_t action = fargs_pt_attr_aux_action(attr);

	put_number(out, "type", attr->type);
	put_number(out, "size", attr->size);
	put_hex(out, "config", attr->config);
	put_number(out, attr->freq ? "sample_freq" : "sample_period", attr->sample_period);
	BITS(out, "sample_type", attr->sample_type, samples);
	BITS(out, "read_format", attr->read_format, reads);
	put_number(out, "disabled", attr->disabled);
	put_number(out, "inherit", attr->inherit);
	put_number(out, "exclude_user", attr->exclude_user);
	put_number(out, "exclude_kernel", attr->exclude_kernel);
	put_number(out, "exclude_hv", attr->exclude_hv);
	put_number(out, "mmap", attr->mmap);
	put_number(out, "comm", attr->comm);
	put_number(out, "freq", attr->freq);
	put_number(out, "enable_on_exec", attr->enable_on_exec);
	put_number(out, "task", attr->task);
	put_number(out, "watermark", attr->watermark);
	put_number(out, "sample_id_all", attr->sample_id_all);
	put_number(out, "mmap2", attr->mmap2);
	put_number(out, "comm_exec", attr->comm_exec);
	put_number(out, "context_switch", attr->context_switch);
	put_number(out, "ksymbol", attr->ksymbol);
	put_number(out, "bpf_event", attr->bpf_event);
	put_number(out, "aux_output", attr->aux_output);
	put_number(out, "text_poke", attr->text_poke);
	put_number(out, "build_id", attr->build_id);
	/* Members of one union. */
	put_number(out, attr->watermark ? "wakeup_watermark" : "wakeup_events",
		   attr->wakeup_events);
	put_number(out, "aux_watermark", attr->aux_watermark);
	put_number(out, "aux_sample_size", attr->aux_sample_size);
	put_number(out, "aux_start_paused", !!(action & FARGS_PT_AUX_START_PAUSED));
	put_number(out, "aux_pause", !!(action & FARGS_PT_AUX_PAUSE));
	put_number(out, "aux_resume", !!(action & FARGS_PT_AUX_RESUME));
}

/* @result: the descriptor, or -errno. */
static void report(const struct perf_event_attr *attr, pid_t tid, unsigned int cpu, int group_fd,
		   unsigned long flags, int result, const char *name,
		   const struct fargs_pt_log *log)
{
	const char *refusal = result < 0 ? fargs_errname(-result) : NULL;
	struct fargs_buf out = { };

	fargs_put(&out, "perf_event_open ");
	fargs_put(&out, name);
	fargs_put_char(&out, ':');
	fargs_pt_event_put(&out, attr);
	fargs_put(&out, " pid ");
	fargs_put_s64(&out, tid);
	fargs_put(&out, " cpu ");
	fargs_put_u64(&out, cpu, 0, ' ');
	fargs_put(&out, " group_fd ");
	fargs_put_s64(&out, group_fd);
	put_hex(&out, "flags", flags);
	fargs_put(&out, " = ");
	if (refusal)
		fargs_put(&out, refusal);
	else
		fargs_put_s64(&out, result);
	fargs_put_char(&out, '\0');
	if (!out.is_short)
		log->line(log->arg, out.text);
	fargs_buf_deinit(&out);
}

int fargs_pt_event_open(const struct perf_event_attr *attr, pid_t tid, unsigned int cpu,
			int group_fd, unsigned long flags, const char *name,
			const struct fargs_pt_log *log)
{
	int fd, code;

	flags |= PERF_FLAG_FD_CLOEXEC;
	fd = syscall(SYS_perf_event_open, attr, tid, cpu, group_fd, flags);
	code = errno;
	if (log->line)
		report(attr, tid, cpu, group_fd, flags, fd < 0 ? -code : fd, name, log);
	errno = code;
	return fd;
}
