// SPDX-License-Identifier: GPL-2.0-only
/* Tests the hash table. Linked with --wrap=calloc. */
#include "base/hash.h"

#include <errno.h>
#include <stdlib.h>

#include "unit/ktap.h"

void *__real_calloc(size_t nr, size_t bytes);
void *__wrap_calloc(size_t nr, size_t bytes);

static unsigned int nr_callocs;
static unsigned int failing_calloc;	/* number of the call that fails, from 1; 0: none fails */

void *__wrap_calloc(size_t nr, size_t bytes)
{
	return ++nr_callocs == failing_calloc ? NULL : __real_calloc(nr, bytes);
}

/* Returns the elements that fargs_hash_for_each() finds for @hash, as "1 2 3". */
static const char *all_of(const struct fargs_hash *h, uint32_t hash)
{
	static char text[4096];
	uint32_t at, number;
	size_t n = 0;

	text[0] = 0;
	fargs_hash_for_each(number, at, h, hash)
		n += snprintf(text + n, sizeof(text) - n, "%s%u", n ? " " : "", number);
	return text;
}

static void is_empty_when_zeroed(void)
{
	struct fargs_hash h = { };

	CHECK_STR(all_of(&h, 0), "");
	CHECK_STR(all_of(&h, UINT32_MAX), "");
	fargs_hash_remove(&h, 0, 0);
	fargs_hash_clear(&h);
	CHECK_INT(h.nr, 0);
	fargs_hash_deinit(&h);
	fargs_hash_deinit(&h);
}

static void tells_hashes_apart_that_begin_at_the_same_slot(void)
{
	struct fargs_hash h = { };

	CHECK_INT(fargs_hash_add(&h, 0x10000000, 7), 0);
	CHECK_INT(fargs_hash_add(&h, 0x10000001, 8), 0);
	CHECK_INT(fargs_hash_add(&h, 0x1fffffff, 9), 0);
	CHECK_STR(all_of(&h, 0x10000000), "7");
	CHECK_STR(all_of(&h, 0x10000001), "8");
	CHECK_STR(all_of(&h, 0x1fffffff), "9");
	CHECK_STR(all_of(&h, 0x10000002), "");
	CHECK_INT(h.nr, 3);
	fargs_hash_deinit(&h);
	CHECK_STR(all_of(&h, 0x10000000), "");
}

/* Tests hashes at both ends of the table, so that some elements wrap around its end. */
static void keeps_the_order_of_equal_hashes_when_it_grows(void)
{
	static const uint32_t hashes[] = { 0, 0x7fffffff, 0xfffffffe, UINT32_MAX };
	const size_t nr_hashes = sizeof(hashes) / sizeof(hashes[0]);
	struct fargs_hash h = { };
	char want[4096];
	size_t i, j, n, nr;

	for (i = 0; i < 100; i++)
		REQUIRE(!fargs_hash_add(&h, hashes[i % nr_hashes], i));
	for (j = 0; j < nr_hashes; j++) {
		for (n = 0, nr = j; nr < i; nr += nr_hashes)
			n += snprintf(want + n, sizeof(want) - n, "%s%zu", n ? " " : "", nr);
		CHECK_STR(all_of(&h, hashes[j]), want);
	}
	CHECK_INT(h.nr, 100);
	fargs_hash_deinit(&h);
}

static void takes_the_same_number_twice(void)
{
	struct fargs_hash h = { };

	CHECK_INT(fargs_hash_add(&h, 5, 1), 0);
	CHECK_INT(fargs_hash_add(&h, 5, 1), 0);
	CHECK_INT(fargs_hash_add(&h, 6, 1), 0);
	CHECK_STR(all_of(&h, 5), "1 1");
	fargs_hash_remove(&h, 5, 1);
	CHECK_STR(all_of(&h, 5), "1");
	CHECK_STR(all_of(&h, 6), "1");
	fargs_hash_deinit(&h);
}

static void removes_nothing_that_was_not_added(void)
{
	struct fargs_hash h = { };

	CHECK_INT(fargs_hash_add(&h, 5, 1), 0);
	fargs_hash_remove(&h, 5, 2);
	fargs_hash_remove(&h, 6, 1);
	CHECK_INT(h.nr, 1);
	CHECK_STR(all_of(&h, 5), "1");
	fargs_hash_deinit(&h);
}

static void takes_the_largest_number(void)
{
	struct fargs_hash h = { };

	CHECK_INT(fargs_hash_add(&h, 5, FARGS_HASH_NONE - 1), 0);
	CHECK_STR(all_of(&h, 5), "4294967294");
	fargs_hash_deinit(&h);
}

static void is_as_new_once_cleared(void)
{
	struct fargs_hash h = { };
	unsigned int before;
	uint32_t i;

	for (i = 0; i < 1000; i++)
		REQUIRE(!fargs_hash_add(&h, fargs_hash_u64(i), i));
	fargs_hash_clear(&h);
	CHECK_INT(h.nr, 0);
	for (i = 0; i < 1000; i++)
		CHECK_STR(all_of(&h, fargs_hash_u64(i)), "");
	before = nr_callocs;
	for (i = 0; i < 1000; i++)
		REQUIRE(!fargs_hash_add(&h, fargs_hash_u64(i), i + 1));
	CHECK_INT(nr_callocs, before);
	CHECK_STR(all_of(&h, fargs_hash_u64(9)), "10");
	fargs_hash_deinit(&h);
}

#define MODEL_MAX	300

/* The model: a list of elements in the order in which they were added. */
static struct {
	uint32_t hash, number;
} model[MODEL_MAX];
static size_t nr_model;

static const char *model_all_of(uint32_t hash)
{
	static char text[4096];
	size_t i, n = 0;

	text[0] = 0;
	for (i = 0; i < nr_model; i++)
		if (model[i].hash == hash)
			n += snprintf(text + n, sizeof(text) - n, "%s%u", n ? " " : "",
				      model[i].number);
	return text;
}

static void model_remove(size_t i)
{
	memmove(&model[i], &model[i + 1], (nr_model - i - 1) * sizeof(model[0]));
	nr_model--;
}

#define HASHES	48

/*
 * Returns one of 48 hashes, of which three each start at the same slot. The slots are adjacent, at
 * both ends of the table.
 */
static uint32_t hash_number(unsigned int i)
{
	return (i / 3 - 8) * 0x400000u + i % 3;
}

/*
 * Compares the table with the model. Phases in which the table grows alternate with phases in which
 * it shrinks.
 */
static void adds_and_removes_as_a_list_does(void)
{
	struct fargs_hash h = { };
	unsigned int step, i;

	srandom(2);
	for (step = 0; step < 20000; step++) {
		uint32_t hash = hash_number(random() % HASHES);
		bool is_adding = random() % 10 < (step / 1000 % 2 ? 3 : 7);

		if (is_adding && nr_model < MODEL_MAX) {
			REQUIRE(!fargs_hash_add(&h, hash, step));
			model[nr_model].hash = hash;
			model[nr_model++].number = step;
		} else if (!is_adding && nr_model) {
			i = random() % nr_model;
			hash = model[i].hash;
			fargs_hash_remove(&h, hash, model[i].number);
			model_remove(i);
		}
		CHECK_INT(h.nr, nr_model);
		CHECK_STR(all_of(&h, hash), model_all_of(hash));
		for (i = 0; i < HASHES && !(step % 16); i++)
			CHECK_STR(all_of(&h, hash_number(i)), model_all_of(hash_number(i)));
		if (ktap_has_failed)
			break;
	}
	fargs_hash_deinit(&h);
}

#define MANY	1000000u

struct pair {
	uint64_t key;
	uint32_t number;
};

static int compare_pairs(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static uint32_t find(const struct fargs_hash *h, const uint64_t *keys, uint64_t key)
{
	uint32_t at, i;

	fargs_hash_for_each(i, at, h, fargs_hash_u64(key))
		if (keys[i] == key)
			return i;
	return FARGS_HASH_NONE;
}

static uint64_t random_key(void)
{
	uint64_t key = ((uint64_t)random() << 33) ^ ((uint64_t)random() << 11) ^ random();

	/* Return a small number such as a pid, an address, or any number. */
	return random() % 3 ? key : random() % 2 ? 0xffffffff81000000ull + key % (64u << 20)
						 : key % (4u << 20);
}

/*
 * Compares the table with a sorted array, which does not use the table. Both are searched for
 * existing keys and for others.
 */
static void finds_a_million_keys_as_a_sorted_array_does(void)
{
	static uint64_t keys[MANY];
	static struct pair sorted[MANY];
	struct fargs_hash h = { };
	const struct pair *found;
	uint32_t nr = 0, i;

	srandom(3);
	for (i = 0; i < MANY; i++) {
		uint64_t key = random_key();

		if (find(&h, keys, key) != FARGS_HASH_NONE)
			continue;
		keys[nr] = key;
		sorted[nr] = (struct pair){ key, nr };
		REQUIRE(!fargs_hash_add(&h, fargs_hash_u64(key), nr));
		nr++;
	}
	qsort(sorted, nr, sizeof(sorted[0]), compare_pairs);
	/* If the table had missed an existing key, the key would be in the array twice. */
	for (i = 1; i < nr; i++)
		REQUIRE(sorted[i - 1].key < sorted[i].key);
	for (i = 0; i < MANY; i++) {
		struct pair wanted = { .key = i < nr ? keys[i] : random_key() };
		uint64_t near = wanted.key + 1;

		found = bsearch(&wanted, sorted, nr, sizeof(wanted), compare_pairs);
		REQUIRE(find(&h, keys, wanted.key) == (found ? found->number : FARGS_HASH_NONE));
		wanted.key = near;
		found = bsearch(&wanted, sorted, nr, sizeof(wanted), compare_pairs);
		REQUIRE(find(&h, keys, near) == (found ? found->number : FARGS_HASH_NONE));
	}
	/* Remove every second key; the others must still be found. */
	for (i = 0; i < nr; i += 2)
		fargs_hash_remove(&h, fargs_hash_u64(keys[i]), i);
	CHECK_INT(h.nr, nr / 2);
	for (i = 0; i < nr; i++)
		REQUIRE(find(&h, keys, keys[i]) == (i % 2 ? i : FARGS_HASH_NONE));
	/* The table takes at most 32 bytes per element. */
	CHECK(((size_t)h.mask + 1) * sizeof(*h.slots) <= 32 * (size_t)nr);
	fargs_hash_deinit(&h);
}

/*
 * Tests failed allocations: while a thousand elements are added, each allocation fails once. The
 * table must stay unchanged, and adding must succeed the next time.
 */
static void keeps_all_when_memory_is_short(void)
{
	struct fargs_hash h = { };
	unsigned int nr_failed = 0;
	uint32_t i, j;

	for (i = 0; i < 1000; i++) {
		nr_callocs = 0;
		failing_calloc = 1;
		if (fargs_hash_add(&h, i % 7 * 0x10000000u, i)) {
			nr_failed++;
			CHECK_INT(h.nr, i);
			for (j = 0; j < i; j++) {
				uint32_t at, number;
				bool is_there = false;

				fargs_hash_for_each(number, at, &h, j % 7 * 0x10000000u)
					is_there |= number == j;
				CHECK(is_there);
			}
			CHECK_INT(fargs_hash_add(&h, i % 7 * 0x10000000u, i), 0);
		}
		failing_calloc = 0;
		CHECK_INT(h.nr, i + 1);
	}
	/* The table grows in proportion to its number of elements. */
	CHECK(nr_failed >= 2 && nr_failed <= 12);
	fargs_hash_deinit(&h);
}

static void has_no_need_of_memory_once_reserved(void)
{
	struct fargs_hash h = { };
	uint32_t i;

	CHECK_INT(fargs_hash_add(&h, 1, 1), 0);
	nr_callocs = 0;
	failing_calloc = 1;
	CHECK_INT(fargs_hash_reserve(&h, 5000), -ENOMEM);
	CHECK_STR(all_of(&h, 1), "1");
	CHECK_INT(h.nr, 1);
	CHECK_INT(fargs_hash_reserve(&h, 5000), 0);
	CHECK_INT(fargs_hash_reserve(&h, 0), 0);
	CHECK_STR(all_of(&h, 1), "1");
	nr_callocs = 0;
	for (i = 1; i < 5000; i++)
		CHECK_INT(fargs_hash_add(&h, fargs_hash_u64(i), i), 0);
	CHECK_INT(nr_callocs, 0);
	failing_calloc = 0;
	CHECK_INT(fargs_hash_reserve(&h, (size_t)FARGS_HASH_MAX + 1), -ENOMEM);
	CHECK_INT(fargs_hash_reserve(&h, SIZE_MAX), -ENOMEM);
	CHECK_INT(h.nr, 5000);
	fargs_hash_deinit(&h);
}

/* Returns the number of distinct values among the upper 16 bits of the hashes of 2^14 keys. */
static unsigned int nr_begins(uint64_t first, uint64_t step)
{
	static bool is_taken[1 << 16];
	unsigned int nr = 0, i;

	memset(is_taken, 0, sizeof(is_taken));
	for (i = 0; i < 1 << 14; i++) {
		bool *begin = &is_taken[fargs_hash_u64(first + i * step) >> 16];

		nr += !*begin;
		*begin = true;
	}
	return nr;
}

/* Tests keys with equal distances: at most about two of them may have the same upper bits. */
static void spreads_neighbouring_keys(void)
{
	static const uint64_t steps[] = { 1, 2, 8, 16, 24, 64, 192, 4096, 1 << 20, 1 << 22,
					  1ull << 32, 1ull << 40, 1ull << 44, (1ull << 32) + 1 };
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		CHECK(nr_begins(0, steps[i]) > 7 << 10);
		CHECK(nr_begins(0xffffffff81000000ull, steps[i]) > 7 << 10);
	}
}

/* Like nr_begins(), for 2^14 texts of length @len that differ only in bytes @i and @j. */
static unsigned int nr_text_begins(size_t len, size_t i, size_t j)
{
	static bool is_taken[1 << 16];
	unsigned int nr = 0, n;
	char text[64];

	memset(is_taken, 0, sizeof(is_taken));
	memset(text, 'x', len);
	for (n = 0; n < 1 << 14; n++) {
		text[i] = (char)(n >> 7);
		text[j] = (char)(n & 0x7f);
		bool *begin = &is_taken[fargs_hash_bytes(text, len) >> 16];

		nr += !*begin;
		*begin = true;
	}
	return nr;
}

/*
 * Tests texts that differ in any two bytes: at the beginning, at the end, in the same word or in
 * different words.
 */
static void spreads_texts_that_differ_in_two_bytes(void)
{
	size_t len, i, j;

	for (len = 2; len < 28; len++)
		for (i = 0; i + 1 < len; i++)
			for (j = i + 1; j < len; j++)
				CHECK(nr_text_begins(len, i, j) > 7 << 10);
}

/*
 * Tests texts of all lengths, each at the end of its memory, so that ASan detects reads beyond the
 * end.
 */
static void hashes_every_byte(void)
{
	uint32_t hash;
	size_t len, i;
	char *text;

	for (len = 0; len < 70; len++) {
		text = malloc(len ? len : 1);
		REQUIRE(text);
		memset(text, 'x', len);
		hash = fargs_hash_bytes(text, len);
		for (i = 0; i < len; i++) {
			text[i] ^= 1;
			CHECK(fargs_hash_bytes(text, len) != hash);
			text[i] ^= 0x81;
			CHECK(fargs_hash_bytes(text, len) != hash);
			text[i] ^= 0x80;
			CHECK(fargs_hash_bytes(text, i) != hash);
		}
		CHECK(fargs_hash_bytes(text, len) == hash);
		free(text);
	}
}

static void hashes_a_text_as_its_bytes(void)
{
	CHECK(fargs_hash_string("") == fargs_hash_bytes("x", 0));
	CHECK(fargs_hash_string("vfs_read") == fargs_hash_bytes("vfs_reader", 8));
	CHECK(fargs_hash_string("\xff\x80") == fargs_hash_bytes("\xff\x80", 2));
	CHECK(fargs_hash_bytes("a\0b", 3) != fargs_hash_bytes("a\0c", 3));
	CHECK(fargs_hash_string("ab") != fargs_hash_string("ba"));
}

static const struct ktap_test tests[] = {
	{ "is empty when zeroed", is_empty_when_zeroed },
	{ "distinguishes hashes that begin at the same slot",
	  tells_hashes_apart_that_begin_at_the_same_slot },
	{ "keeps the order of equal hashes when it grows",
	  keeps_the_order_of_equal_hashes_when_it_grows },
	{ "accepts the same number twice", takes_the_same_number_twice },
	{ "removes nothing that was not added", removes_nothing_that_was_not_added },
	{ "accepts the largest number", takes_the_largest_number },
	{ "is empty once cleared", is_as_new_once_cleared },
	{ "adds and removes like a list", adds_and_removes_as_a_list_does },
	{ "finds a million keys like a sorted array",
	  finds_a_million_keys_as_a_sorted_array_does },
	{ "keeps all entries if an allocation fails", keeps_all_when_memory_is_short },
	{ "does not allocate once reserved", has_no_need_of_memory_once_reserved },
	{ "spreads neighbouring keys", spreads_neighbouring_keys },
	{ "spreads texts that differ in two bytes", spreads_texts_that_differ_in_two_bytes },
	{ "hashes every byte", hashes_every_byte },
	{ "hashes a string like its bytes", hashes_a_text_as_its_bytes },
};

int main(void)
{
	return KTAP_RUN(tests);
}
