// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dlfilter that calls all functions of the interface, and prints the results, one line per event.
 * With the argument SAMPLE, it prints the sample before that line. It fails if a function succeeds
 * at a time when the interface does not allow calling it.
 *
 * Arguments: DROP=EVENT drops events whose names begin with EVENT, in filter_event(); EARLY=EVENT
 * does so in filter_event_early().
 */
#include <perf/perf_dlfilter.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct perf_dlfilter_fns perf_dlfilter_fns;

/* Layout of struct perf_dlfilter_al in Linux 6.5, which has additional members at its end. */
struct newer_al {
	struct perf_dlfilter_al al;
	void *priv[4];
};

typedef void cleanup_fn(void *ctx, struct perf_dlfilter_al *al);

static const char *drop, *drop_early;
static int has_sample;
static int nr_started, nr_stopped;

/* Checks that no function succeeds outside of filter_event(). */
static int check_invalid(void *ctx)
{
	struct perf_dlfilter_al al = { .size = sizeof(al) };
	__u32 n = 7;
	char c;

	if (perf_dlfilter_fns.resolve_ip(ctx) || perf_dlfilter_fns.resolve_addr(ctx))
		return -1;
	if (perf_dlfilter_fns.resolve_address(ctx, 0, &al) != -1)
		return -2;
	if (perf_dlfilter_fns.insn(ctx, &n) || n)
		return -3;
	if (perf_dlfilter_fns.srcline(ctx, &n) || perf_dlfilter_fns.attr(ctx))
		return -4;
	return perf_dlfilter_fns.object_code(ctx, 0, &c, 1) == -1 ? 0 : -5;
}

int start(void **data, void *ctx)
{
	char **args;
	int nr, i;

	if (perf_dlfilter_fns.args(ctx, NULL))
		return -10;
	args = perf_dlfilter_fns.args(ctx, &nr);
	for (i = 0; i < nr; i++) {
		has_sample |= !strcmp(args[i], "SAMPLE");
		if (!strncmp(args[i], "DROP=", 5))
			drop = args[i] + 5;
		if (!strncmp(args[i], "EARLY=", 6))
			drop_early = args[i] + 6;
	}
	nr_started++;
	*data = &nr_started;
	return check_invalid(ctx);
}

int stop(void *data, void *ctx)
{
	int nr;

	perf_dlfilter_fns.args(ctx, &nr);
	printf("at the end: %d started, %d arguments\n", data == &nr_started ? nr_started : -1, nr);
	return ++nr_stopped == 1 ? check_invalid(ctx) : -11;
}

static void print_al(const char *what, const struct perf_dlfilter_al *al)
{
	if (!al) {
		printf(" %s=none", what);
		return;
	}
	printf(" %s=%s+%#x:%llx:%llx-%llx:%s:%d%d", what, al->sym ? al->sym : "?", al->symoff,
	       al->addr, al->sym_start, al->sym_end, al->dso ? al->dso : "?", al->sym_binding,
	       al->is_kernel_ip);
}

/* Prints all members of the sample that are not addresses of code. */
static void print_sample(const struct perf_dlfilter_sample *s)
{
	__u64 i;

	printf("%d/%d cpu %d time %llu addr %llx id %llx stream %llx\n", s->pid, s->tid, s->cpu,
	       s->time, s->addr, s->id, s->stream_id);
	printf("period %llu flags %x mode %d %x\n", s->period, s->flags, s->cpumode, s->misc);
	printf("weight %llx %x transaction %llx src %llx\n", s->weight, s->ins_lat, s->transaction,
	       s->data_src);
	printf("phys %llx pages %llx %llx cgroup %llx machine %d vcpu %d\n", s->phys_addr,
	       s->data_page_size, s->code_page_size, s->cgroup, s->machine_pid, s->vcpu);
	printf("insns %llu cycles %llu raw %.*s chain", s->insn_cnt, s->cyc_cnt,
	       s->raw_data ? (int)s->raw_size : 0, (const char *)s->raw_data);
	for (i = 0; i < s->raw_callchain_nr; i++)
		printf(" %llx", s->raw_callchain[i]);
	printf(" branches");
	for (i = 0; i < s->brstack_nr; i++)
		printf(" %llx-%llx:%d", s->brstack[i].from, s->brstack[i].to,
		       s->brstack[i].mispred);
	putchar('\n');
}

static int print_all(const struct perf_dlfilter_sample *sample, void *ctx)
{
	const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(ctx);
	const struct perf_event_attr *attr = perf_dlfilter_fns.attr(ctx);
	struct newer_al newer = { .al = { .size = sizeof(newer.al) } };
	struct perf_dlfilter_al old = { .size = offsetof(struct perf_dlfilter_al, dso),
					.dso = "not touched" };
	cleanup_fn *cleanup = (cleanup_fn *)(void *)perf_dlfilter_fns.reserved[0];
	__u32 nr_bytes, line = 0, i;
	const __u8 *insn = perf_dlfilter_fns.insn(ctx, &nr_bytes);
	const char *file = perf_dlfilter_fns.srcline(ctx, &line);
	unsigned char code[4];
	__s32 n;

	if (!al || al != perf_dlfilter_fns.resolve_ip(ctx))
		return -20;
	printf("%s", sample->event);
	print_al("ip", al);
	printf(" comm=%s filtered=%d bits=%d", al->comm, al->filtered,
	       al->is_64_bit ? 64 : 32);
	print_al("addr", perf_dlfilter_fns.resolve_addr(ctx));
	/*
	 * Test a filter built with an older, smaller struct than that of fargs, and one built with
	 * a newer struct.
	 */
	if (perf_dlfilter_fns.resolve_address(ctx, sample->addr, &old) ||
	    strcmp(old.dso, "not touched") || old.size != offsetof(struct perf_dlfilter_al, dso))
		return -21;
	newer.al.size = sizeof(newer);
	if (perf_dlfilter_fns.resolve_address(ctx, sample->addr, &newer.al) ||
	    newer.al.size != sizeof(newer) || newer.al.addr != old.addr)
		return -22;
	print_al("address", &newer.al);
	if (cleanup)
		cleanup(ctx, &newer.al);
	printf(" cleanup=%d insn=", !!cleanup);
	for (i = 0; i < nr_bytes; i++)
		printf("%02x", insn[i]);
	n = perf_dlfilter_fns.object_code(ctx, sample->addr, code, sizeof(code));
	printf(" code=");
	for (i = 0; n > 0 && i < (__u32)n; i++)
		printf("%02x", code[i]);
	printf(" line=%s:%u type=%u config=%llu raw=%u\n", file ? file : "?", line,
	       attr ? attr->type : 99, attr ? attr->config : 99, sample->raw_size);
	return 0;
}

int filter_event_early(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	const struct perf_dlfilter_al *al = perf_dlfilter_fns.resolve_ip(ctx);

	if (data != &nr_started || !al)
		return -30;
	if (al->filtered)
		printf("%s filtered\n", sample->event);
	return drop_early && !strncmp(sample->event, drop_early, strlen(drop_early));
}

int filter_event(void *data, const struct perf_dlfilter_sample *sample, void *ctx)
{
	int ret;

	if (has_sample)
		print_sample(sample);
	ret = print_all(sample, ctx);
	return ret ? ret : drop && !strncmp(sample->event, drop, strlen(drop));
}

const char *filter_description(const char **long_description)
{
	*long_description = "It asks everything,\nand prints it.";
	return "Ask all there is to ask";
}
