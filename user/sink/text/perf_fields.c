// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/perf_fields.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

/* What perf script shows of samples by default. */
#define COMMON	(FARGS_PERF_COMM | FARGS_PERF_TID | FARGS_PERF_CPU | FARGS_PERF_TIME |	\
		 FARGS_PERF_EVENT)
#define PLACE	(FARGS_PERF_IP | FARGS_PERF_SYM | FARGS_PERF_SYMOFF | FARGS_PERF_DSO)

static const struct {
	const char *name;
	uint32_t field;
} names[] = {
	{ "comm", FARGS_PERF_COMM }, { "tid", FARGS_PERF_TID }, { "pid", FARGS_PERF_PID },
	{ "time", FARGS_PERF_TIME }, { "cpu", FARGS_PERF_CPU }, { "event", FARGS_PERF_EVENT },
	{ "ip", FARGS_PERF_IP }, { "sym", FARGS_PERF_SYM }, { "symoff", FARGS_PERF_SYMOFF },
	{ "dso", FARGS_PERF_DSO }, { "addr", FARGS_PERF_ADDR }, { "period", FARGS_PERF_PERIOD },
	{ "synth", FARGS_PERF_SYNTHETIC }, { "insn", FARGS_PERF_INSN },
	{ "insnlen", FARGS_PERF_INSNLEN }, { "disasm", FARGS_PERF_DISASM },
	{ "ipc", FARGS_PERF_IPC }, { "srcline", FARGS_PERF_SRCLINE },
	{ "srccode", FARGS_PERF_SRCCODE }, { "brstack", FARGS_PERF_BRSTACK },
	{ "brstacksym", FARGS_PERF_BRSTACKSYM }, { "brstackoff", FARGS_PERF_BRSTACKOFF },
	{ "brstackinsn", FARGS_PERF_BRSTACKINSN },
	{ "brstackinsnlen", FARGS_PERF_BRSTACKINSNLEN },
	{ "callindent", FARGS_PERF_CALLINDENT }, { "machine_pid", FARGS_PERF_MACHINE_PID },
	{ "vcpu", FARGS_PERF_VCPU },
};

/* Names of types before a colon. */
static const struct {
	const char *name;
	enum fargs_perf_event_type type;
} types[] = {
	{ "hw", FARGS_PERF_HW }, { "sw", FARGS_PERF_SW }, { "trace", FARGS_PERF_TRACEPOINT },
	{ "raw", FARGS_PERF_RAW }, { "break", FARGS_PERF_BREAKPOINT },
	{ "synth", FARGS_PERF_SYNTH },
};

enum change {
	CHANGE_SET,
	CHANGE_ADD,
	CHANGE_REMOVE,
};

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

void fargs_perf_fields_init(struct fargs_perf_fields *f)
{
	unsigned int type;

	*f = (struct fargs_perf_fields){ };
	for (type = 0; type < FARGS_PERF_TYPES; type++)
		f->shown[type] = COMMON | PLACE | FARGS_PERF_PERIOD;
	f->shown[FARGS_PERF_TRACEPOINT] = COMMON;
	f->shown[FARGS_PERF_RAW] |= FARGS_PERF_ADDR;
	f->shown[FARGS_PERF_SYNTH] = COMMON | PLACE | FARGS_PERF_SYNTHETIC;
}

static void change_field(struct fargs_perf_fields *f, unsigned int type, uint32_t field,
			 enum change change)
{
	f->is_changed[type] = true;
	if (change == CHANGE_REMOVE) {
		f->shown[type] &= ~field;
		f->requested[type] &= ~field;
	} else {
		f->shown[type] |= field;
		f->requested[type] |= field;
	}
}

/* Applies the field named by the @n bytes at @word. @only: its type; -1: all types. */
static int take_word(struct fargs_perf_fields *f, const char *word, size_t n, int only,
		     enum change change, struct fargs_error_text *err)
{
	unsigned int type;
	size_t i;

	if (n == strlen("flags") && !strncmp(word, "flags", n)) {
		f->has_flags = change != CHANGE_REMOVE;
		return 0;
	}
	for (i = 0; i < NR(names); i++)
		if (strlen(names[i].name) == n && !strncmp(names[i].name, word, n))
			break;
	if (i == NR(names))
		return fargs_fail(err, EINVAL, "'%.*s' is not one of the fields: %s", (int)n, word,
				  FARGS_PERF_FIELD_WORDS);
	for (type = 0; type < FARGS_PERF_TYPES; type++)
		if (only < 0 || type == (unsigned int)only)
			change_field(f, type, names[i].field, change);
	return 0;
}

/* Removes all fields of the type @only; -1: of all types. */
static void clear(struct fargs_perf_fields *f, int only)
{
	unsigned int type;

	for (type = 0; type < FARGS_PERF_TYPES; type++) {
		if (only >= 0 && type != (unsigned int)only)
			continue;
		f->shown[type] = 0;
		f->requested[type] = 0;
		f->is_changed[type] = true;
	}
}

static int take_list(struct fargs_perf_fields *f, const char *list, int only,
		     struct fargs_error_text *err)
{
	bool has_plain = false, has_sign = false;
	const char *word = list;
	enum change change;
	size_t n;
	int ret = 0;

	if (!strpbrk(list, "+-"))
		clear(f, only);
	for (; !ret && *word; word += n, word += *word == ',') {
		n = strcspn(word, ",");
		if (!n)
			continue;
		change = *word == '+' ? CHANGE_ADD : *word == '-' ? CHANGE_REMOVE : CHANGE_SET;
		has_plain |= change == CHANGE_SET;
		has_sign |= change != CHANGE_SET;
		if (has_plain && has_sign)
			return fargs_fail(err, EINVAL, "'%s' mixes fields with and without a sign: "
					  "'+FIELD' and '-FIELD' change what is shown, 'FIELD' "
					  "replaces it", list);
		ret = take_word(f, word + (change != CHANGE_SET), n - (change != CHANGE_SET), only,
				change, err);
	}
	return ret;
}

int fargs_perf_fields_parse(struct fargs_perf_fields *f, const char *value,
			    struct fargs_error_text *err)
{
	const char *colon = strchr(value, ':');
	size_t i;

	if (!*value)
		return fargs_fail(err, EINVAL, "there is no field: the fields are %s",
				  FARGS_PERF_FIELD_WORDS);
	if (!colon)
		return take_list(f, value, -1, err);
	for (i = 0; i < NR(types); i++)
		if (strlen(types[i].name) == (size_t)(colon - value) &&
		    !strncmp(types[i].name, value, colon - value))
			return take_list(f, colon + 1, types[i].type, err);
	return fargs_fail(err, EINVAL, "'%.*s' is not a type of events: hw, sw, trace, raw, break, "
			  "synth", (int)(colon - value), value);
}

/* Checks fields of @type that need each other. Returns 0, or -EINVAL with @err. */
static int check(const struct fargs_perf_fields *f, unsigned int type, struct fargs_error_text *err)
{
	uint32_t shown = f->shown[type];

	if (f->requested[type] & FARGS_PERF_SYMOFF && !(shown & FARGS_PERF_SYM))
		return fargs_fail(err, EINVAL, "the field symoff needs the field sym");
	if (f->requested[type] & FARGS_PERF_SRCLINE && !(shown & FARGS_PERF_IP))
		return fargs_fail(err, EINVAL, "the field srcline needs the field ip");
	return 0;
}

int fargs_perf_fields_resolve(struct fargs_perf_fields *f, const struct fargs_perf_meta *perf,
			      struct fargs_error_text *err)
{
	static const struct {
		uint32_t fields;
		uint64_t sample;
		const char *what;
		bool is_optional;	/* with a trace, not all samples need to have it */
	} needs[] = {
		{ FARGS_PERF_IP, PERF_SAMPLE_IP, "ip", false },
		{ FARGS_PERF_ADDR, PERF_SAMPLE_ADDR, "addr", true },
		{ FARGS_PERF_TID | FARGS_PERF_PID, PERF_SAMPLE_TID, "tid", false },
		{ FARGS_PERF_TIME, PERF_SAMPLE_TIME, "time", false },
		{ FARGS_PERF_CPU, PERF_SAMPLE_CPU, "cpu", true },
	};
	unsigned int type;
	size_t i;

	_Static_assert(NR(perf->names) >= FARGS_PERF_TYPES, "an element for each type");
	for (type = 0; type < FARGS_PERF_TYPES; type++) {
		if (perf->names[type] && check(f, type, err))
			return -EINVAL;
		for (i = 0; perf->names[type] && i < NR(needs); i++) {
			if (perf->sample_types[type] & needs[i].sample)
				continue;
			if (f->requested[type] & needs[i].fields &&
			    !(needs[i].is_optional && perf->has_trace))
				return fargs_fail(err, EINVAL, "samples of the event '%s' have no "
						  "%s", perf->names[type], needs[i].what);
			f->shown[type] &= ~needs[i].fields;
		}
	}
	return 0;
}

bool fargs_perf_fields_any(const struct fargs_perf_fields *f, uint32_t fields)
{
	unsigned int type;

	for (type = 0; type < FARGS_PERF_TYPES; type++)
		if (f->shown[type] & fields)
			return true;
	return false;
}

uint32_t fargs_perf_fields_details(const struct fargs_perf_fields *f)
{
	static const struct {
		uint32_t fields, details;
	} all[] = {
		{ FARGS_PERF_IP | FARGS_PERF_DSO | FARGS_PERF_BRSTACKOFF, FARGS_DETAIL_FILES },
		{ FARGS_PERF_ADDR, FARGS_DETAIL_ADDR },
		{ FARGS_PERF_INSN | FARGS_PERF_INSNLEN, FARGS_DETAIL_INSN },
		{ FARGS_PERF_BRSTACKINSN | FARGS_PERF_BRSTACKINSNLEN, FARGS_DETAIL_CODE },
		{ FARGS_PERF_DISASM, FARGS_DETAIL_INSN | FARGS_DETAIL_DISASM },
		{ FARGS_PERF_IPC, FARGS_DETAIL_IPC },
		{ FARGS_PERF_SRCLINE, FARGS_DETAIL_FILES | FARGS_DETAIL_LINE },
		{ FARGS_PERF_SRCCODE, FARGS_DETAIL_LINE },
		{ FARGS_PERF_CALLINDENT, FARGS_DETAIL_DEPTH },
	};
	uint32_t details = 0;
	size_t i;

	for (i = 0; i < NR(all); i++)
		if (fargs_perf_fields_any(f, all[i].fields))
			details |= all[i].details;
	return details;
}
