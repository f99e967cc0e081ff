// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads mutated perf.data files. Each file is read or refused with a reason, its packets are
 * dumped, and everything that can be decoded is decoded. None of this may access memory out of
 * bounds or loop forever.
 *
 *	perf [-n TIMES] [-t SECONDS] [-s SEED] [FILE]
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz/pt_show.h"
#include "source/pt/input/perf_input.h"

/* A program whose symbols are read in little time. */
#define PROGRAM	"/bin/true"

/* Tries a file. Returns whether it was accepted. */
static bool try_one(const uint8_t *bytes, size_t n, bool *is_mute)
{
	struct fargs_error_text err = { "" };
	struct fargs_pt_input in;
	char path[32];
	int fd = memfd_create("fuzz", MFD_CLOEXEC), ret;

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		exit(1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fargs_pt_input_init(&in);
	ret = fargs_perf_input_read(&in, path, NULL, &err);
	*is_mute = ret && (!err.text[0] || strchr(err.text, '\n'));
	if (!ret)
		show(&in, &err);
	fargs_pt_input_deinit(&in);
	close(fd);
	return !ret;
}

/* A PSB+ with a PIP, of VMX non-root operation. */
static void put_guest_psb(struct world *w, uint64_t tsc, uint64_t ip)
{
	put_psb(w, tsc, ip);
	w->n -= 2;
	put_bytes(w, "\x02\x43\x01\x10\0\0\0\0\x02\x23", 10);
}

/* Makes a file with all kinds of records that are read. */
static size_t make(uint8_t *bytes)
{
	static struct world w, trace;
	size_t data = begin_file(&w);
	uint64_t attrs;

	/* Trace the kernel and several programs. */
	memcpy(&attrs, w.bytes + 24, sizeof(attrs));
	set64(&w, attrs + 40, 1 << 18);
	put_trace(&trace, 0xffffffff1000 | 1);
	put_auxtrace_info(&w, true);
	put_comm(&w, 7, "seven", 0);
	put_mmap2(&w, 7, 0x1000, 0x2000, PROGRAM, 0);
	put_aux(&w, 0, 0, trace.n, 0);
	put_auxtrace(&w, 0, 0, trace.bytes, trace.n);
	put_fork(&w, 8, 7, 3600);
	put_switch(&w, 0, 7, 8, 3700);
	put_exec(&w, 8, 3710);
	put_mmap2(&w, 8, 0x1000, 0x3000, PROGRAM, 3720);
	put_mmap2(&w, 8, 0x2000, 0x1000, "/proc/self/maps", 3730);
	put_fork(&w, 9, 8, 3800);
	put_task_switch(&w, 1, 8, true, 3700);
	put_task_switch(&w, 1, 9, false, 3900);
	put_ksymbol(&w, 0xffffffffc0000000, 64, "bpf_prog_1", false, 300);
	put_text_poke(&w, 0xffffffffffff1010, 4000);
	/* Task 9 executes a virtual CPU, and has records of its guest. */
	put_guest_id(&w, 300, 9, 9, 1);
	side_id = 300;
	put_comm(&w, 70, "guest", 0);
	put_mmap2(&w, 70, 0x1000, 0x3000, PROGRAM, 0);
	put_fork(&w, 71, 70, 3750);
	put_switch(&w, 1, 70, 71, 3950);
	put_mmap2(&w, 71, 0x2000, 0x1000, PROGRAM, 3960);
	side_id = ID_SIDE;
	put_guest_psb(&trace, 8000, 0x1000);
	put_bytes(&trace, "\xe6\x0c", 2);
	put_guest_psb(&trace, 9000, 0x2000);
	put_psb(&trace, 9500, 0xffffffff1000 | 1);
	put_aux(&w, 1, 0, 30, 1);
	put_auxtrace(&w, 1, 0, trace.bytes, trace.n);
	finish_file(&w, data);
	memcpy(bytes, w.bytes, w.n);
	return w.n;
}

static unsigned long times = 1000, seconds;

static int run(const uint8_t *seed, size_t size)
{
	time_t end = time(NULL) + seconds;
	unsigned long i, nr_read = 0;
	uint8_t *copy = malloc(size);
	bool is_mute = false;
	size_t n;

	if (!try_one(seed, size, &is_mute)) {
		printf("what was not changed is not read\n");
		return 1;
	}
	for (i = 0; !is_mute && (seconds ? time(NULL) < end : i < times); i++) {
		n = size;
		memcpy(copy, seed, size);
		mutate(copy, &n);
		nr_read += try_one(copy, n, &is_mute);
	}
	free(copy);
	printf("%lu files, %lu of them read\n", i, nr_read);
	if (is_mute)
		printf("refused without a reason in one line\n");
	return is_mute;
}

int main(int argc, char **argv)
{
	static uint8_t bytes[65536];
	uint8_t *file = bytes;
	size_t size;
	int opt, status;

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
	if (optind < argc)
		file = (uint8_t *)fargs_file_read(argv[optind], &size);
	else
		size = make(bytes);
	if (!file) {
		printf("%s: cannot read it\n", argv[optind]);
		return 1;
	}
	status = run(file, size);
	if (file != bytes)
		free(file);
	return status;
}
