// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads mutated perf.data files whose samples have all fields that a sample can have. Each file is
 * read or refused with a reason. All data of its samples are read, and the addresses in them are
 * resolved to symbols, code and source lines.
 *
 *	samples [-n TIMES] [-t SECONDS] [-s SEED]
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fuzz/pt_show.h"
#include "fuzz/source_show.h"
#include "plugin/dlfilter/perf_samples.h"
#include "source/perf_data/perf_data.h"

/* All bits of sample_type except for AUX, and for WEIGHT, which WEIGHT_STRUCT replaces. */
#define SAMPLE_ALL	(((1ull << 25) - 1) & ~(1ull << 14) & ~(1ull << 20))

static uint64_t sum;

/* Reads all bytes to which a pointer of the sample points. */
static void touch(const void *at, size_t bytes)
{
	const uint8_t *byte = at;

	while (bytes--)
		sum += *byte++;
}

static void ask(struct fargs_dlfilter_perf *p, struct fargs_recording *r,
		const struct fargs_recorded *sample, uint64_t addr)
{
	struct fargs_dlfilter_al al = { .size = 0 };
	struct fargs_dso *dso;
	uint64_t at, room;
	unsigned int line;
	uint8_t code[16];

	fargs_dlfilter_perf_resolve(p, sample, addr, &al);
	if (al.sym)
		touch(al.sym, strlen(al.sym));
	touch(al.buildid, al.buildid_size);
	dso = fargs_recording_find(r, sample->sample.pid, addr, &at, &room);
	if (!dso)
		return;
	touch(code, fargs_dso_read(dso, at, code, sizeof(code)));
	fargs_dso_srcline(dso, at, &line);
}

static int show_samples(const char *path, struct fargs_error_text *err)
{
	struct fargs_recording *r = fargs_recording_open(path, NULL, true, err);
	struct fargs_dlfilter_perf *p;
	struct fargs_recorded sample;
	int ret;

	if (!r)
		return -1;
	p = fargs_dlfilter_perf_create(NULL, r, NULL, err);
	if (!p)
		exit(1);
	while ((ret = fargs_recording_next(r, &sample, err)) > 0) {
		const struct fargs_sample *s = &sample.sample;

		touch(s->raw, s->raw_bytes);
		touch(s->callchain, s->nr_callchain * sizeof(*s->callchain));
		touch(s->branches, s->nr_branches * sizeof(*s->branches));
		touch(sample.event, strlen(sample.event));
		ask(p, r, &sample, s->ip);
		ask(p, r, &sample, s->addr);
	}
	fargs_dlfilter_perf_destroy(p);
	fargs_recording_close(r);
	return ret;
}

/* Shows the samples as events. A file with samples of too many CPUs is refused. */
static int show_as_events(const char *path, struct fargs_error_text *err)
{
	struct fargs_recording *r = fargs_recording_open(path, NULL, true, err);
	struct fargs_event_source *source;
	struct fargs_meta meta;
	int ret = -1;

	if (!r)
		return -1;
	source = fargs_perf_data_create(r, &meta, err);
	if (source)
		ret = source_show(source, err);
	fargs_perf_data_destroy(source);
	fargs_meta_deinit(&meta);
	fargs_recording_close(r);
	return ret;
}

/* Tries a file. Returns whether it was accepted. */
static bool try_one(const uint8_t *bytes, size_t n, bool *is_mute)
{
	struct fargs_error_text err = { "" };
	int fd = memfd_create("fuzz", MFD_CLOEXEC), ret;
	char path[32];

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		exit(1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ret = show_samples(path, &err);
	*is_mute = ret && (!err.text[0] || strchr(err.text, '\n'));
	if (!ret && show_as_events(path, &err))
		*is_mute = !err.text[0] || strchr(err.text, '\n');
	close(fd);
	return !ret;
}

static void put_full_attr(struct world *w)
{
	size_t at = begin_record(w, 64, 0), attr = w->n;

	put32(w, 4);			/* PERF_TYPE_RAW */
	put32(w, 128);
	put64(w, 0x1c2);
	put64(w, 1000);			/* period */
	put64(w, SAMPLE_ALL);
	put64(w, 1 << 3 | 1 << 2);	/* read_format: GROUP and ID */
	put64(w, 0);
	memset(w->bytes + w->n, 0, 128 - (w->n - attr));
	w->n = attr + 128;
	set64(w, attr + 72, 1 << 17);	/* branch_sample_type: hw_index */
	set64(w, attr + 80, 0x5);	/* sample_regs_user: two registers */
	set64(w, attr + 96, 0x7);	/* sample_regs_intr: three registers */
	put64(w, 0x1d);
	end_record(w, at);
	at = begin_record(w, 78, 0);	/* EVENT_UPDATE: a name */
	put64(w, 2);
	put64(w, 0x1d);
	put_text(w, "an_event");
	end_record(w, at);
}

static void put_full_sample(struct world *w, uint64_t ip, uint64_t ns)
{
	size_t at = begin_record(w, 9, 2);
	int i;

	put64(w, 0x1d);			/* IDENTIFIER */
	put64(w, ip);
	put32(w, 41);
	put32(w, 42);
	put64(w, ns);
	put64(w, ip + 1);		/* ADDR */
	put64(w, 0x1d);			/* ID */
	put64(w, 0x51);			/* STREAM_ID */
	put64(w, 3);			/* CPU */
	put64(w, 777);			/* PERIOD */
	put64(w, 2);			/* READ: two events, each with a value and an id */
	for (i = 0; i < 4; i++)
		put64(w, 0xeeee);
	put64(w, 3);			/* CALLCHAIN */
	put64(w, -512ull);
	put64(w, ip);
	put64(w, 0xc0ffee);
	put32(w, 12);			/* RAW */
	put_bytes(w, "raw data 123", 12);
	put64(w, 2);			/* BRANCH_STACK: two branches, preceded by hw_idx */
	put64(w, 0xaaaa);
	for (i = 0; i < 2; i++) {
		put64(w, 0xb000 + i);
		put64(w, 0xb100 + i);
		put64(w, 0);
	}
	put64(w, 2);			/* REGS_USER: 64-bit ABI */
	put64(w, 0xeeee);
	put64(w, 0xeeee);
	put64(w, 16);			/* STACK_USER: 16 bytes, 8 of them used */
	put64(w, 0xeeee);
	put64(w, 0xeeee);
	put64(w, 8);
	put64(w, 0x77 | 0x88ull << 32 | 0x99ull << 48);	/* WEIGHT_STRUCT */
	put64(w, 0x68100142);		/* DATA_SRC */
	put64(w, 0x7a);			/* TRANSACTION */
	put64(w, 0);			/* REGS_INTR: no registers */
	put64(w, 0x123456000);		/* PHYS_ADDR */
	put64(w, 0xc6);			/* CGROUP */
	put64(w, 4096);
	put64(w, 2 << 20);
	end_record(w, at);
}

static void put_plain_comm(struct world *w, uint32_t pid, uint32_t tid)
{
	size_t at = begin_record(w, 3, 0);

	put32(w, pid);
	put32(w, tid);
	put_text(w, "forty");
	end_record(w, at);
}

static void put_map(struct world *w, uint32_t pid, uint64_t start)
{
	size_t at = begin_record(w, 1, 2);

	put32(w, pid);
	put32(w, pid);
	put64(w, start);
	put64(w, 0x10000);
	put64(w, 0);
	put_text(w, "/proc/self/exe");
	end_record(w, at);
}

static size_t make(uint8_t *bytes)
{
	static struct world w;
	size_t at;

	put_bytes(&w, "PERFILE2", 8);
	put64(&w, 16);
	put_full_attr(&w);
	put_plain_comm(&w, 40, 40);
	put_map(&w, 40, 0x400000);
	at = begin_record(&w, 7, 0);	/* FORK */
	put32(&w, 41);
	put32(&w, 40);
	put32(&w, 42);
	put32(&w, 40);
	put64(&w, 1);
	end_record(&w, at);
	put_full_sample(&w, 0x401130, 2000);
	put_full_sample(&w, 0x401140, 1000);
	memcpy(bytes, w.bytes, w.n);
	return w.n;
}

int main(int argc, char **argv)
{
	unsigned long times = 1000, seconds = 0, i, nr_read = 0;
	static uint8_t seed[65536], copy[65536];
	size_t size = make(seed), n;
	bool is_mute = false;
	time_t end;
	int opt;

	rng.state = 1;
	while ((opt = getopt(argc, argv, "n:t:s:")) != -1) {
		if (opt == 'n')
			times = strtoul(optarg, NULL, 0);
		else if (opt == 't')
			seconds = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			rng.state = strtoull(optarg, NULL, 0);
		else
			return 1;
	}
	if (!try_one(seed, size, &is_mute)) {
		printf("what was not changed is not read\n");
		return 1;
	}
	end = time(NULL) + seconds;
	for (i = 0; !is_mute && (seconds ? time(NULL) < end : i < times); i++) {
		n = size;
		memcpy(copy, seed, size);
		mutate(copy, &n);
		nr_read += try_one(copy, n, &is_mute);
	}
	printf("%lu files, %lu of them read\n", i, nr_read);
	if (is_mute)
		printf("refused without a reason in one line\n");
	return is_mute;
}
