// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has fargs inject change mutated recordings of a host and its guest: it adds the guest's records,
 * corrects the guest's times, or writes samples in place of the trace. The result is written and
 * can be read again, or the recording is refused with a reason. Nothing else is left in the folder.
 *
 *	inject [-n TIMES] [-t SECONDS] [-s SEED]
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/verbs.h"
#include "fuzz/options.h"
#include "fuzz/pt_show.h"
#include "source/pt/input/perf_input.h"

#define PROGRAM		"/bin/true"
#define HYPERVISOR	9
#define STDERR_BYTES	4096
#define OFFSET		0x100000	/* of the guest's TSC */

struct file {
	uint8_t bytes[32768];
	size_t n;
};

static char dir[32], host[64], guest[64], out[64], guest_data[80];
static int said, nowhere;	/* stderr and stdout of fargs inject */

static void put_time_conv(struct world *w)
{
	size_t at = begin_record(w, 79, 0);

	put64(w, 1);
	put64(w, 1);
	put64(w, 1000);
	put64(w, 0);
	put64(w, UINT64_MAX);
	put64(w, 1);
	end_record(w, at);
}

static void put_switch_in(struct world *w, uint64_t ns)
{
	size_t at = begin_record(w, 15, 0);

	put32(w, 0);
	put32(w, 0);
	put_sample(w, HYPERVISOR, HYPERVISOR, ns, 0, ID_SIDE);
	end_record(w, at);
}

/* Adds PSB, TSC, TMA, CBR, where @tsc is the host's, of which 42 ticks are one of the crystal. */
static void put_timed_psb(struct world *trace, uint64_t tsc, uint64_t offset)
{
	const uint64_t word = 0x19 | (tsc + offset) << 8;
	const uint16_t ctc = tsc / 42, fast = tsc % 42;
	unsigned int i;

	for (i = 0; i < 8; i++)
		put_bytes(trace, "\x02\x82", 2);
	put_bytes(trace, &word, 8);
	put_bytes(trace, "\x02\x73", 2);
	put_bytes(trace, &ctc, 2);
	put_bytes(trace, "\0", 1);
	put_bytes(trace, &fast, 2);
	put_bytes(trace, "\x02\x03\x10\0", 4);
}

/* A segment of the host. */
static void put_host_run(struct world *trace, uint64_t tsc)
{
	const uint64_t ip = 0xffffffff1000 | 1;
	const uint8_t mtc = (tsc / 42 >> 3) + 1;

	put_timed_psb(trace, tsc, 0);
	/* PIP; FUP; MODE.Exec, PSBEND; TNT, MTC. */
	put_bytes(trace, "\x02\x43\0\x20\0\0\0\0\x7d", 9);
	put_bytes(trace, &ip, 6);
	put_bytes(trace, "\x99\x01\x02\x23\xe6\x59", 6);
	put_bytes(trace, &mtc, 1);
}

/* A segment of the guest, with a time of its clock, and the way back to the host. */
static void put_guest_run(struct world *trace, uint64_t tsc)
{
	const uint64_t ip = 0x1000;

	put_timed_psb(trace, tsc, OFFSET);
	/* PIP of non-root operation, VMCS; FUP; MODE.Exec, PSBEND; TNT. */
	put_bytes(trace, "\x02\x43\x01\x20\0\0\0\0\x02\xc8\x6a\xff\x1b\0\0\x7d", 16);
	put_bytes(trace, &ip, 6);
	put_bytes(trace, "\x99\x01\x02\x23\xe6", 5);
	/* PIP, TIP to the host. */
	put_bytes(trace, "\x02\x43\0\x20\0\0\0\0\x2d\x08\x10", 11);
}

static void make_host(struct file *file)
{
	static struct world w, trace;
	size_t data = begin_file(&w);
	uint64_t attrs;

	memcpy(&attrs, w.bytes + 24, sizeof(attrs));
	set64(&w, attrs + 40, 1 << 18);
	trace.n = 0;
	put_host_run(&trace, 8000);
	put_guest_run(&trace, 9000);
	put_host_run(&trace, 10000);
	put_guest_run(&trace, 11000);
	put_host_run(&trace, 12000);
	put_auxtrace_info(&w, true);
	put_time_conv(&w);
	put_comm(&w, HYPERVISOR, "CPU 0/KVM", 0);
	put_mmap2(&w, HYPERVISOR, 0x1000, 0x2000, PROGRAM, 0);
	put_switch_in(&w, 3700);
	put_aux(&w, 0, 0, trace.n, 0);
	put_auxtrace(&w, 0, 0, trace.bytes, trace.n);
	put_switch_in(&w, 5700);
	finish_file(&w, data);
	memcpy(file->bytes, w.bytes, w.n);
	file->n = w.n;
}

/* Adds ID_INDEX: both events are of CPU 0. */
static void put_id_index(struct world *w)
{
	const uint64_t ids[] = { ID_PT, ID_SIDE };
	size_t at = begin_record(w, 69, 0), i;

	put64(w, 2);
	for (i = 0; i < 2; i++) {
		put64(w, ids[i]);
		put64(w, i);
		put64(w, 0);
		put64(w, UINT64_MAX);
	}
	end_record(w, at);
}

static void make_guest(struct file *file)
{
	static struct world w;
	size_t data = begin_file(&w);

	put_time_conv(&w);
	put_id_index(&w);
	put_comm(&w, 70, "guest", 0);
	put_mmap2(&w, 70, 0x1000, 0x3000, PROGRAM, 0);
	put_fork(&w, 71, 70, 3750);
	put_exec(&w, 71, 3760);
	put_mmap2(&w, 71, 0x2000, 0x1000, PROGRAM, 3770);
	put_switch(&w, 0, 70, 71, 3950);
	put_task_switch(&w, 0, 71, true, 4000);
	put_ksymbol(&w, 0xffffffffc0000000, 64, "kprobe", false, 4100);
	put_text_poke(&w, 0xffffffffffff1010, 4200);
	finish_file(&w, data);
	memcpy(file->bytes, w.bytes, w.n);
	file->n = w.n;
}

static void write_file(const char *path, const struct file *file)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, file->bytes, file->n) != (ssize_t)file->n || close(fd))
		exit(1);
}

/* Returns whether @path is read as a recording of Intel PT; if not, @why says why. */
static bool is_read(const char *path, struct fargs_error_text *why)
{
	struct fargs_pt_input in;
	int ret;

	fargs_pt_input_init(&in);
	*why = (struct fargs_error_text){ "" };
	ret = fargs_perf_input_read(&in, path, NULL, why);
	fargs_pt_input_deinit(&in);
	return !ret;
}

static unsigned int nr_entries(void)
{
	DIR *d = opendir(dir);
	unsigned int nr = 0;

	while (readdir(d))
		nr++;
	closedir(d);
	return nr;
}

/* Runs a command. Returns its exit status, with what it said in @text. */
static int inject(const char *const *argv, char *text)
{
	char name[] = "inject";
	char *args[8] = { name };
	int argc = 1, err = dup(2), standard = dup(1), status;
	ssize_t n;

	for (; *argv; argv++)
		args[argc++] = (char *)*argv;
	if (ftruncate(said, 0) || lseek(said, 0, SEEK_SET) || dup2(said, 2) < 0 ||
	    dup2(nowhere, 1) < 0)
		exit(1);
	status = fargs_verb_inject.run(argc, args);
	fflush(stderr);
	fflush(stdout);
	if (dup2(err, 2) < 0 || dup2(standard, 1) < 0)
		exit(1);
	close(err);
	close(standard);
	n = pread(said, text, STDERR_BYTES - 1, 0);
	text[n < 0 ? 0 : n] = '\0';
	return status;
}

#define DRY_RUN	2
#define SAMPLES	3	/* instead of the trace: it is no recording of Intel PT any more */

/* What follows is NULL. */
static const char *const commands[][5] = {
	{ guest_data, "-o", out, host },
	{ "--vm-time-correlation", "-o", out, host },
	{ "--vm-time-correlation=dry-run", host },
	{ "--itrace=bcrxie", "-o", out, host },
};

/*
 * Tries a command with both files, which are @is_whole if nothing was changed in them. Returns
 * whether what it did is right. *@nr counts successes.
 */
static bool try_one(unsigned int command, bool is_whole, unsigned long *nr)
{
	struct fargs_error_text why;
	bool is_host_read = is_read(host, &why), is_right;
	char text[STDERR_BYTES];
	int status = inject(commands[command], text);

	/* 2: it was written, with gaps. */
	is_right = !status || (text[0] && text[strlen(text) - 1] == '\n');
	if (status == 1 || command == DRY_RUN)
		is_right &= access(out, F_OK) != 0;
	else
		is_right &= !access(out, F_OK) &&
			    (command == SAMPLES || !is_host_read || is_read(out, &why));
	if (!is_right)
		printf("%s: exit status %d: '%s', '%s'\n", commands[command][0], status, text,
		       why.text);
	else if (status == 1 && is_whole)
		printf("%s: what was not changed is refused: %s", commands[command][0], text);
	*nr += status != 1;
	if (is_right)
		unlink(out);
	/* ".", ".." and both recordings */
	if (is_right && nr_entries() != 4) {
		printf("%s left a file behind\n", commands[command][0]);
		is_right = false;
	}
	return is_right && (!is_whole || status != 1);
}

static void mutated(const char *path, const struct file *file, bool is_changed)
{
	static struct file copy;

	copy = *file;
	if (is_changed)
		mutate(copy.bytes, &copy.n);
	write_file(path, &copy);
}

int main(int argc, char **argv)
{
	struct fuzz_options o = { .nr = 1000, .seed = 1 };
	unsigned long nr[4] = { 0 }, i;
	static struct file h, g;
	bool is_right = true;
	unsigned int which;
	char command[64];

	if (!fuzz_options_read(&o, argc, argv))
		return 1;
	rng.state = o.seed;
	strcpy(dir, "/tmp/fargs-fuzz-XXXXXX");
	said = memfd_create("stderr", MFD_CLOEXEC);
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (!mkdtemp(dir) || said < 0 || nowhere < 0)
		return 1;
	snprintf(host, sizeof(host), "%s/host", dir);
	snprintf(guest, sizeof(guest), "%s/guest", dir);
	snprintf(out, sizeof(out), "%s/out", dir);
	snprintf(guest_data, sizeof(guest_data), "--guest-data=%s,%u,0", guest, HYPERVISOR);
	make_host(&h);
	make_guest(&g);
	write_file(host, &h);
	write_file(guest, &g);
	for (i = 0; is_right && i < 4; i++)
		is_right = try_one(i, true, &nr[i]);
	for (i = 0; is_right && fuzz_goes_on(&o, i); i++) {
		which = fuzz_below(&rng, 3);
		mutated(host, &h, which != 1);
		mutated(guest, &g, which != 0);
		which = fuzz_below(&rng, 4);
		is_right = try_one(which, false, &nr[which]);
	}
	printf("%lu recordings; written: %lu with the guest's records, %lu with its times, "
	       "%lu with samples; %lu dry runs\n", i, nr[0], nr[1], nr[3], nr[2]);
	/* What failed is kept. */
	snprintf(command, sizeof(command), "rm -r '%s'", dir);
	return !is_right || system(command);
}
