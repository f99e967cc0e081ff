// SPDX-License-Identifier: GPL-2.0-only
/* Tests quantiles, top values and histograms, compared with sorting and counting. */
#include <stdlib.h>
#include <string.h>

#include "base/top.h"
#include "sink/summary/histogram.h"
#include "sink/summary/quantiles.h"
#include "unit/ktap.h"

#define NR	20000

static uint64_t state = 1;

static uint64_t next_random(void)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return state >> 11;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * Returns whether an estimated quantile differs from the exact one by at most 1/32, and is equal to
 * it below 32.
 */
static bool is_near(uint64_t v, uint64_t exact)
{
	uint64_t off = v > exact ? v - exact : exact - v;

	return exact < 32 ? !off : off <= exact / 32;
}

static bool agree(uint64_t *numbers, size_t nr)
{
	struct fargs_quantiles q = { };
	uint64_t sum = 0;
	unsigned int permille, bits;
	bool is_good = true;
	size_t i, rank;

	for (i = 0; i < nr; i++) {
		is_good &= !fargs_quantiles_add(&q, numbers[i]);
		sum += numbers[i];
	}
	qsort(numbers, nr, sizeof(*numbers), compare);
	for (permille = 1; permille <= 1000; permille++) {
		rank = (nr * permille + 999) / 1000;
		is_good &= is_near(fargs_quantiles_at(&q, permille), numbers[rank - 1]);
	}
	for (i = 0, bits = 5; bits < 64; bits++) {
		while (i < nr && !(numbers[i] >> bits))
			i++;
		is_good &= fargs_quantiles_below(&q, bits) == i;
	}
	is_good &= q.nr == nr && q.min == numbers[0] && q.max == numbers[nr - 1] && q.sum == sum;
	fargs_quantiles_deinit(&q);
	return is_good;
}

/* Tests that quantiles of two merged halves equal those of all numbers. */
static void has_quantiles_of_parts(void)
{
	struct fargs_quantiles all = { }, parts[3] = { };
	unsigned int i, permille;
	uint64_t v;

	for (i = 0; i < 3000; i++) {
		v = i * 2654435761ull >> i % 30;
		CHECK(!fargs_quantiles_add(&all, v));
		CHECK(!fargs_quantiles_add(&parts[v % 2], v));
	}
	/* Merge an empty set into an empty one, both halves into it, and an empty set again. */
	CHECK(!fargs_quantiles_merge(&parts[2], &(struct fargs_quantiles){ }));
	CHECK(!fargs_quantiles_merge(&parts[2], &parts[0]));
	CHECK(!fargs_quantiles_merge(&parts[2], &parts[1]));
	CHECK(!fargs_quantiles_merge(&parts[2], &(struct fargs_quantiles){ }));
	for (permille = 0; permille <= 1000; permille += 10)
		CHECK_INT(fargs_quantiles_at(&parts[2], permille),
			  fargs_quantiles_at(&all, permille));
	CHECK_INT(parts[2].nr, 3000);
	CHECK_INT(parts[2].min, all.min);
	CHECK_INT(parts[2].max, all.max);
	CHECK_INT(fargs_quantiles_mean(&parts[2]), fargs_quantiles_mean(&all));
	fargs_quantiles_deinit(&all);
	for (i = 0; i < 3; i++)
		fargs_quantiles_deinit(&parts[i]);
}

static void has_even_quantiles(void)
{
	static uint64_t numbers[NR];
	size_t i;

	for (i = 0; i < NR; i++)
		numbers[i] = next_random() % 100000;
	CHECK(agree(numbers, NR));
}

static void has_wide_quantiles(void)
{
	static uint64_t numbers[NR];
	size_t i;

	for (i = 0; i < NR; i++)
		numbers[i] = next_random() >> next_random() % 64;
	CHECK(agree(numbers, NR));
}

static void has_exact_quantiles(void)
{
	static uint64_t numbers[NR];
	struct fargs_quantiles q = { };
	size_t i;

	for (i = 0; i < NR; i++)
		numbers[i] = i % 32;
	CHECK(agree(numbers, NR));
	CHECK_INT(fargs_quantiles_at(&q, 500), 0);
	CHECK_INT(fargs_quantiles_mean(&q), 0);
	for (i = 0; i < 9; i++)
		fargs_quantiles_add(&q, 123457);
	fargs_quantiles_add(&q, UINT64_MAX);
	CHECK_INT(fargs_quantiles_at(&q, 500), 123457);
	CHECK_INT(fargs_quantiles_at(&q, 900), 123457);
	CHECK(fargs_quantiles_at(&q, 901) == UINT64_MAX && q.max == UINT64_MAX);
	fargs_quantiles_deinit(&q);
}

static void has_no_gaps(void)
{
	__int128 from, to, last;
	unsigned int i;

	fargs_histogram_range(0, &from, &last);
	for (i = 1; i < FARGS_HISTOGRAM_BARS - 1; i++) {
		fargs_histogram_range(i, &from, &to);
		CHECK(from == last + 1 && to >= from);
		last = to;
	}
}

static void puts_each_in_its_bar(void)
{
	struct fargs_histogram h;
	__int128 edges[2];
	unsigned int i, j;

	for (i = 2; i < FARGS_HISTOGRAM_BARS - 2; i++) {
		fargs_histogram_range(i, &edges[0], &edges[1]);
		for (j = 0; j < 2; j++) {
			memset(&h, 0, sizeof(h));
			fargs_histogram_add(&h, edges[j]);
			CHECK(h.nr == 1 && h.bars[i] == 1);
		}
	}
	memset(&h, 0, sizeof(h));
	fargs_histogram_add(&h, 4096);
	fargs_histogram_add(&h, 8191);
	fargs_histogram_range(FARGS_HISTOGRAM_SIDE + 13, &edges[0], &edges[1]);
	CHECK(edges[0] == 4096 && edges[1] == 8191 && h.bars[FARGS_HISTOGRAM_SIDE + 13] == 2);
}

/* Tests exact counts: number @i occurs i + 1 times. */
static void counts_exactly(void)
{
	struct fargs_top top = { };
	char text[16];
	int i, j;

	for (i = 0; i < 100; i++)
		for (j = 0; j <= i; j++)
			CHECK(!fargs_top_add(&top, text, snprintf(text, sizeof(text), "%d", i)));
	fargs_top_sort(&top);
	CHECK(top.nr == 100 && top.total == 5050);
	for (i = 0; i < 100; i++)
		CHECK(atoi(top.entries[i].text) == 99 - i && top.entries[i].nr == 100u - i &&
		      !top.entries[i].too_many);
	fargs_top_deinit(&top);
}

/* Tests two frequent values among ten times as many others as can be counted. */
static void finds_frequent(void)
{
	struct fargs_top top = { };
	char text[16];
	size_t i;

	for (i = 0; i < NR; i++) {
		snprintf(text, sizeof(text), "%d", i % 4 == 1 ? -1 : i % 8 == 3 ? -2 :
			 (int)(next_random() % (10 * FARGS_TOP_MAX)));
		CHECK(!fargs_top_add(&top, text, strlen(text)));
	}
	fargs_top_sort(&top);
	CHECK(top.nr == FARGS_TOP_MAX && top.total == NR);
	CHECK(!strcmp(top.entries[0].text, "-1") && !strcmp(top.entries[1].text, "-2"));
	/* The shown count is at least the true count, and exceeds it by at most too_many. */
	CHECK(top.entries[0].nr >= NR / 4 &&
	      top.entries[0].nr - top.entries[0].too_many <= NR / 4);
	CHECK(top.entries[1].nr >= NR / 8 &&
	      top.entries[1].nr - top.entries[1].too_many <= NR / 8);
	fargs_top_deinit(&top);
}

static const struct ktap_test tests[] = {
	{ "quantiles of numbers below 100,000 are right", has_even_quantiles },
	{ "quantiles of merged parts are right", has_quantiles_of_parts },
	{ "quantiles of numbers of all sizes are right", has_wide_quantiles },
	{ "quantiles of small numbers, and of equal numbers, are exact", has_exact_quantiles },
	{ "bars of a histogram have no gaps between them", has_no_gaps },
	{ "each number is counted in its bar", puts_each_in_its_bar },
	{ "values are counted exactly while there is room", counts_exactly },
	{ "frequent values among too many are found", finds_frequent },
};

int main(void)
{
	return KTAP_RUN(tests);
}
