// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests truncated and damaged trace files: a small file is cut off, or one byte is changed, at each
 * offset. The reader must return only records that were written, and all records of the complete
 * chunks if the recording was not finished.
 */
#define NR_RECORDS	12	/* number of records of each CPU, in two chunks */

#include "unit/file_world.h"

#include "file/recover.h"

#define NR_PIECES	32

/* A chunk of the file, found according to the format in fargs.dat(5). */
struct piece {
	size_t at, payload, payload_end, end;
	unsigned int kind, cpu, first_seq, nr;
};

static struct piece pieces[NR_PIECES];
static size_t nr_pieces;

static char *truth[2];		/* the records of each CPU */

/* Result of reading a file. */
struct outcome {
	bool is_open;
	int ret;
	bool is_cut;
	bool got[2][NR_RECORDS];
	unsigned int nr, wrong;
	char text[512];
};

static int judge(void *arg, unsigned int cpu, const struct fargs_record *rec)
{
	struct outcome *o = arg;

	if (cpu >= 2 || rec->seq >= NR_RECORDS || o->got[cpu][rec->seq] ||
	    memcmp(rec, truth[cpu] + 64 * rec->seq, 64)) {
		o->wrong++;
	} else {
		o->got[cpu][rec->seq] = true;
		o->nr++;
	}
	return 0;
}

static void read_outcome(const char *name, struct outcome *o)
{
	struct fargs_error_text cut;
	struct fargs_meta got;
	struct fargs_reader *r;

	memset(o, 0, sizeof(*o));
	err.text[0] = 0;
	fargs_meta_init(&got);
	r = fargs_reader_open(name, &got, &err);
	if (r) {
		o->is_open = true;
		o->is_cut = fargs_reader_is_cut(r, &cut);
		if (o->is_cut && (strchr(cut.text, '\n') ||
				  !strstr(cut.text, "is incomplete: ")))
			ktap_fail(__FILE__, __LINE__, "\"%s\"", cut.text);
		o->ret = replay(r, &got, judge, o, &err);
	}
	memcpy(o->text, err.text, sizeof(o->text));
	if ((!r || o->ret) && (!strstr(err.text, name) || strchr(err.text, '\n')))
		ktap_fail(__FILE__, __LINE__, "\"%s\"", err.text);
	fargs_reader_destroy(r);
	fargs_meta_deinit(&got);
}

static void note_pieces(void)
{
	unsigned int seqs[2] = { };
	struct fargs_chunk_v1 info;
	struct fargs_chunk head;
	struct piece *p;
	size_t at;

	memcpy(&info, image + sizeof(Elf64_Ehdr), sizeof(info));
	at = sizeof(Elf64_Ehdr) + sizeof(info) + (info.bytes + 7) / 8 * 8;
	for (nr_pieces = 0; at + sizeof(head) <= image_size && nr_pieces < NR_PIECES; at = p->end) {
		memcpy(&head, image + at, sizeof(head));
		if (head.magic != FARGS_CHUNK_MAGIC)
			break;
		p = &pieces[nr_pieces++];
		*p = (struct piece){ .at = at, .kind = head.kind, .cpu = head.cpu };
		p->payload = at + sizeof(head);
		p->payload_end = p->payload + head.bytes;
		p->end = p->payload + (head.bytes + 7) / 8 * 8;
		if (head.kind == FARGS_CHUNK_RECORDS) {
			p->first_seq = seqs[head.cpu];
			p->nr = NR_RECORDS / 2;
			seqs[head.cpu] += p->nr;
		}
	}
}

static bool make(bool is_finished, int level)
{
	size_t bytes;
	int cpu;

	options.level = level;
	if (!write_file(path, is_finished) || !slurp(path))
		return false;
	note_pieces();
	for (cpu = 0; cpu < 2; cpu++)
		if (!truth[cpu])
			truth[cpu] = records_of(cpu, &bytes);
	return nr_pieces > 8;
}

/* Returns the number of records in chunks that end at or before offset @size. */
static unsigned int records_before(size_t size)
{
	unsigned int nr = 0;
	size_t i;

	for (i = 0; i < nr_pieces; i++)
		if (pieces[i].end <= size)
			nr += pieces[i].nr;
	return nr;
}

/* Returns whether exactly the records of all chunks except @lost were read. */
static bool has_all_but(const struct outcome *o, const struct piece *lost)
{
	unsigned int want = 2 * NR_RECORDS, i;

	if (lost && lost->nr) {
		want -= lost->nr;
		for (i = 0; i < lost->nr; i++)
			if (o->got[lost->cpu][lost->first_seq + i])
				return false;
	}
	return !o->wrong && o->nr == want;
}

static void cut_everywhere(int level)
{
	struct outcome o;
	size_t size, front;
	bool is_open;

	REQUIRE(make(false, level));
	front = pieces[0].at;
	for (size = 0; size <= image_size; size++) {
		spill(other, size);
		read_outcome(other, &o);
		is_open = size >= front;
		if (o.wrong || o.is_open != is_open || o.is_cut != o.is_open || o.ret ||
		    o.nr != records_before(size)) {
			ktap_fail(__FILE__, __LINE__, "%zu of %zu bytes: %u records, %u wrong: %s",
				  size, image_size, o.nr, o.wrong, o.text);
			break;
		}
	}
	CHECK_INT(records_before(image_size), 2 * NR_RECORDS);
}

static void gives_what_is_whole_of_each_length(void)
{
	cut_everywhere(0);
}

static void gives_it_of_packed_ones(void)
{
	cut_everywhere(1);
}

static void gives_it_of_a_finished_one_that_was_cut(void)
{
	struct outcome o;
	size_t size;

	REQUIRE(make(true, 1));
	for (size = pieces[0].at; size < image_size; size++) {
		spill(other, size);
		read_outcome(other, &o);
		if (o.wrong || !o.is_cut || o.ret || o.nr != records_before(size)) {
			ktap_fail(__FILE__, __LINE__, "%zu of %zu bytes: %u records, %u wrong: %s",
				  size, image_size, o.nr, o.wrong, o.text);
			break;
		}
	}
	spill(other, image_size);
	read_outcome(other, &o);
	CHECK(!o.is_cut && !o.ret && has_all_but(&o, NULL));
}

/*
 * Returns the chunk whose header or payload contains offset @at, without the padding after the
 * payload; NULL: none.
 */
static const struct piece *piece_at(size_t at)
{
	size_t i;

	for (i = 0; i < nr_pieces; i++)
		if (at >= pieces[i].at && at < pieces[i].payload_end)
			return &pieces[i];
	return NULL;
}

static void damage_everywhere(int level)
{
	const struct piece *lost;
	struct outcome o;
	size_t at;

	REQUIRE(make(false, level));
	for (at = 0; at < image_size; at++) {
		image[at] ^= 0x10;
		spill(other, image_size);
		read_outcome(other, &o);
		image[at] ^= 0x10;
		lost = piece_at(at);
		/* Without INFO, or if the file is not recognized as ELF, nothing can be read. */
		if (at < pieces[0].at ? o.wrong || (o.is_open && !has_all_but(&o, NULL)) :
		    !o.is_open || o.ret || !has_all_but(&o, lost)) {
			ktap_fail(__FILE__, __LINE__, "byte %zu: %u records, %u wrong: %s", at,
				  o.nr, o.wrong, o.text);
			break;
		}
	}
}

static void passes_over_each_damaged_byte(void)
{
	damage_everywhere(0);
}

static void passes_over_it_in_packed_ones(void)
{
	damage_everywhere(1);
}

static void tells_each_damaged_byte_of_a_finished_one(void)
{
	struct outcome o;
	size_t at, nr = 0;

	REQUIRE(make(true, 1));
	for (at = 0; at < pieces[nr_pieces - 1].end; at++) {
		image[at] ^= 0x10;
		spill(other, image_size);
		read_outcome(other, &o);
		image[at] ^= 0x10;
		if (o.wrong || (o.is_open && !o.ret && !o.is_cut && !has_all_but(&o, NULL)) ||
		    (piece_at(at) && o.is_open && !o.ret)) {
			ktap_fail(__FILE__, __LINE__, "byte %zu: %u records, %u wrong: %s", at,
				  o.nr, o.wrong, o.text);
			break;
		}
		nr += o.is_open && !o.ret;
	}
	/*
	 * Fewer than 200 changes are not detected: those of unused fields of the ELF header, and of
	 * padding.
	 */
	CHECK(nr < 200);
}

/* Tests files with a range of zeroes: after a power failure, the last writes may be missing. */
static void passes_over_zeroes(void)
{
	char *kept;
	struct outcome o;
	size_t i, k;

	REQUIRE(make(false, 0));
	kept = malloc(image_size);
	memcpy(kept, image, image_size);
	for (i = 1; i < nr_pieces; i++) {
		/* Clear the file from the middle of one chunk to the middle of the next one. */
		k = i + 1 < nr_pieces ? pieces[i + 1].payload : image_size;
		memset(image + pieces[i].payload, 0, k - pieces[i].payload);
		spill(other, image_size);
		read_outcome(other, &o);
		CHECK(o.is_open && !o.ret && !o.wrong);
		CHECK_INT(o.nr, 2 * NR_RECORDS - pieces[i].nr -
			  (i + 1 < nr_pieces ? pieces[i + 1].nr : 0));
		memcpy(image, kept, image_size);
	}
	free(kept);
}

/*
 * Tests that a chunk from another recording, or from another offset of the same file, is not
 * accepted.
 */
static void takes_no_chunk_of_elsewhere(void)
{
	const struct piece *from = NULL, *to = NULL;
	struct outcome o;
	char *old;
	size_t i, bytes;

	REQUIRE(make(false, 0));
	old = malloc(image_size);
	memcpy(old, image, image_size);
	for (i = 0; i < nr_pieces; i++) {
		if (pieces[i].nr && !from)
			from = &pieces[i];
		else if (pieces[i].nr)
			to = &pieces[i];
	}
	REQUIRE(to && to->end - to->at == from->end - from->at);
	bytes = to->end - to->at;
	memcpy(image + to->at, old + from->at, bytes);
	spill(other, image_size);
	read_outcome(other, &o);
	CHECK(o.is_open && !o.ret && has_all_but(&o, to));

	/* Copy the chunk at the same offset from another recording. */
	for (i = 0; i < 8; i++) {
		REQUIRE(make(false, 0));
		if (memcmp(image, old, pieces[0].at))
			break;
	}
	memcpy(image + to->at, old + to->at, bytes);
	spill(other, image_size);
	read_outcome(other, &o);
	CHECK(o.is_open && !o.ret && has_all_but(&o, to));
	free(old);
}

static void refuses_a_bomb(void)
{
	struct fargs_chunk *head;
	struct outcome o;
	size_t i;

	/*
	 * The chunk's header states a larger unpacked size, a smaller one, and one above the limit.
	 */
	for (i = 0; i < 3; i++) {
		const struct piece *p = NULL;
		size_t k;

		REQUIRE(make(true, 1));
		for (k = 0; k < nr_pieces && !p; k++)
			if (pieces[k].nr)
				p = &pieces[k];
		REQUIRE(p);
		head = (void *)(image + p->at);
		REQUIRE(head->flags & FARGS_CHUNK_ZSTD);
		head->raw_bytes = i == 0 ? head->raw_bytes + 64 : i == 1 ?
				  head->raw_bytes - 64 : FARGS_CHUNK_RECORDS_MAX + 64;
		head->head_crc = fargs_chunk_head_crc(head);
		spill(other, image_size);
		read_outcome(other, &o);
		CHECK(!o.wrong && (!o.is_open || o.ret));
		CHECK(strstr(o.text, i < 2 ? "a chunk cannot be unpacked" :
			     "a chunk is longer than the maximum"));
	}
}

static void refuses_symbols_of_another_size(void)
{
	const struct piece *p = NULL;
	struct fargs_chunk *head;
	struct outcome o;
	Elf64_Chdr *chdr;
	size_t i;

	/*
	 * The Elf64_Chdr states another size than the chunk's header, another compression, or is
	 * cut off.
	 */
	for (i = 0; i < 3; i++) {
		REQUIRE(make(true, 1));
		for (p = pieces; p < pieces + nr_pieces && p->kind != FARGS_CHUNK_KALLSYMS; p++)
			;
		REQUIRE(p < pieces + nr_pieces);
		head = (void *)(image + p->at);
		REQUIRE(head->flags & FARGS_CHUNK_ELF_ZSTD);
		chdr = (void *)(head + 1);
		if (i == 0)
			chdr->ch_size++;
		else if (i == 1)
			chdr->ch_type = ELFCOMPRESS_ZLIB;
		else
			head->bytes = sizeof(*chdr) - 1;
		head->crc = fargs_crc32c(0, chdr, head->bytes);
		head->head_crc = fargs_chunk_head_crc(head);
		spill(other, image_size);
		read_outcome(other, &o);
		CHECK(!o.is_open && strstr(o.text, "a chunk cannot be unpacked"));
	}
}

/*
 * Recovers the file named in the variable other to the file named in path. Returns whether the new
 * file is complete.
 */
static bool recover(struct fargs_recovery *found)
{
	struct outcome o;

	unlink(path);
	err.text[0] = 0;
	if (fargs_recover(other, path, true, found, &err) || found->was_whole)
		return false;
	read_outcome(path, &o);
	return o.is_open && !o.is_cut && !o.ret && !o.wrong;
}

static void recovers_each_length(void)
{
	struct fargs_recovery found;
	struct outcome o;
	size_t size;

	REQUIRE(make(false, 1));
	for (size = pieces[0].at; size <= image_size; size++) {
		spill(other, size);
		if (!recover(&found)) {
			ktap_fail(__FILE__, __LINE__, "%zu bytes: %s", size, err.text);
			break;
		}
		read_outcome(path, &o);
		if (o.nr != records_before(size) || found.end > size ||
		    found.left_out != size - found.end) {
			ktap_fail(__FILE__, __LINE__, "%zu bytes: %u records", size, o.nr);
			break;
		}
	}
}

static void recovers_what_is_behind_damage(void)
{
	struct fargs_recovery found;
	const struct piece *lost;
	struct outcome o;
	size_t i;

	REQUIRE(make(true, 1));
	for (i = 0; i < nr_pieces; i++) {
		lost = &pieces[i];
		image[lost->at + 9] ^= 1;
		spill(other, image_size);
		image[lost->at + 9] ^= 1;
		if (!recover(&found)) {
			ktap_fail(__FILE__, __LINE__, "chunk %zu: %s", i, err.text);
			continue;
		}
		read_outcome(path, &o);
		CHECK(has_all_but(&o, lost));
		if (i < nr_pieces - 1)
			CHECK_INT(found.left_out, lost->end - lost->at);
	}
}

static void leaves_the_file_as_it_is(void)
{
	struct fargs_recovery found;
	struct stat before, after;

	REQUIRE(make(true, 1));
	spill(other, image_size);
	unlink(path);
	CHECK_INT(fargs_recover(other, path, true, &found, &err), 0);
	CHECK(found.was_whole && access(path, F_OK));

	spill(other, image_size - 100);
	REQUIRE(!stat(other, &before));
	CHECK_INT(fargs_recover(other, other, false, &found, &err), -EINVAL);
	CHECK(strstr(err.text, "is the file to recover"));
	REQUIRE(!stat(other, &after));
	CHECK(before.st_size == after.st_size && before.st_mtime == after.st_mtime);
	CHECK_INT(fargs_recover(other, path, true, &found, &err), 0);
	/* fargs_recover() replaces an existing file only if its argument is_new is false. */
	CHECK_INT(fargs_recover(other, path, true, &found, &err), -EIO);
	CHECK(strstr(err.text, "File exists"));
	CHECK_INT(fargs_recover(other, path, false, &found, &err), 0);
}

static void ends_with_a_whole_chunk_on_a_full_disk(void)
{
	const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
	size_t full, i, size;
	struct outcome o;

	REQUIRE(make(false, 0));
	full = image_size;
	signal(SIGXFSZ, SIG_IGN);
	for (size = pieces[0].at; size < full; size += 8) {
		struct rlimit limit = { size, RLIM_INFINITY };
		struct stat st;
		bool has_records = false;

		setrlimit(RLIMIT_FSIZE, &limit);
		CHECK(!write_file(other, false));
		setrlimit(RLIMIT_FSIZE, &none);
		CHECK(strstr(err.text, ": File too large"));
		for (i = 0; i < nr_pieces; i++)
			has_records |= pieces[i].end <= size && pieces[i].kind == FARGS_CHUNK_CLOCK;
		if (stat(other, &st)) {
			/*
			 * The file was removed: writing failed before the first CLOCK chunk was
			 * complete.
			 */
			CHECK(!has_records);
			continue;
		}
		read_outcome(other, &o);
		if (!has_records || o.ret || o.wrong || o.nr != records_before(size) ||
		    (size_t)st.st_size > size) {
			ktap_fail(__FILE__, __LINE__, "%zu bytes: %u records: %s", size, o.nr,
				  o.text);
			break;
		}
		for (i = 0; i < nr_pieces && pieces[i].end != (size_t)st.st_size; i++)
			;
		CHECK(i < nr_pieces);
	}
}

static const struct ktap_test tests[] = {
	{ "reads complete chunks of an unfinished file cut at each byte",
	  gives_what_is_whole_of_each_length },
	{ "reads complete chunks of an unfinished packed file", gives_it_of_packed_ones },
	{ "reads complete chunks of a finished file that was cut",
	  gives_it_of_a_finished_one_that_was_cut },
	{ "skips the chunk with the damaged byte", passes_over_each_damaged_byte },
	{ "skips the chunk with the damaged byte in packed files", passes_over_it_in_packed_ones },
	{ "reports each damaged byte of a finished file",
	  tells_each_damaged_byte_of_a_finished_one },
	{ "skips zeroes", passes_over_zeroes },
	{ "ignores chunks of other files", takes_no_chunk_of_elsewhere },
	{ "refuses a decompression bomb", refuses_a_bomb },
	{ "refuses symbols with a wrong unpacked size", refuses_symbols_of_another_size },
	{ "recovers a file cut at each byte", recovers_each_length },
	{ "recovers chunks after damage", recovers_what_is_behind_damage },
	{ "recovering leaves the file unchanged", leaves_the_file_as_it_is },
	{ "ends with a complete chunk on a full disk", ends_with_a_whole_chunk_on_a_full_disk },
};

static int run(void)
{
	int ret = KTAP_RUN(tests);

	free(truth[0]);
	free(truth[1]);
	return ret;
}

int main(void)
{
	return file_world_run(run);
}
