// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/sample_rule.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "source/perf_data/event_name.h"

/* Upper limit of the size of a term. */
#define TERM_MAX	64
/* Maximum of attr.precise_ip. */
#define PRECISE_MAX	3

int fargs_pt_sample_size_parse(const char *text, uint32_t *bytes, struct fargs_error_text *err)
{
	uint64_t size;
	int ret = fargs_size_parse(text, &size, err);

	if (ret)
		return ret;
	if (size < FARGS_PT_SAMPLE_BYTES_MIN || size > FARGS_PT_SAMPLE_BYTES_MAX)
		return fargs_fail(err, EINVAL, "a sample of '%s' bytes is invalid: give a size "
				  "from 8 to 60K", text);
	*bytes = size;
	return 0;
}

static int parse_number(const char *name, const char *text, uint64_t *nr,
			struct fargs_error_text *err)
{
	char *end;

	errno = 0;
	*nr = strtoull(text, &end, 0);
	/* strtoull() accepts a sign and blanks, too. */
	if (!isdigit((unsigned char)*text) || *end || errno || !*nr)
		return fargs_fail(err, EINVAL, "'%s': '%s' is not a number from 1 on", name, text);
	return 0;
}

/* @term: "name=value", which is changed. */
static int take_term(struct fargs_pt_sample_rule *rule, char *term, struct fargs_error_text *err)
{
	char *value = strchr(term, '=');
	bool is_period;

	if (value)
		*value++ = '\0';
	if (!strcmp(term, "aux-output") && !value) {
		rule->is_output = true;
		return 0;
	}
	if (!strcmp(term, "aux-sample-size") && value)
		return fargs_pt_sample_size_parse(value, &rule->aux_bytes, err);
	is_period = !strcmp(term, "period");
	if (!value || (!is_period && strcmp(term, "freq")))
		return fargs_fail(err, EINVAL, "'%s' is not a term of '%s': the terms are "
				  "period=N, freq=N, aux-sample-size=SIZE and aux-output", term,
				  rule->name);
	if (rule->period || rule->freq)
		return fargs_fail(err, EINVAL, "'period' and 'freq' exclude each other: remove "
				  "one");
	return parse_number(term, value, is_period ? &rule->period : &rule->freq, err);
}

/* @text: terms, up to @end. */
static int take_terms(struct fargs_pt_sample_rule *rule, const char *text, const char *end,
		      struct fargs_error_text *err)
{
	const char *comma;
	char term[TERM_MAX];
	int ret = 0;

	for (; !ret && text < end; text = comma + 1) {
		comma = memchr(text, ',', end - text);
		if (!comma)
			comma = end;
		if ((size_t)(comma - text) >= sizeof(term))
			return fargs_fail(err, EINVAL, "'%.*s' is not a term", (int)(comma - text),
					  text);
		memcpy(term, text, comma - text);
		term[comma - text] = '\0';
		ret = take_term(rule, term, err);
	}
	return ret;
}

static int take_modifiers(struct fargs_pt_sample_rule *rule, const char *text,
			  struct fargs_error_text *err)
{
	for (; *text; text++) {
		if (*text == 'k')
			rule->is_kernel = true;
		else if (*text == 'u')
			rule->is_user = true;
		else if (*text == 'p' && rule->precise < PRECISE_MAX)
			rule->precise++;
		else
			return fargs_fail(err, EINVAL, "'%c' is not a modifier: give k for the "
					  "kernel, u for user space, or uk for both, and up to "
					  "three p for precise samples", *text);
	}
	return 0;
}

/* Checks what belongs together, and completes the rule. */
static int check(struct fargs_pt_sample_rule *rule, struct fargs_error_text *err)
{
	if ((rule->precise || rule->is_output) && rule->type != PERF_TYPE_HARDWARE)
		return fargs_fail(err, EINVAL, "'%s' is not an event of the hardware, as %s "
				  "requires: give one like cycles or branch-misses", rule->name,
				  rule->is_output ? "'aux-output'" : "the modifier p");
	if (!rule->is_output)
		return 0;
	if (rule->aux_bytes)
		return fargs_fail(err, EINVAL, "'aux-output' and 'aux-sample-size' exclude each "
				  "other: remove one");
	if (!rule->period)
		return fargs_fail(err, EINVAL, "'aux-output' needs 'period=N': the CPU takes these "
				  "samples by itself, and the kernel cannot adapt their period");
	/* As perf's document has it; without a 'p', the kernel refuses the event. */
	if (!rule->precise)
		rule->precise = PRECISE_MAX;
	return 0;
}

/* Finds the event at the beginning of @text. Returns the size of its name, or -EINVAL with @err. */
static int take_name(struct fargs_pt_sample_rule *rule, const char *text,
		     struct fargs_error_text *err)
{
	size_t bytes = strcspn(text, ":/");
	bool is_known = false;

	if (bytes < sizeof(rule->name)) {
		memcpy(rule->name, text, bytes);
		is_known = fargs_perf_event_find(rule->name, &rule->type, &rule->config);
	}
	if (is_known)
		return bytes;
	if (text[bytes] == ':')
		bytes += 1 + strcspn(text + bytes + 1, ":/");
	if (bytes >= sizeof(rule->name) || !memchr(text, ':', bytes))
		return fargs_fail(err, EINVAL, "'%.*s' is not an event: give one like cpu-clock, "
				  "page-faults, branch-misses or SYSTEM:EVENT", (int)bytes, text);
	memcpy(rule->name, text, bytes);
	rule->type = PERF_TYPE_TRACEPOINT;
	rule->config = 0;
	return bytes;
}

int fargs_pt_sample_rule_parse(struct fargs_pt_sample_rule *rule, const char *text,
			       struct fargs_error_text *err)
{
	const char *rest, *slash;
	int ret;

	*rule = (struct fargs_pt_sample_rule){ .type = PERF_TYPE_TRACEPOINT };
	ret = take_name(rule, text, err);
	if (ret < 0)
		return ret;
	rest = text + ret;
	if (!*rest)
		return 0;
	if (*rest++ == ':') {
		ret = take_modifiers(rule, rest, err);
		return ret ? ret : check(rule, err);
	}
	slash = strchr(rest, '/');
	if (!slash)
		return fargs_fail(err, EINVAL, "'%s' lacks a '/' after its terms", text);
	ret = take_terms(rule, rest, slash, err);
	if (!ret)
		ret = take_modifiers(rule, slash + 1, err);
	return ret ? ret : check(rule, err);
}
