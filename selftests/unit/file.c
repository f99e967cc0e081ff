// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests trace files: writing and reading them, and reading truncated and damaged ones.
 * selftests/golden has trace files written by hand.
 */
#include "unit/file_world.h"

#include "kernel/sym/module_list.h"

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
		CHECK(fargs_account_agrees(fargs_account_get(acc, cpu), &got.stats[cpu], false,
						   NULL));
	CHECK_STR(got.command, meta.command);
	CHECK_STR(got.hostname, "h");
	CHECK_STR(got.origin.machine_id, meta.origin.machine_id);
	CHECK_STR(got.origin.boot_id, meta.origin.boot_id);
	CHECK(got.origin.real_ns == 1700000000123456789);
	CHECK_INT(got.origin.real_tsc, 4000);
	CHECK_INT(got.origin.real_width, 50);
	CHECK_INT(got.origin.real_cpu, 1);
	REQUIRE(got.origin.nr_labels == 2);
	CHECK_STR(got.origin.labels[0], "role=web\n=server");
	CHECK_STR(got.origin.labels[1], "rack=17");
	CHECK_STR(got.info.release, "6.1.0-test");
	CHECK_INT(got.info.tif_resched, 8);
	CHECK(got.info.seq_site[0] == 0xffffffffc0123456);
	CHECK_INT(got.ring_bytes, 1 << 20);
	CHECK_INT(got.nr_funcs, 4);
	CHECK_STR(fargs_meta_func(&got, 0xffffffffc0000000, 0)->module, "m");
	CHECK_STR(fargs_meta_func(&got, 0xffffffffc0000000, 4999)->module, "m");
	CHECK_STR(fargs_meta_func(&got, 0xffffffffc0000000, 5000)->name, "g");
	CHECK_STR(fargs_meta_func(&got, 0xffffffffc0002000, 6000)->module, "n");
	CHECK(!fargs_meta_func(&got, 0xffffffffc0002000, 4999));
	CHECK_STR(fargs_meta_func(&got, 0xffffffff81000004, 0)->name, "vfs_read");
	CHECK(!fargs_meta_func(&got, 1, 0));
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

static void takes_only_labels(void)
{
	static const char *const bad[] = {
		"", "=", "a", "a=", "=b", "a b=c", "\303\244=b", "rack=18",
	};
	struct fargs_origin o = { };
	char longest[FARGS_ORIGIN_LABEL_MAX + 2];
	unsigned int i;

	CHECK(!fargs_origin_add_label(&o, "rack=17", &err));
	CHECK(!fargs_origin_add_label(&o, "rac=17", &err));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_INT(fargs_origin_add_label(&o, bad[i], &err), -EINVAL);
	CHECK_STR(err.text, "the label 'rack' is given twice");
	memset(longest, 'x', sizeof(longest));
	longest[1] = '=';
	longest[sizeof(longest) - 1] = '\0';
	CHECK_INT(fargs_origin_add_label(&o, longest, &err), -EINVAL);
	longest[sizeof(longest) - 2] = '\0';
	CHECK(!fargs_origin_add_label(&o, longest, &err));
	for (i = o.nr_labels; i < FARGS_ORIGIN_LABELS_MAX; i++) {
		snprintf(longest, sizeof(longest), "n%u=1", i);
		CHECK(!fargs_origin_add_label(&o, longest, &err));
	}
	CHECK_INT(fargs_origin_add_label(&o, "more=1", &err), -EINVAL);
	CHECK_STR(o.labels[0], "rack=17");
	fargs_origin_deinit(&o);
}

static const char *name_at(const struct fargs_decoder *d, pid_t tid, uint64_t tsc)
{
	const struct fargs_record rec = { .tid = tid, .tsc = tsc };
	const struct fargs_task *task = fargs_decoder_task(d, &rec);

	return task ? task->comm : "<...>";
}

/*
 * Tests that names in a NAMES chunk replace the names that tasks had at the start of the recording.
 */
static void has_names_with_their_times(void)
{
	static const struct fargs_task_name names[] = {
		{ .from_tsc = 2000, .is_known = true,
		  .task = { .tid = 9, .tgid = 8, .ns_tid = 3, .comm = "fifteen letters" } },
		{ .from_tsc = 1500, .task.tid = 9 },
		{ .from_tsc = 1000, .is_known = true, .task = { .tid = 9, .tgid = 7 } },
		{ .from_tsc = 1000, .is_known = true, .task = { .tid = 7, .comm = "7" } },
	};
	const struct fargs_record rec = { .tid = 9, .tsc = 2000 };
	struct fargs_writer *w;
	struct fargs_meta got;
	struct seen seen;

	unlink(path);
	w = fargs_writer_create(path, &meta, &options, &err);
	REQUIRE(w);
	CHECK_INT(fargs_writer_names(w, names, 3, &err), 0);
	CHECK_INT(fargs_writer_names(w, names + 3, 1, &err), 0);
	CHECK_INT(fargs_writer_finish(w, &err), 0);
	fargs_writer_destroy(w);
	CHECK_INT(read_file(path, &got, &seen), 0);
	REQUIRE(seen.decoder);
	CHECK_STR(name_at(seen.decoder, 9, 999), "<...>");
	CHECK_STR(name_at(seen.decoder, 9, 1000), "");
	CHECK_STR(name_at(seen.decoder, 9, 1499), "");
	CHECK_STR(name_at(seen.decoder, 9, 1500), "<...>");
	CHECK_STR(name_at(seen.decoder, 9, 2000), "fifteen letters");
	CHECK_STR(name_at(seen.decoder, 9, UINT64_MAX), "fifteen letters");
	CHECK_STR(name_at(seen.decoder, 7, 5000), "7");
	CHECK_STR(name_at(seen.decoder, 8, 5000), "<...>");
	CHECK_STR(name_at(seen.decoder, 0, 5000), "<idle>");
	CHECK_INT(fargs_decoder_task(seen.decoder, &rec)->ns_tid, 3);
	CHECK_INT(fargs_decoder_task(seen.decoder, &rec)->tgid, 8);
	drop(&got, &seen);
}

/* Returns the number of lines of @command's output that contain @what. */
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

static struct fargs_ksyms *symbols_of(const char *text)
{
	return fargs_ksyms_parse(text, strlen(text), &err);
}

static void has_symbols_of_guests(void)
{
	static const struct fargs_guest_task tasks[] = {
		{ .tid = 11, .tgid = 10 }, { .tid = 21, .tgid = 20, .process = "qemu" },
		{ .tid = 31, .tgid = 30, .process = "other" },
	};
	static const char * const names[] = { "of_10", "of_qemu", "of_any" };
	static const char modules[] = "mod 8192 1 late, Live 0x0000000000002000\n"
				      "late 4096 0 - Loading 0x0000000000008000 (O+)\n";
	const struct fargs_ksyms *syms;
	const struct fargs_ksym *sym;
	struct fargs_meta got;
	struct seen seen;
	size_t i;

	CHECK(!fargs_guests_add(&meta.guests, 10, "shop", symbols_of(
				"0000000000001000 T of_10\n0000000000002000 t second\t[mod]\n")));
	CHECK(!fargs_ksyms_set_modules(meta.guests.guests[0].syms,
				       fargs_module_list_parse(modules, strlen(modules), &err)));
	CHECK(!fargs_guests_add(&meta.guests, 0, "qemu",
				symbols_of("0000000000001000 T of_qemu\n")));
	CHECK(!fargs_guests_add(&meta.guests, 0, "", symbols_of("0000000000001000 T of_any\n")));
	REQUIRE(write_file(path, true));
	CHECK_INT(read_file(path, &got, &seen), 0);
	CHECK_INT(got.guests.nr, 3);
	for (i = 0; i < 3; i++) {
		syms = fargs_guests_find(&got.guests, &tasks[i]);
		sym = syms ? fargs_ksyms_find_addr(syms, 0x1004) : NULL;
		CHECK_STR(sym ? sym->name : "", names[i]);
	}
	syms = fargs_guests_find(&got.guests, &tasks[0]);
	sym = syms ? fargs_ksyms_find_addr(syms, 0x2004) : NULL;
	CHECK_STR(sym ? sym->name : "", "second");
	CHECK_STR(sym ? sym->module : "", "mod");
	sym = syms ? fargs_ksyms_find_addr(syms, 0x8010) : NULL;
	CHECK_STR(sym ? sym->name : "", "[late]");
	CHECK_INT(sym ? sym->addr : 0, 0x8000);
	CHECK_STR(got.guests.guests[0].name, "shop");
	CHECK(!fargs_ksyms_modules(got.guests.guests[1].syms));
	drop(&got, &seen);
	fargs_guests_deinit(&meta.guests);
}

static void pleases_readelf(void)
{
	char command[160];

	if (system("command -v readelf >/dev/null")) {
		ktap_skip("readelf is not installed");
		return;
	}
	options.level = 1;
	REQUIRE(write_file(path, true));
	options.level = 0;
	snprintf(command, sizeof(command), "readelf -SW %s 2>&1", path);
	CHECK_INT(lines_with(command, " .BTF "), 1);
	CHECK_INT(lines_with(command, " .fargs."), 7);
	CHECK_INT(lines_with(command, "arning"), 0);
	/* only the section with the symbols is compressed */
	CHECK_INT(lines_with(command, " 00   C  0 "), 1);
	snprintf(command, sizeof(command), "readelf -z -p .fargs.kallsyms %s 2>&1", path);
	CHECK_INT(lines_with(command, " T vfs_read_once_more_from_nowhere_on"), 1);
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
		CHECK(strstr(err.text, files[i]));
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
		  "its version is 5, but this program reads versions up to 4: use a newer fargs");
	fargs_meta_deinit(&got);
	free(text);
}

static void survives_lies_under_good_checksums(void)
{
	static const uint64_t lies[] = {
		0, 1, 7, 0xff, 0xffff, 0xffffffff, UINT64_MAX, 1ull << 40
	};
	const size_t info = sizeof(Elf64_Ehdr);
	struct fargs_chunk *chunk;
	struct fargs_meta got;
	struct seen seen;
	char *kept;
	size_t at, i, k;

	/*
	 * Replace each of the first 16 words of each payload, and correct the checksums of the
	 * chunk.
	 */
	at = info + sizeof(struct fargs_chunk_v1) +
	     fargs_chunk_room(((struct fargs_chunk_v1 *)(image + info))->bytes);
	for (; ; at += sizeof(*chunk) + fargs_chunk_room(chunk->bytes)) {
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

	/*
	 * A limit on the size of files has the same effect as a full disk: a short or failed write.
	 */
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
	CHECK(!write_file(other, true));
	setrlimit(RLIMIT_FSIZE, &none);
	CHECK(strstr(err.text, "cannot write '"));
	CHECK(strstr(err.text, "': File too large"));
	CHECK(strstr(err.text, other));
	CHECK(!fargs_writer_create("/dev/full", &meta, &options, &err));
	CHECK_STR(err.text,
		  "cannot write '/dev/full': No space left on device: free some space, or record "
		  "fewer functions");
	CHECK(!fargs_writer_create("/nonexistent/t.fargs", &meta, &options, &err));
	CHECK_STR(err.text, "cannot create '/nonexistent/t.fargs': No such file or directory");
}

static void writes_only_whole_records(void)
{
	struct fargs_writer *w = fargs_writer_create(other, &meta, &options, &err);
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

	/* The following are the examples of RFC 3720. */
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
	{ "computes CRC-32C", knows_crc32c },
	{ "reads what was written", reads_back_what_was_written },
	{ "takes labels with a key of its own and a value", takes_only_labels },
	{ "stores names with the times from which they are valid", has_names_with_their_times },
	{ "stores symbols of guests", has_symbols_of_guests },
	{ "is accepted by readelf", pleases_readelf },
	{ "is accepted by bpftool", pleases_bpftool },
	{ "is accepted by libbpf", pleases_libbpf },
	{ "refuses files that are not traces", tells_what_is_not_a_trace },
	{ "refuses a newer version", refuses_a_newer_version },
	{ "handles invalid data with valid checksums", survives_lies_under_good_checksums },
	{ "reports a full disk", tells_a_full_disk },
	{ "writes complete records only", writes_only_whole_records },
};

static int run(void)
{
	return KTAP_RUN(tests);
}

int main(void)
{
	return file_world_run(run);
}
