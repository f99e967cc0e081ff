// SPDX-License-Identifier: GPL-2.0-only
/* Trace files: written, read, cut off, damaged. Bytes by hand: see selftests/golden. */
#include "file/writer.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btf/btfs.h"
#include "decode/decoder.h"
#include "file/format.h"
#include "file/reader.h"
#include "file/replay.h"
#include "sym/ksyms.h"
#include "unit/ktap.h"

#define NR_RECORDS	6000	/* two chunks of each CPU */

static struct fargs_meta meta;
static struct fargs_error_text err;
static char path[64], other[64];
static char *image;		/* the whole file, as written */
static size_t image_size;

static void set_up_meta(void)
{
	static const char symbols[] = "ffffffff81000000 T vfs_read\nffffffffc0000000 t f\t[m]\n";
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

/* Records of @cpu: 64 bytes each, their times alternating between the CPUs. */
static void *records_of(unsigned int cpu, size_t *bytes)
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

static bool write_file(const char *name, bool is_finished)
{
	struct fargs_writer *w = fargs_writer_create(name, &meta, &err);
	struct fargs_clock_sample samples[2] = {
		{ .tsc = 41000, .perf_ns = 45000, .is_valid = 1 },
		{ .tsc = 41000, .perf_ns = 45000, .is_valid = 1 },
	};
	unsigned int cpu;
	size_t bytes;
	void *buf;
	int ret = 0;

	if (!w)
		return false;
	for (cpu = 0; cpu < 2 && !ret; cpu++) {
		buf = records_of(cpu, &bytes);
		ret = fargs_writer_records(w, cpu, buf, bytes / 2, &err);
		if (!ret && !cpu)
			ret = fargs_writer_clock(w, samples, &err);
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

static bool slurp(const char *name)
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

static void spill(const char *name, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, image, size) != (ssize_t)size)
		ktap_fail(__FILE__, __LINE__, "cannot write %s", name);
	close(fd);
}

struct seen {
	uint64_t nr;
	uint64_t last;
	bool is_ordered;
	struct fargs_decoder *decoder;
};

static int see(void *arg, unsigned int cpu, const struct fargs_record *rec)
{
	struct seen *seen = arg;
	struct fargs_event ev;

	if (rec->tsc < seen->last)
		seen->is_ordered = false;
	seen->last = rec->tsc;
	seen->nr++;
	return fargs_decoder_event(seen->decoder, cpu, rec, &ev);
}

/* Reads all of @name; 0, or the errno that stopped it, with err saying why. */
static int read_file(const char *name, struct fargs_meta *into, struct seen *seen)
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
	ret = seen->decoder ? fargs_replay(r, into->info.nr_cpus, see, seen, &err) : -EINVAL;
	fargs_reader_destroy(r);
	return ret;
}

static void drop(struct fargs_meta *into, struct seen *seen)
{
	fargs_decoder_destroy(seen->decoder);
	fargs_meta_deinit(into);
}

static void reads_back_what_was_written(void)
{
	struct fargs_meta got;
	struct seen seen;
	struct fargs_account *acc;
	const void *raw_a, *raw_b;
	size_t a, b;
	unsigned int cpu;

	REQUIRE(write_file(path, true));
	REQUIRE(slurp(path));
	CHECK_INT(read_file(path, &got, &seen), 0);
	CHECK_STR(err.text, "");
	CHECK_INT(seen.nr, 2 * NR_RECORDS);
	CHECK(seen.is_ordered);
	REQUIRE(seen.decoder);
	acc = fargs_decoder_account(seen.decoder);
	for (cpu = 0; cpu < 2; cpu++)
		CHECK(fargs_account_agrees(fargs_account_get(acc, cpu), &got.stats[cpu], NULL));
	CHECK_STR(got.command, meta.command);
	CHECK_STR(got.hostname, "h");
	CHECK_STR(got.info.release, "6.1.0-test");
	CHECK_INT(got.info.tif_resched, 8);
	CHECK(got.info.seq_site[0] == 0xffffffffc0123456);
	CHECK_INT(got.ring_bytes, 1 << 20);
	CHECK_INT(got.nr_funcs, 2);
	CHECK_STR(fargs_meta_func(&got, 0xffffffffc0000000)->module, "m");
	CHECK_STR(fargs_meta_func(&got, 0xffffffff81000004)->name, "vfs_read");
	CHECK(!fargs_meta_func(&got, 1));
	CHECK_INT(got.nr_tasks, 1);
	CHECK_STR(got.tasks[0].comm, "init");
	CHECK_INT(got.nr_clocks, 2);
	CHECK_INT(got.clocks[1].cpus[1].perf_ns, 45000);
	CHECK_STR(fargs_ksyms_find_addr(got.ksyms, 0xffffffffc0000001)->module, "m");
	raw_a = fargs_btfs_raw(meta.btfs, "vmlinux", &a);
	raw_b = fargs_btfs_raw(got.btfs, "vmlinux", &b);
	CHECK(a == b && raw_b && !memcmp(raw_a, raw_b, a));
	drop(&got, &seen);
}

/* Lines of @command's output that hold @what. */
static int lines_with(const char *command, const char *what)
{
	FILE *p = popen(command, "r");
	char line[512];
	int n = 0;

	while (p && fgets(line, sizeof(line), p))
		n += strstr(line, what) != NULL;
	if (!p || pclose(p))
		return -1;
	return n;
}

static void pleases_readelf(void)
{
	char command[160];

	if (system("command -v readelf >/dev/null")) {
		ktap_skip("readelf is not installed");
		return;
	}
	snprintf(command, sizeof(command), "readelf -SW %s 2>&1", path);
	CHECK_INT(lines_with(command, " .BTF "), 1);
	CHECK_INT(lines_with(command, " .fargs."), 7);
	CHECK_INT(lines_with(command, "arning"), 0);
	CHECK_INT(lines_with(command, "rror"), 0);
	snprintf(command, sizeof(command), "readelf -p .fargs.info %s 2>&1", path);
	CHECK_INT(lines_with(command, "release=6.1.0-test"), 1);
}

static void pleases_bpftool(void)
{
	char command[160];

	if (system("command -v bpftool >/dev/null || test -x /usr/sbin/bpftool")) {
		ktap_skip("bpftool is not installed");
		return;
	}
	snprintf(command, sizeof(command),
		 "PATH=$PATH:/usr/sbin bpftool btf dump file %s 2>&1", path);
	CHECK_INT(lines_with(command, "INT 'int'"), 1);
}

static void pleases_libbpf(void)
{
	struct btf *btf = btf__parse_elf(path, NULL);

	REQUIRE(btf);
	CHECK_INT(btf__find_by_name(btf, "int"), 1);
	btf__free(btf);
}

static void tells_a_file_that_was_cut_off(void)
{
	struct fargs_meta got;
	struct seen seen;
	size_t size;
	char want[192];

	for (size = 0; size < image_size; size += size < 8192 ? 61 : 4096) {
		spill(other, size);
		if (!read_file(other, &got, &seen))
			ktap_fail(__FILE__, __LINE__, "%zu of %zu bytes are taken for a whole file",
				  size, image_size);
		else if (strncmp(err.text, other, strlen(other)) || strchr(err.text, '\n'))
			ktap_fail(__FILE__, __LINE__, "%zu bytes: \"%s\"", size, err.text);
		CHECK_INT(seen.nr, 0);
		drop(&got, &seen);
	}
	spill(other, image_size - 1);
	read_file(other, &got, &seen);
	snprintf(want, sizeof(want), "%s: cut off: it ends at byte %zu of %zu", other,
		 image_size - 1, image_size);
	CHECK_STR(err.text, want);
	drop(&got, &seen);
}

static void tells_a_recording_that_did_not_finish(void)
{
	struct fargs_meta got;
	struct seen seen;
	char want[192];

	REQUIRE(write_file(other, false));
	CHECK(read_file(other, &got, &seen));
	snprintf(want, sizeof(want),
		 "%s: cut off: it has no section table (the recording did not finish)", other);
	CHECK_STR(err.text, want);
	drop(&got, &seen);
}

static void tells_what_is_not_a_trace(void)
{
	static const char * const files[] = {
		"/proc/self/exe", "/etc/passwd", "/dev/null", "/", "/x/y"
	};
	struct fargs_meta got;
	struct seen seen;
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		CHECK(read_file(files[i], &got, &seen));
		CHECK(!strncmp(err.text, files[i], strlen(files[i])));
		if (i < 4)
			CHECK(strstr(err.text, "not a fargs trace"));
		drop(&got, &seen);
	}
}

static void refuses_a_newer_version(void)
{
	struct fargs_file_info about = { .version = FARGS_FILE_VERSION + 1 };
	struct fargs_meta got;
	size_t size;
	char *text = fargs_info_text(&meta, &about, &size);

	fargs_meta_init(&got);
	memset(&about, 0, sizeof(about));
	CHECK_INT(fargs_info_parse(text, size, &got, &about, &err), -EPROTO);
	CHECK_STR(err.text,
		  "it is of version 2, and this program reads up to 1: use a newer fargs");
	fargs_meta_deinit(&got);
	free(text);
}

static void notices_every_damaged_byte(void)
{
	const size_t table = ((Elf64_Ehdr *)image)->e_shoff;
	struct fargs_meta got;
	struct seen seen;
	size_t at, nr = 0;

	/* behind the ELF header all that counts is under a checksum; then come names and table */
	for (at = sizeof(Elf64_Ehdr); at < table - 256; at += at < 4096 ? 5 : 4999) {
		image[at] ^= 0x10;
		spill(other, image_size);
		/* padding between chunks is no one's */
		if (!read_file(other, &got, &seen))
			nr++;
		else
			CHECK(strstr(err.text, "corrupt at byte ") || strstr(err.text, "cut off") ||
			      strstr(err.text, "not a fargs trace"));
		image[at] ^= 0x10;
		drop(&got, &seen);
	}
	CHECK(nr < 5);
}

static void survives_lies_under_good_checksums(void)
{
	static const uint64_t lies[] = {
		0, 1, 7, 0xff, 0xffff, 0xffffffff, UINT64_MAX, 1ull << 40
	};
	struct fargs_chunk *chunk;
	struct fargs_meta got;
	struct seen seen;
	char *kept;
	size_t at, i, k;

	/* each of the first 16 words of each payload, with the chunk's own checksum made right */
	for (at = sizeof(Elf64_Ehdr); ; at += sizeof(*chunk) + fargs_chunk_room(chunk->bytes)) {
		chunk = (void *)(image + at);
		if (chunk->kind == FARGS_CHUNK_END)
			break;
		kept = malloc(sizeof(*chunk) + chunk->bytes);
		memcpy(kept, chunk, sizeof(*chunk) + chunk->bytes);
		for (i = 0; i < 16 && 8 * i + 8 <= chunk->bytes; i++) {
			for (k = 0; k < sizeof(lies) / sizeof(lies[0]); k++) {
				if (chunk->kind == FARGS_CHUNK_RECORDS && (at / 64 + i) % 4)
					continue;
				memcpy((char *)(chunk + 1) + 8 * i, &lies[k], 8);
				chunk->crc = fargs_crc32c(0, chunk + 1, chunk->bytes);
				chunk->head_crc = fargs_chunk_head_crc(chunk);
				spill(other, image_size);
				read_file(other, &got, &seen);
				drop(&got, &seen);
				memcpy(chunk, kept, sizeof(*chunk) + chunk->bytes);
			}
		}
		free(kept);
	}
	CHECK(true);
}

static void tells_a_full_disk(void)
{
	const struct rlimit limit = { 100000, RLIM_INFINITY };
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };

	/* a limit on file sizes stands for a full disk: both end in a short or failed write */
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(!write_file(other, true));
	setrlimit(RLIMIT_FSIZE, &none);
	CHECK(strstr(err.text, "cannot write: File too large"));
	CHECK(!strncmp(err.text, other, strlen(other)));
	CHECK(!fargs_writer_create("/dev/full", &meta, &err));
	CHECK_STR(err.text,
		  "/dev/full: cannot write: No space left on device (make room, or record fewer functions)");
	CHECK(!fargs_writer_create("/nonexistent/t.fargs", &meta, &err));
	CHECK_STR(err.text, "/nonexistent/t.fargs: cannot create it: No such file or directory");
}

static void writes_only_whole_records(void)
{
	struct fargs_writer *w = fargs_writer_create(other, &meta, &err);
	size_t bytes;
	void *buf = records_of(0, &bytes);

	REQUIRE(w);
	CHECK_INT(fargs_writer_records(w, 0, buf, 100, &err), -EIO);
	fargs_writer_destroy(w);
	free(buf);
}

static void knows_crc32c(void)
{
	uint8_t bytes[32];
	int i;

	/* the examples of RFC 3720 */
	memset(bytes, 0, 32);
	CHECK_INT(fargs_crc32c(0, bytes, 32), 0x8a9136aa);
	memset(bytes, 0xff, 32);
	CHECK_INT(fargs_crc32c(0, bytes, 32), 0x62a8ab43);
	for (i = 0; i < 32; i++)
		bytes[i] = i;
	CHECK_INT(fargs_crc32c(0, bytes, 32), 0x46dd794e);
	CHECK_INT(fargs_crc32c(fargs_crc32c(0, bytes, 13), bytes + 13, 19), 0x46dd794e);
	CHECK_INT(fargs_crc32c(0, "123456789", 9), 0xe3069283);
}

static const struct ktap_test tests[] = {
	{ "knows CRC-32C", knows_crc32c },
	{ "reads back what was written", reads_back_what_was_written },
	{ "pleases readelf", pleases_readelf },
	{ "pleases bpftool", pleases_bpftool },
	{ "pleases libbpf", pleases_libbpf },
	{ "tells a file that was cut off", tells_a_file_that_was_cut_off },
	{ "tells a recording that did not finish", tells_a_recording_that_did_not_finish },
	{ "tells what is not a trace", tells_what_is_not_a_trace },
	{ "refuses a newer version", refuses_a_newer_version },
	{ "notices damaged bytes", notices_every_damaged_byte },
	{ "survives lies under good checksums", survives_lies_under_good_checksums },
	{ "tells a full disk", tells_a_full_disk },
	{ "writes only whole records", writes_only_whole_records },
};

int main(void)
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
	ret = KTAP_RUN(tests);
	unlink(path);
	unlink(other);
	*strrchr(path, '/') = 0;
	rmdir(path);
	free(image);
	fargs_meta_deinit(&meta);
	return ret;
}
