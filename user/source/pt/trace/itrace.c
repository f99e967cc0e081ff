// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/trace/itrace.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"

/* Letters without an argument, and the member that each sets. */
static const struct letter {
	char letter;
	size_t at;
} letters[] = {
	{ 'b', offsetof(struct fargs_itrace, has_branches) },
	{ 'c', offsetof(struct fargs_itrace, has_calls) },
	{ 'r', offsetof(struct fargs_itrace, has_returns) },
	{ 'x', offsetof(struct fargs_itrace, has_transactions) },
	{ 'w', offsetof(struct fargs_itrace, has_ptwrites) },
	{ 'p', offsetof(struct fargs_itrace, has_power) },
	{ 'o', offsetof(struct fargs_itrace, has_others) },
	{ 'I', offsetof(struct fargs_itrace, has_interrupts) },
	{ 'A', offsetof(struct fargs_itrace, has_vague_ipc) },
	{ 'Z', offsetof(struct fargs_itrace, is_timeless) },
};

/* Letters of other hardware: of SPE f, m, M, t, a; of CoreSight T. */
#define ELSEWHERE	"fmMtaT"
#define SEPARATORS	" ,"

struct parser {
	struct fargs_itrace *itrace;
	const char *c;			/* what is not parsed yet */
	struct fargs_error_text *err;
};

static bool has_digit(const char *c)
{
	return *c >= '0' && *c <= '9';
}

static int parse_number(struct parser *p, uint64_t *nr)
{
	char *end;

	errno = 0;
	*nr = strtoull(p->c, &end, 10);
	if (errno)
		return fargs_fail(p->err, EINVAL, "the number is too large: '%s'", p->c);
	p->c = end;
	return 0;
}

/* Is there a number after the letter? Separators in between are skipped. */
static bool find_number(struct parser *p)
{
	p->c += strspn(p->c, SEPARATORS);
	return has_digit(p->c);
}

/* Parses the unit of a period @nr. Without one at the end of the value, it is ns. */
static int parse_unit(struct parser *p, uint64_t nr, char letter)
{
	static const struct unit {
		const char *name;
		enum fargs_itrace_unit unit;
		uint64_t factor;
	} units[] = {
		{ "i", FARGS_ITRACE_INSNS, 1 }, { "t", FARGS_ITRACE_TICKS, 1 },
		{ "ns", FARGS_ITRACE_NS, 1 }, { "us", FARGS_ITRACE_NS, 1000 },
		{ "ms", FARGS_ITRACE_NS, 1000000 },
	};
	struct fargs_itrace *itrace = p->itrace;
	size_t i;

	p->c += strspn(p->c, SEPARATORS);
	itrace->unit = FARGS_ITRACE_NS;
	itrace->period = nr;
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strncmp(p->c, units[i].name, strlen(units[i].name)))
			continue;
		if (nr > UINT64_MAX / units[i].factor)
			return fargs_fail(p->err, EINVAL, "the period after '%c' is too long",
					  letter);
		p->c += strlen(units[i].name);
		itrace->unit = units[i].unit;
		itrace->period = nr * (fargs_row(B4) ? units[i].factor : 1);
		return 0;
	}
	if (*p->c)
		return fargs_fail(p->err, EINVAL, "the period after '%c' needs a unit: i "
				  "(instructions), t (ticks of the TSC), ms, us or ns", letter);
	return 0;
}

static int parse_period(struct parser *p, char letter)
{
	struct fargs_itrace *itrace = p->itrace;
	uint64_t nr;

	if (!find_number(p))
		return 0;
	itrace->has_period = true;
	return parse_number(p, &nr) ?: parse_unit(p, nr, letter);
}

static int parse_size(struct parser *p, unsigned int *size, unsigned int size_default,
		      unsigned int size_max, char letter)
{
	uint64_t nr = size_default;

	if (find_number(p) && parse_number(p, &nr))
		return -EINVAL;
	if (!nr || nr > size_max)
		return fargs_fail(p->err, EINVAL, "the number after '%c' is not one from 1 to %u",
				  letter, size_max);
	*size = nr;
	return 0;
}

static int parse_skipped(struct parser *p)
{
	p->c += strspn(p->c, " ");
	if (!has_digit(p->c))
		return fargs_fail(p->err, EINVAL, "'s' needs the number of events to skip");
	return parse_number(p, &p->itrace->nr_skipped);
}

static int parse_flags(struct parser *p, struct fargs_itrace_flags *flags, char letter)
{
	uint32_t *to;

	for (;;) {
		p->c += strspn(p->c, " ");
		if (*p->c != '+' && *p->c != '-')
			return 0;
		to = *p->c++ == '+' ? &flags->plus : &flags->minus;
		p->c += strspn(p->c, " ");
		if (*p->c < 'a' || *p->c > 'z')
			return fargs_fail(p->err, EINVAL, "'%c' after '%c' needs the letter of a "
					  "flag", p->c[-1], letter);
		if (letter != 'e' || fargs_row(B14))
			*to |= 1u << (*p->c - 'a');
		p->c++;
	}
}

/* Sets what @letter selects. Returns false if it needs more than that, or is unknown. */
static bool set_letter(struct fargs_itrace *itrace, char letter)
{
	size_t i;

	for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++) {
		if (letters[i].letter == letter) {
			*(bool *)((char *)itrace + letters[i].at) = true;
			return true;
		}
	}
	return strchr(SEPARATORS, letter) || (fargs_row(G20) && strchr(ELSEWHERE, letter));
}

static int parse_letter(struct parser *p)
{
	struct fargs_itrace *itrace = p->itrace;
	char letter = *p->c++;

	if (set_letter(itrace, letter))
		return 0;
	switch (letter) {
	case 'i':
		itrace->has_insns = true;
		return parse_period(p, letter);
	case 'y':
		itrace->has_cycles = true;
		return parse_period(p, letter);
	case 'e':
		itrace->has_errors = true;
		return parse_flags(p, &itrace->error_flags, letter);
	case 'd':
		itrace->has_log = true;
		return parse_flags(p, &itrace->log_flags, letter);
	case 'g':
	case 'G':
		*(letter == 'g' ? &itrace->has_chain : &itrace->adds_chain) = true;
		return parse_size(p, &itrace->chain_max, FARGS_ITRACE_CHAIN,
				  FARGS_ITRACE_CHAIN_MAX, letter);
	case 'l':
	case 'L':
		*(letter == 'l' ? &itrace->has_last_branches : &itrace->adds_last_branches) = true;
		return parse_size(p, &itrace->branches_max, FARGS_ITRACE_BRANCHES,
				  FARGS_ITRACE_BRANCHES_MAX, letter);
	case 's':
		return parse_skipped(p);
	case 'q':
		itrace->quick += !itrace->quick || fargs_row(B22);
		return 0;
	}
	return fargs_fail(p->err, EINVAL, "'%c' is not a letter of '--itrace': b (branches), c "
			  "(calls), r (returns), i (instructions), e (errors), x, w, p, I, o, d, y, "
			  "g, G, l, L, s, q, A, Z", letter);
}

static void finish_period(struct fargs_itrace *itrace)
{
	if (!itrace->has_insns && !itrace->has_cycles)
		return;
	if (!itrace->has_period) {
		itrace->unit = FARGS_ITRACE_NS;
		itrace->period = fargs_row(B5) ? FARGS_ITRACE_PERIOD_NS : 1;
	}
	if (!itrace->period) {
		itrace->unit = FARGS_ITRACE_INSNS;
		itrace->period = fargs_row(B6) ? 1 : 2;
	}
}

/* Returns whether the row of @letter is enabled; B4 is about periods of i, not about the letter. */
static bool has_row(char letter)
{
	switch (letter) {
	case 'b':
		return fargs_row(B8);
	case 'c':
	case 'r':
		return fargs_row(B9);
	case 'x':
		return fargs_row(B10);
	case 'w':
		return fargs_row(B11);
	case 'p':
		return fargs_row(B12);
	case 'o':
		return fargs_row(F2);
	case 'e':
		return fargs_row(B13);
	case 'g':
		return fargs_row(B16);
	case 'l':
		return fargs_row(B17);
	case 'G':
	case 'L':
		return fargs_row(B18);
	case 's':
		return fargs_row(B19);
	case 'q':
		return fargs_row(B20);
	case 'Z':
		return fargs_row(B23);
	case 'A':
		return fargs_row(G4);
	case 'y':
		return fargs_row(G14);
	case ' ':
	case ',':
		return fargs_row(B28);
	}
	return true;
}

int fargs_itrace_parse(struct fargs_itrace *itrace, const char *value, struct fargs_error_text *err)
{
	struct parser p = { .itrace = itrace, .c = value, .err = err };
	struct fargs_itrace ignored = { };
	bool is_ignored = false;
	int ret;

	if (!*value)
		return fargs_fail(err, EINVAL, "nothing to print: give b (branches), c (calls), r "
				  "(returns), i (instructions) or e (errors)");
	while (*p.c) {
		/* Without B28, what follows a separator is ignored, too. */
		is_ignored = !has_row(*p.c) || (is_ignored && !fargs_row(B28));
		p.itrace = is_ignored ? &ignored : itrace;
		ret = parse_letter(&p);
		if (ret)
			return ret;
	}
	finish_period(itrace);
	return 0;
}

void fargs_itrace_set_default(struct fargs_itrace *itrace)
{
	*itrace = (struct fargs_itrace){
		.has_calls = fargs_row(B1), .has_errors = true, .has_power = true,
		.has_ptwrites = true,
		.has_transactions = true, .has_others = true, .has_interrupts = true,
		.is_default = true,
	};
}
