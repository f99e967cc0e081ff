/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of fuzzers: the number of inputs, and the seed: -n NR, -t SECONDS, -s SEED. */
#ifndef FUZZ_OPTIONS_H
#define FUZZ_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

struct fuzz_options {
	unsigned long nr;	/* number of inputs, unless @seconds is set */
	unsigned long seconds;	/* duration in seconds; 0: @nr inputs */
	uint64_t seed;
	time_t start;
};

/*
 * Parses the options; those not given keep their values. The remaining arguments begin at optind.
 * Returns false if there is an unknown option.
 */
static inline bool fuzz_options_read(struct fuzz_options *o, int argc, char **argv)
{
	int opt;

	o->start = time(NULL);
	while ((opt = getopt(argc, argv, "n:t:s:")) != -1) {
		if (opt == 'n')
			o->nr = strtoul(optarg, NULL, 0);
		else if (opt == 't')
			o->seconds = strtoul(optarg, NULL, 0);
		else if (opt == 's')
			o->seed = strtoull(optarg, NULL, 0);
		else
			return false;
	}
	return true;
}

/* Returns whether another input follows, after @nr_done inputs. */
static inline bool fuzz_goes_on(const struct fuzz_options *o, unsigned long nr_done)
{
	return o->seconds ? (unsigned long)(time(NULL) - o->start) < o->seconds : nr_done < o->nr;
}

#endif
