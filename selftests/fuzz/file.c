// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads trace files with the kinds of damage that disks and file systems cause: changed bits,
 * missing pages, blocks from another position or from an older file, a missing end. Each record
 * read must equal one that was written, and all records of undamaged chunks must be read.
 *
 *	file [-n TIMES] [-t SECONDS] [-s SEED]
 */
#define NR_RECORDS	400	/* number of records of each CPU, in two chunks */

#include "unit/file_world.h"

#include "file/recover.h"
#include "fuzz/options.h"
#include "fuzz/random.h"

#define NR_PIECES	32
#define PAGE		4096

struct piece {
	size_t at, end;
	unsigned int cpu, first_seq, nr;
	bool is_touched;
};

static struct fuzz_random rng;
static struct piece pieces[NR_PIECES];
static size_t nr_pieces;
static char *truth[2];
static char *pristine, *older;	/* two recordings with the same records */
static size_t pristine_size;

static bool got[2][NR_RECORDS];
static const char *wrong;	/* first error in the file that is being read; NULL: none */

static int judge(void *arg, unsigned int cpu, const struct fargs_record *rec)
{
	if (cpu >= 2 || rec->seq >= NR_RECORDS || memcmp(rec, truth[cpu] + 64 * rec->seq, 64))
		wrong = "a record that was never written";
	else if (got[cpu][rec->seq])
		wrong = "a record for the second time";
	else
		got[cpu][rec->seq] = true;
	return 0;
}

static bool read_records(const char *name)
{
	struct fargs_meta into;
	struct fargs_reader *r;
	bool is_read = false;

	memset(got, 0, sizeof(got));
	fargs_meta_init(&into);
	err.text[0] = 0;
	r = fargs_reader_open(name, &into, &err);
	if (r)
		is_read = !replay(r, &into, judge, NULL, &err);
	if (!is_read && !err.text[0])
		wrong = "a failure without a reason";
	fargs_reader_destroy(r);
	fargs_meta_deinit(&into);
	return is_read;
}

/* Checks that all records of undamaged pieces were read. */
static void judge_missing(void)
{
	unsigned int k;
	size_t i;

	for (i = 0; i < nr_pieces; i++)
		for (k = 0; !pieces[i].is_touched && k < pieces[i].nr; k++)
			if (!got[pieces[i].cpu][pieces[i].first_seq + k])
				wrong = "a record is missing of a chunk that is whole";
}

static void note_pieces(void)
{
	unsigned int seqs[2] = { };
	struct fargs_chunk_v1 info;
	struct fargs_chunk head;
	size_t at;

	memcpy(&info, image + sizeof(Elf64_Ehdr), sizeof(info));
	at = sizeof(Elf64_Ehdr) + sizeof(info) + fargs_chunk_room(info.bytes);
	for (nr_pieces = 0; at < image_size && nr_pieces < NR_PIECES; nr_pieces++) {
		struct piece *p = &pieces[nr_pieces];

		memcpy(&head, image + at, sizeof(head));
		*p = (struct piece){ .at = at };
		p->end = at + sizeof(head) + fargs_chunk_room(head.bytes);
		if (head.kind == FARGS_CHUNK_RECORDS) {
			p->cpu = head.cpu;
			p->first_seq = seqs[p->cpu];
			p->nr = NR_RECORDS / 2;
			seqs[p->cpu] += p->nr;
		}
		at = p->end;
	}
}

/* Marks the pieces whose bytes between @from and @to have changed as damaged. */
static void touch(size_t from, size_t to)
{
	size_t i;

	for (i = 0; i < nr_pieces; i++)
		if (from < pieces[i].end && to > pieces[i].at &&
		    memcmp(image + pieces[i].at, pristine + pieces[i].at,
			   pieces[i].end - pieces[i].at))
			pieces[i].is_touched = true;
}

/* Damages a random range after INFO, without which no file can be read. */
static void damage(void)
{
	size_t front = pieces[0].at, room = image_size - front, from, bytes, to;

	from = front + fuzz_below(&rng, room);
	bytes = 1 + fuzz_below(&rng, fuzz_once_in(&rng, 2) ? 64 : 2 * PAGE);
	if (bytes > image_size - from)
		bytes = image_size - from;
	switch (fuzz_below(&rng, 5)) {
	case 0:
		image[from] ^= 1 << fuzz_below(&rng, 8);
		bytes = 1;
		break;
	case 1:
		/* Simulate a page that was not written to the disk. */
		from -= from % PAGE;
		from = from < front ? front : from;
		to = from - from % PAGE + PAGE;
		bytes = (to < image_size ? to : image_size) - from;
		memset(image + from, 0, bytes);
		break;
	case 2:
		/* Copy bytes from another position. */
		to = front + fuzz_below(&rng, image_size - bytes - front + 1);
		memmove(image + from, pristine + (to & ~7ul), bytes);
		break;
	case 3:
		memcpy(image + from, older + from, bytes);
		break;
	default:
		for (to = 0; to < bytes; to++)
			image[from + to] = fuzz_random(&rng);
	}
	touch(from, from + bytes);
}

static void try_one(void)
{
	struct fargs_recovery found;
	size_t size = pristine_size, i;
	unsigned int n;

	memcpy(image, pristine, pristine_size);
	image_size = pristine_size;
	for (i = 0; i < nr_pieces; i++)
		pieces[i].is_touched = false;
	for (n = fuzz_below(&rng, 4); n; n--)
		damage();
	if (fuzz_once_in(&rng, 3))
		size = pieces[0].at + fuzz_below(&rng, pristine_size - pieces[0].at);
	for (i = 0; i < nr_pieces; i++)
		if (pieces[i].end > size)
			pieces[i].is_touched = true;
	spill(other, size);
	if (!read_records(other))
		wrong = "it is not read";
	judge_missing();
	if (wrong)
		return;
	if (fargs_recover(other, path, false, &found, &err) || found.was_whole ||
	    !read_records(path))
		wrong = "it is not recovered";
	judge_missing();
}

static bool make(char **copy, int level)
{
	options.level = level;
	if (!write_file(path, false) || !slurp(path))
		return false;
	*copy = malloc(image_size);
	memcpy(*copy, image, image_size);
	return true;
}

static struct fuzz_options fuzz = { .nr = 1000, .seed = 1 };

static int run(void)
{
	unsigned long i;
	size_t bytes;
	int cpu;

	rng.state = fuzz.seed;
	if (!make(&older, 0))
		return 1;
	pristine_size = image_size;
	if (!make(&pristine, 0) || image_size != pristine_size) {
		printf("two recordings of the same are of different lengths\n");
		return 1;
	}
	note_pieces();
	for (cpu = 0; cpu < 2; cpu++)
		truth[cpu] = records_of(cpu, &bytes);
	for (i = 0; !wrong && fuzz_goes_on(&fuzz, i); i++)
		try_one();
	free(older);
	free(pristine);
	free(truth[0]);
	free(truth[1]);
	if (wrong) {
		printf("seed %llu, file %lu: %s: %s\n", (unsigned long long)fuzz.seed, i, wrong,
		       err.text);
		return 1;
	}
	printf("%lu files\n", i);
	return 0;
}

int main(int argc, char **argv)
{
	if (!fuzz_options_read(&fuzz, argc, argv))
		return 1;
	return file_world_run(run);
}
