// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/terms.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_PERIOD	3
/* The term whose value is attr.config as a whole. */
#define RAW		"config"
#define PSB_PERIOD	"psb_period"
/* Upper limit of the size of a term. */
#define TERM_MAX	64

/* Requirements of a term: capabilities of the CPU, and another term. */
struct need {
	const char *term;
	size_t cap;		/* offset of a bool in struct fargs_pt_caps */
	/* Offset in struct fargs_pt_caps of the mask of valid values; 0: all values are valid. */
	size_t values;
	const char *other;	/* term without which @term has no effect; NULL: none */
	bool is_zero_fine;	/* value 0 is valid even if the mask of valid values lacks it */
};

#define CAP(name)	offsetof(struct fargs_pt_caps, name)

static const struct need needs[] = {
	{ "cyc", CAP(has_psb_cyc), 0, NULL, true },
	{ "cyc_thresh", CAP(has_psb_cyc), CAP(cyc_thresholds), "cyc", true },
	{ "event", CAP(has_event_trace), 0, NULL, true },
	{ "fup_on_ptw", CAP(has_ptwrite), 0, "ptw", true },
	{ "mtc", CAP(has_mtc), 0, NULL, true },
	{ "mtc_period", CAP(has_mtc), CAP(mtc_periods), "mtc", false },
	{ "notnt", CAP(has_tnt_disable), 0, NULL, true },
	{ "psb_period", CAP(has_psb_cyc), CAP(psb_periods), NULL, true },
	{ "ptw", CAP(has_ptwrite), 0, NULL, true },
	{ "pwr_evt", CAP(has_power_events), 0, NULL, true },
};

static const struct need *find_need(const char *term)
{
	size_t i;

	for (i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
		if (!strcmp(needs[i].term, term))
			return &needs[i];
	return NULL;
}

static bool has_cap(const struct fargs_pt_pmu *pmu, const struct need *need)
{
	return *(const bool *)((const char *)&pmu->caps + need->cap);
}

/* Returns a mask whose bit N is set if value N is supported. */
static uint64_t possible_values(const struct fargs_pt_pmu *pmu, const struct need *need)
{
	uint64_t mask = *(const uint32_t *)((const char *)&pmu->caps + need->values);

	return mask | need->is_zero_fine;
}

static uint64_t max_value(const struct fargs_pt_format *format)
{
	return UINT64_MAX >> (63 - (format->high - format->low));
}

static uint64_t get_term(uint64_t config, const struct fargs_pt_format *format)
{
	return config >> format->low & max_value(format);
}

static void set_term(uint64_t *config, const struct fargs_pt_format *format, uint64_t value)
{
	*config = (*config & ~(max_value(format) << format->low)) | value << format->low;
}

/* Builds "a, b and c" word by word. */
static void list_add(char *buf, size_t size, const char *word, bool is_last)
{
	size_t at = strlen(buf);

	snprintf(buf + at, size - at, "%s%s", !at ? "" : is_last ? " and " : ", ", word);
}

static void list_terms(const struct fargs_pt_pmu *pmu, char *buf, size_t size)
{
	const struct fargs_pt_format *possible[FARGS_PT_FORMATS_MAX];
	size_t nr = 0, i;

	for (i = 0; i < pmu->nr_formats; i++) {
		const struct need *need = find_need(pmu->formats[i].name);

		if (!need || has_cap(pmu, need))
			possible[nr++] = &pmu->formats[i];
	}
	buf[0] = '\0';
	for (i = 0; i < nr; i++)
		list_add(buf, size, possible[i]->name, i && i + 1 == nr);
}

static void list_values(uint64_t mask, char *buf, size_t size)
{
	char number[24];
	unsigned int i;

	buf[0] = '\0';
	for (i = 0; i < 64; i++) {
		if (!(mask >> i & 1))
			continue;
		snprintf(number, sizeof(number), "%u", i);
		list_add(buf, size, number, mask >> i == 1 && *buf);
	}
}

static int fail_unknown(const struct fargs_pt_pmu *pmu, const char *name,
			struct fargs_error_text *err)
{
	char list[320];

	list_terms(pmu, list, sizeof(list));
	return fargs_fail(err, EINVAL, "'%s' is not a term of this machine's Intel PT: the terms "
			  "are %s",
			  name, list);
}

static int check_value(const struct fargs_pt_pmu *pmu, const struct fargs_pt_format *format,
		       uint64_t value, struct fargs_error_text *err)
{
	const struct need *need = find_need(format->name);
	uint64_t max = max_value(format), possible;
	char list[320];

	if (need && value && !has_cap(pmu, need)) {
		list_terms(pmu, list, sizeof(list));
		return fargs_fail(err, EINVAL, "this CPU has no '%s': the terms are "
				  "%s", format->name,
				  list);
	}
	if (value > max)
		return fargs_fail(err, EINVAL, "'%s=%llu' is too large: the maximum is "
				  "%llu", format->name,
				  (unsigned long long)value, (unsigned long long)max);
	if (!need || !need->values)
		return 0;
	possible = possible_values(pmu, need);
	if (possible >> value & 1)
		return 0;
	list_values(possible, list, sizeof(list));
	return fargs_fail(err, EINVAL, "'%s=%llu' is not supported by this CPU: the values are "
			  "%s", format->name,
			  (unsigned long long)value, list);
}

/*
 * Returns the highest supported period that is at most USUAL_PERIOD; if there is none, the lowest
 * supported period; 0 if no period is supported.
 */
static uint64_t choose_period(uint64_t possible)
{
	uint64_t lower = possible & ((2ull << USUAL_PERIOD) - 1);

	if (lower)
		return 63 - __builtin_clzll(lower);
	return possible ? __builtin_ctzll(possible) : 0;
}

static void set_usual(const struct fargs_pt_pmu *pmu, const char *name, uint64_t *config)
{
	const struct fargs_pt_format *format = fargs_pt_pmu_format(pmu, name);
	const struct need *need = find_need(name);

	if (!format || (need && !has_cap(pmu, need)))
		return;
	set_term(config, format,
		 need && need->values ? choose_period(possible_values(pmu, need)) : 1);
}

/*
 * Parses "name" or "name=value". @name has room for TERM_MAX bytes. Leaves *@value alone if
 * there is no value.
 */
static int parse_term(const char *word, size_t bytes, char *name, unsigned long long *value,
		      struct fargs_error_text *err)
{
	char *end, *equals;

	if (!bytes)
		return fargs_fail(err, EINVAL, "a term is empty: remove a comma");
	if (bytes >= TERM_MAX)
		return fargs_fail(err, EINVAL, "'%.*s' is not a term", (int)bytes, word);
	memcpy(name, word, bytes);
	name[bytes] = '\0';
	equals = strchr(name, '=');
	if (!equals)
		return strcmp(name, RAW) ? 0 : fargs_fail(err, EINVAL, "'" RAW "' needs a value, "
							  "as in " RAW "=0x400");
	*equals = '\0';
	errno = 0;
	*value = strtoull(equals + 1, &end, 0);
	/* strtoull() accepts a sign and blanks, too. */
	if (!isdigit((unsigned char)equals[1]) || *end || errno)
		return fargs_fail(err, EINVAL, "'%s': '%s' is not a number", name, equals + 1);
	return 0;
}

/* Returns whether the term of @format is 0 in @config, and the term that it needs is 0 as well. */
static bool is_unused(uint64_t config, const struct fargs_pt_format *format,
		      const struct fargs_pt_pmu *pmu)
{
	const struct need *need = find_need(format->name);
	const struct fargs_pt_format *other =
		need && need->other ? fargs_pt_pmu_format(pmu, need->other) : NULL;

	return other && !get_term(config, format) && !get_term(config, other);
}

/* Sets all terms to the values that they have in @config, the value of attr.config. */
static int set_raw(struct fargs_pt_terms *terms, uint64_t config, const struct fargs_pt_pmu *pmu,
		   struct fargs_error_text *err)
{
	uint64_t known = 0;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < pmu->nr_formats; i++) {
		const struct fargs_pt_format *format = &pmu->formats[i];

		set_term(&known, format, max_value(format));
		if (!is_unused(config, format, pmu))
			ret = check_value(pmu, format, get_term(config, format), err);
	}
	if (ret)
		return ret;
	if (config & ~known)
		return fargs_fail(err, EINVAL, "'" RAW "=%#llx' sets bits that belong to no term "
				  "(%#llx): those of terms are %#llx",
				  (unsigned long long)config,
				  (unsigned long long)(config & ~known), (unsigned long long)known);
	terms->config = config;
	return 0;
}

static int set_named(struct fargs_pt_terms *terms, const char *name, unsigned long long value,
		     const struct fargs_pt_pmu *pmu, struct fargs_error_text *err)
{
	const struct fargs_pt_format *format = fargs_pt_pmu_format(pmu, name);
	int ret;

	if (!format)
		return fail_unknown(pmu, name, err);
	ret = check_value(pmu, format, value, err);
	if (!ret)
		set_term(&terms->config, format, value);
	return ret;
}

/* Rejects the term @name if it has no effect without another term that is not set. */
static int check_other(const struct fargs_pt_terms *terms, const struct fargs_pt_pmu *pmu,
		       const char *name, struct fargs_error_text *err)
{
	const struct need *need = find_need(name);
	const struct fargs_pt_format *other;

	if (!need || !need->other)
		return 0;
	other = fargs_pt_pmu_format(pmu, need->other);
	if (!other || get_term(terms->config, other))
		return 0;
	return fargs_fail(err, EINVAL, "'%s' has no effect without '%s': add "
			  "it", name, need->other);
}

/* What is done with a term; the terms are passed over once for each step. */
enum step {
	STEP_RAW,	/* sets attr.config to the value of "config" */
	STEP_NAMED,	/* sets the bits of all other terms, wherever "config" stands */
	STEP_CHECK,	/* checks that no term lacks another one */
	STEPS
};

static int take_term(struct fargs_pt_terms *terms, const char *word, size_t bytes, enum step step,
		     const struct fargs_pt_pmu *pmu, struct fargs_error_text *err)
{
	unsigned long long value = 1;
	char name[TERM_MAX];
	int ret = parse_term(word, bytes, name, &value, err);

	if (ret)
		return ret;
	if (!strcmp(name, RAW))
		return step == STEP_RAW ? set_raw(terms, value, pmu, err) : 0;
	return step == STEP_NAMED ? set_named(terms, name, value, pmu, err) :
	       step == STEP_CHECK ? check_other(terms, pmu, name, err) : 0;
}

static int take_terms(struct fargs_pt_terms *terms, const char *text, size_t bytes,
		      const struct fargs_pt_pmu *pmu, struct fargs_error_text *err)
{
	const char *end = text + bytes, *word, *comma;
	enum step step;
	int ret = 0;

	for (step = STEP_RAW; bytes && step < STEPS; step++) {
		for (word = text; !ret && word <= end; word = comma + 1) {
			comma = memchr(word, ',', end - word);
			if (!comma)
				comma = end;
			ret = take_term(terms, word, comma - word, step, pmu, err);
		}
	}
	return ret;
}

static int take_modifiers(struct fargs_pt_terms *terms, const char *text,
			  struct fargs_error_text *err)
{
	for (; *text; text++) {
		if (*text == 'k')
			terms->is_kernel = true;
		else if (*text == 'u')
			terms->is_user = true;
		else
			return fargs_fail(err, EINVAL, "'%c' is not a modifier: give k for the "
					  "kernel, u for user space, or uk for both", *text);
	}
	return 0;
}

static void write_text(struct fargs_pt_terms *terms, const struct fargs_pt_pmu *pmu)
{
	size_t i, at = 0, size = sizeof(terms->text);
	unsigned long long value;

	for (i = 0; i < pmu->nr_formats && at < size; i++) {
		const struct fargs_pt_format *format = &pmu->formats[i];

		value = get_term(terms->config, format);
		if (!value)
			continue;
		at += snprintf(terms->text + at, size - at, "%s%s", at ? "," : "", format->name);
		if (at < size && max_value(format) > 1)
			at += snprintf(terms->text + at, size - at, "=%llu", value);
	}
	if (at < size)
		snprintf(terms->text + at, size - at, "/%s%s", terms->is_user ? "u" : "",
			 terms->is_kernel ? "k" : "");
}

int fargs_pt_terms_parse(struct fargs_pt_terms *terms, const char *text,
			 const struct fargs_pt_pmu *pmu, bool is_sampled,
			 struct fargs_error_text *err)
{
	static const char * const usual[] = {
		"tsc", "mtc", "mtc_period", "psb_period", "pt", "branch",
	};
	const char *slash;
	size_t i;
	int ret;

	memset(terms, 0, sizeof(*terms));
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		set_usual(pmu, usual[i], &terms->config);
	if (is_sampled && fargs_pt_pmu_format(pmu, PSB_PERIOD))
		set_term(&terms->config, fargs_pt_pmu_format(pmu, PSB_PERIOD), 0);
	if (!text)
		text = "";
	slash = strchr(text, '/');
	ret = slash ? take_modifiers(terms, slash + 1, err) : 0;
	if (!ret)
		ret = take_terms(terms, text, slash ? (size_t)(slash - text) : strlen(text), pmu,
				 err);
	if (ret)
		return ret;
	if (!terms->is_kernel && !terms->is_user)
		terms->is_kernel = true;
	write_text(terms, pmu);
	return 0;
}

uint64_t fargs_pt_terms_psb_bytes(const struct fargs_pt_terms *terms,
				  const struct fargs_pt_pmu *pmu)
{
	const struct fargs_pt_format *format = fargs_pt_pmu_format(pmu, PSB_PERIOD);

	/* Of a CPU without the term, perf assumes the default of the others. */
	return UINT64_C(2048) << (format && pmu->caps.has_psb_cyc ?
				  get_term(terms->config, format) : USUAL_PERIOD);
}
