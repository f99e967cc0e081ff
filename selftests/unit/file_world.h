/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes and reads trace files; shared by the tests of trace files. */
#ifndef UNIT_FILE_WORLD_H
#define UNIT_FILE_WORLD_H

#include "file/writer.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/format.h"
#include "file/reader.h"
#include "kernel/btf/btfs.h"
#include "kernel/sym/ksyms.h"
#include "model/decoder.h"
#include "unit/ktap.h"
#include "unit/replay.h"

/* Number of records of each CPU. A file that includes this header may define another number. */
#ifndef NR_RECORDS
#define NR_RECORDS	6000	/* two chunks of records */
#endif

static struct fargs_writer_options options;
static struct fargs_meta meta;
static struct fargs_error_text err;
static char path[64], other[64];
static char *image;		/* contents of the whole file, as written */
static size_t image_size;

static inline void set_up_meta(void)
{
	/* The symbols are similar, so that compressing them saves space. */
	static const char symbols[] =
		"ffffffff81000000 T vfs_read\n"
		"ffffffff81001000 T vfs_read_once_more_from_the_begin_on\n"
		"ffffffff81002000 T vfs_read_once_more_from_the_middle_on\n"
		"ffffffff81003000 T vfs_read_once_more_from_the_end_on\n"
		"ffffffff81004000 T vfs_read_once_more_from_nowhere_on\n"
		"ffffffffc0000000 t f\t[m]\n";
	struct fargs_clock_sample samples[2] = {
		{ .tsc = 1000, .perf_ns = 5000, .is_valid = 1 },
	};
	struct btf *btf = btf__new_empty();
	const void *raw;
	uint32_t size;

	fargs_meta_init(&meta);
	meta.info.abi = FARGS_ABI;
	meta.info.nr_cpus = 2;
	meta.info.tsc_khz = 1000000;
	meta.info.tif_resched = 8;
	meta.info.seq_site[0] = 0xffffffffc0123456;
	strcpy(meta.info.release, "6.1.0-test");
	meta.command = strdup("fargs record -f 'a\nb' \033");
	meta.hostname = strdup("h");
	strcpy(meta.origin.machine_id, "0123456789abcdef0123456789abcdef");
	strcpy(meta.origin.boot_id, "01234567-89ab-cdef-0123-456789abcdef");
	meta.origin.real_ns = 1700000000123456789;
	meta.origin.real_tsc = 4000;
	meta.origin.real_width = 50;
	meta.origin.real_cpu = 1;
	fargs_origin_add_label(&meta.origin, "role=web\n=server", NULL);
	fargs_origin_add_label(&meta.origin, "rack=17", NULL);
	meta.ring_bytes = 1 << 20;
	btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	raw = btf__raw_data(btf, &size);
	meta.btfs = fargs_btfs_create();
	fargs_btfs_add(meta.btfs, "vmlinux", raw, size, NULL);
	btf__free(btf);
	meta.ksyms = fargs_ksyms_parse(symbols, sizeof(symbols) - 1, NULL);
	meta.nr_funcs = 2;
	meta.funcs = calloc(2, sizeof(*meta.funcs));
	meta.funcs[0] = (struct fargs_func){ .ip = 0xffffffff81000004, .addr = 0xffffffff81000000,
					     .name = strdup("vfs_read"), .btf_id = 1 };
	meta.funcs[1] = (struct fargs_func){ .ip = 0xffffffffc0000000, .addr = 0xffffffffc0000000,
					     .name = strdup("f"), .module = strdup("m") };
	meta.nr_tasks = 1;
	meta.tasks = calloc(1, sizeof(*meta.tasks));
	meta.tasks[0] = (struct fargs_task_start){ 9, 8, "init" };
	fargs_meta_add_clock(&meta, samples);
	meta.stats = calloc(2, sizeof(*meta.stats));
	meta.stats[0].produced = NR_RECORDS;
	meta.stats[1].produced = NR_RECORDS + 5;
	meta.stats[1].rejected = 5;
}

/* Returns the records of @cpu, of 64 bytes each. The records of the two CPUs alternate in time. */
static inline void *records_of(unsigned int cpu, size_t *bytes)
{
	static const char body[16] = "n\0\x05\x01";
	struct fargs_record *rec;
	char *buf = calloc(NR_RECORDS, 64);
	size_t i;

	for (i = 0; i < NR_RECORDS; i++) {
		rec = (void *)(buf + 64 * i);
		rec->len = 64;
		rec->kind = FARGS_KIND_ENTRY;
		rec->tid = 9;
		rec->tsc = 1000 + 2 * i + cpu;
		rec->ip = 0xffffffff81000004;
		rec->seq = i;
		rec->preempt = FARGS_PREEMPT_NO_RESCHED;
		memcpy(rec + 1, body, sizeof(body));
	}
	*bytes = 64 * NR_RECORDS;
	return buf;
}

static inline bool write_file(const char *name, bool is_finished)
{
	struct fargs_writer *w;
	struct fargs_clock_sample samples[2] = {
		{ .tsc = 41000, .perf_ns = 45000, .is_valid = 1 },
		{ .tsc = 41000, .perf_ns = 45000, .is_valid = 1 },
	};
	/*
	 * Functions of a module that is loaded during the recording. The address of the first one
	 * was that of a function of another module at the start of the recording.
	 */
	const struct fargs_func late[2] = {
		{ .ip = 0xffffffffc0000000, .addr = 0xffffffffc0000000, .name = (char *)"g",
		  .module = (char *)"n", .from_tsc = 5000 },
		{ .ip = 0xffffffffc0002000, .addr = 0xffffffffc0001ffc, .name = (char *)"h",
		  .module = (char *)"n", .from_tsc = 5000 },
	};
	unsigned int cpu;
	size_t bytes;
	void *buf;
	int ret = 0;

	/* Remove the rounds of clock samples that an earlier fargs_writer_clock() has added. */
	while (meta.nr_clocks > 1)
		free(meta.clocks[--meta.nr_clocks].cpus);
	unlink(name);
	w = fargs_writer_create(name, &meta, &options, &err);
	if (!w)
		return false;
	for (cpu = 0; cpu < 2 && !ret; cpu++) {
		buf = records_of(cpu, &bytes);
		ret = fargs_writer_records(w, cpu, buf, bytes / 2, &err);
		if (!ret && !cpu)
			ret = fargs_writer_clock(w, samples, &err);
		if (!ret && !cpu)
			ret = fargs_writer_funcs(w, late, 2, &err);
		if (!ret)
			ret = fargs_writer_records(w, cpu, (char *)buf + bytes / 2, bytes / 2,
						   &err);
		free(buf);
	}
	if (!ret && is_finished)
		ret = fargs_writer_finish(w, &err);
	fargs_writer_destroy(w);
	return !ret;
}

static inline bool slurp(const char *name)
{
	struct stat st;
	int fd = open(name, O_RDONLY);

	free(image);
	image = NULL;
	if (fd < 0 || fstat(fd, &st))
		return false;
	image_size = st.st_size;
	image = malloc(image_size);
	if (read(fd, image, image_size) != (ssize_t)image_size)
		image_size = 0;
	close(fd);
	return image_size;
}

static inline void spill(const char *name, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT, 0600);

	/*
	 * Do not truncate the file to size 0 before writing: ext4 would then write the file to the
	 * disk at close().
	 */
	if (fd < 0 || write(fd, image, size) != (ssize_t)size || ftruncate(fd, size))
		ktap_fail(__FILE__, __LINE__, "cannot write %s", name);
	close(fd);
}

struct seen {
	uint64_t nr;
	uint64_t last;
	bool is_ordered;
	struct fargs_decoder *decoder;
};

static inline int see(void *arg, unsigned int cpu, const struct fargs_record *rec)
{
	struct seen *seen = arg;
	struct fargs_event ev;

	if (rec->tsc < seen->last)
		seen->is_ordered = false;
	seen->last = rec->tsc;
	seen->nr++;
	return fargs_decoder_event(seen->decoder, cpu, rec, &ev);
}

/* Reads all records of @name. Returns 0, or a negative errno with the reason in err. */
static inline int read_file(const char *name, struct fargs_meta *into, struct seen *seen)
{
	struct fargs_reader *r;
	int ret;

	fargs_meta_init(into);
	memset(seen, 0, sizeof(*seen));
	seen->is_ordered = true;
	err.text[0] = 0;
	r = fargs_reader_open(name, into, &err);
	if (!r)
		return err.text[0] ? -EIO : -EPROTO;
	seen->decoder = fargs_decoder_create(into, &err);
	ret = seen->decoder ? replay(r, into, see, seen, &err) : -EINVAL;
	fargs_reader_destroy(r);
	return ret;
}

static inline void drop(struct fargs_meta *into, struct seen *seen)
{
	fargs_decoder_destroy(seen->decoder);
	fargs_meta_deinit(into);
}

/* Runs the tests @run in a new temporary directory, and removes the directory. */
static inline int file_world_run(int (*run)(void))
{
	const char *dir = getenv("TMPDIR");
	int ret;

	snprintf(path, sizeof(path), "%.40s/fargs-XXXXXX", dir ? dir : "/tmp");
	if (!mkdtemp(path)) {
		printf("Bail out! cannot make a directory\n");
		return 1;
	}
	snprintf(other, sizeof(other), "%.50s/other", path);
	strcat(path, "/t.fargs");
	set_up_meta();
	ret = run();
	unlink(path);
	unlink(other);
	*strrchr(path, '/') = 0;
	rmdir(path);
	free(image);
	fargs_meta_deinit(&meta);
	return ret;
}

#endif
