// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dlfilter that prints each member of a sample, of the event's attributes, and of what the
 * functions of the interface return, one line of KEY=VALUE for each sample.
 *
 * Arguments: DROP=EVENT drops the events whose names begin with EVENT; LINES asks for source lines,
 * at which perf 6.1 crashes in the kernel; ADDR=ADDRESS resolves this address at the first sample;
 * EVERY=N prints only every Nth sample.
 */
#include <perf/perf_dlfilter.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct perf_dlfilter_fns perf_dlfilter_fns;

static const char *drop = "-";
static int has_lines, has_resolved, every = 1, nr_samples;

int start(void **data, void *ctx)
{
	int nr, i;
	char **args = perf_dlfilter_fns.args(ctx, &nr);

	for (i = 0; i < nr; i++) {
		has_lines |= !strcmp(args[i], "LINES");
		if (!strncmp(args[i], "DROP=", 5))
			drop = args[i] + 5;
		if (!strncmp(args[i], "EVERY=", 6))
			every = atoi(args[i] + 6);
	}
	return 0;
}

static void print_bytes(const char *key, const void *bytes, __u32 nr)
{
	const __u8 *at = bytes;

	printf("\t%s=", key);
	for (; nr; nr--)
		printf("%02x", *at++);
}

static void print_al(const char *what, const struct perf_dlfilter_al *al)
{
	char key[32];

	if (!al) {
		printf("\t%s=none", what);
		return;
	}
	printf("\t%s=%s\t%s.off=%x\t%s.addr=%llx\t%s.start=%llx\t%s.end=%llx\t%s.dso=%s", what,
	       al->sym ? al->sym : "?", what, al->symoff, what, al->addr, what, al->sym_start, what,
	       al->sym_end, what, al->dso ? al->dso : "?");
	printf("\t%s.binding=%d\t%s.64=%d\t%s.kernel=%d", what, al->sym_binding, what,
	       al->is_64_bit, what, al->is_kernel_ip);
	snprintf(key, sizeof(key), "%s.buildid", what);
	print_bytes(key, al->buildid, al->buildid ? al->buildid_size : 0);
}

static void print_sample(const struct perf_dlfilter_sample *s)
{
	__u64 i;

	printf("ip=%llx\taddr=%llx\tpid=%d\ttid=%d\ttime=%llu\tcpu=%d", s->ip, s->addr, s->pid,
	       s->tid, s->time, s->cpu);
	printf("\tid=%llu\tstream=%llu\tperiod=%llu\tflags=%x", s->id, s->stream_id, s->period,
	       s->flags);
	printf("\tinsns=%llu\tcycles=%llu\tmode=%d\tmisc=%x\tcorrelates=%d", s->insn_cnt,
	       s->cyc_cnt, s->cpumode, s->misc, s->addr_correlates_sym);
	printf("\tweight=%llu,%u,%u\ttransaction=%llx\tsrc=%llx\tphys=%llx\tpages=%llx,%llx",
	       s->weight, s->ins_lat, s->p_stage_cyc, s->transaction, s->data_src, s->phys_addr,
	       s->data_page_size, s->code_page_size);
	printf("\tcgroup=%llx\tmachine=%d\tvcpu=%d", s->cgroup, s->machine_pid, s->vcpu);
	print_bytes("raw", s->raw_data, s->raw_data ? s->raw_size : 0);
	printf("\tchain=");
	for (i = 0; i < s->raw_callchain_nr; i++)
		printf("%s%llx", i ? "," : "", s->raw_callchain[i]);
	printf("\tbrstack=");
	for (i = 0; i < s->brstack_nr; i++)
		printf("%s%llx-%llx:%llx", i ? "," : "", s->brstack[i].from, s->brstack[i].to,
		       ((const __u64 *)&s->brstack[i])[2]);
}

static void print_attr(const struct perf_event_attr *a)
{
	if (!a) {
		printf("\ttype=none");
		return;
	}
	printf("\ttype=%u\tconfig=%llx\tattr_period=%llu\tsample_type=%llx\tread_format=%llx",
	       a->type, a->config, a->sample_period, a->sample_type, a->read_format);
	/* All bits from disabled on, in one word after read_format. */
	printf("\tbits=%llx\tbranch_type=%llx", (&a->read_format)[1], a->branch_sample_type);
}

static void resolve_all(void *ctx)
{
	struct perf_dlfilter_al al = { .size = sizeof(al) };
	int nr, i;
	char **args = perf_dlfilter_fns.args(ctx, &nr);

	for (i = 0; i < nr && !has_resolved; i++) {
		if (strncmp(args[i], "ADDR=", 5))
			continue;
		printf("event=%s", args[i] + 5);
		if (perf_dlfilter_fns.resolve_address(ctx, strtoull(args[i] + 5, NULL, 16), &al))
			exit(1);
		print_al("address", &al);
		putchar('\n');
	}
	has_resolved = 1;
}

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	struct perf_dlfilter_al al = { .size = sizeof(al) };
	const struct perf_dlfilter_al *ip;
	const char *file;
	__u32 nr, line = 0;
	const __u8 *insn;
	__u8 code[4];
	__s32 n;

	resolve_all(ctx);
	if (nr_samples++ % every)
		return 0;
	printf("event=%s\t", sample->event);
	print_sample(sample);
	print_attr(perf_dlfilter_fns.attr(ctx));
	ip = perf_dlfilter_fns.resolve_ip(ctx);
	print_al("sym", ip);
	printf("\tcomm=%s\tfiltered=%d", ip ? ip->comm : "none", ip ? ip->filtered : 0);
	print_al("to", perf_dlfilter_fns.resolve_addr(ctx));
	n = perf_dlfilter_fns.resolve_address(ctx, sample->ip, &al);
	print_al("address", n ? NULL : &al);
	insn = perf_dlfilter_fns.insn(ctx, &nr);
	print_bytes("insn", insn, insn ? nr : 0);
	n = perf_dlfilter_fns.object_code(ctx, sample->ip, code, sizeof(code));
	print_bytes("code", code, n > 0 ? n : 0);
	file = has_lines ? perf_dlfilter_fns.srcline(ctx, &line) : NULL;
	printf("\tline=%s:%u\n", file ? file : "?", line);
	return !strncmp(sample->event, drop, strlen(drop));
}
