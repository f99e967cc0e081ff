// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_event/selection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/near.h"
#include "select/resolve/missing.h"

#define NAME_BYTES	256

int fargs_event_rules_add(struct fargs_event_rules *w, const char *text,
			  struct fargs_error_text *err)
{
	const char *colon = strchr(text, ':');
	struct fargs_event_rule *all;

	if (!colon || colon == text || !colon[1] || strchr(colon + 1, ':'))
		return fargs_fail(err, EINVAL, "'%s' is not SYSTEM:EVENT: write it like "
				  "'sched:sched_switch' or 'sched:*'", text);
	all = realloc(w->rules, (w->nr + 1) * sizeof(*all));
	if (!all)
		return fargs_fail(err, ENOMEM, "no memory for options");
	w->rules = all;
	all[w->nr++] = (struct fargs_event_rule){ .text = text };
	return 0;
}

int fargs_event_rules_filter(struct fargs_event_rules *w, const char *filter,
			     struct fargs_error_text *err)
{
	struct fargs_event_rule *rule = w->nr ? &w->rules[w->nr - 1] : NULL;
	char *old, *text;
	int ret;

	if (!rule)
		return fargs_fail(err, EINVAL, "no event precedes it: give it after an '-e'");
	if (!filter[strspn(filter, " \t")])
		return fargs_fail(err, EINVAL, "the filter is empty");
	old = rule->filter;
	ret = old ? asprintf(&text, "(%s) && (%s)", old, filter) : asprintf(&text, "%s", filter);
	if (ret < 0)
		return fargs_fail(err, ENOMEM, "no memory for options");
	rule->filter = text;
	free(old);
	return 0;
}

void fargs_event_rules_deinit(struct fargs_event_rules *w)
{
	while (w->nr)
		free(w->rules[--w->nr].filter);
	free(w->rules);
	w->rules = NULL;
}

static bool is_matched(const struct fargs_event_selection *c,
		       const struct fargs_tracefs_event *event)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->matches[i].event == event)
			return true;
	return false;
}

static int read_id(const struct fargs_event_selection *c, const struct fargs_tracefs_event *event,
		   uint64_t *id, struct fargs_error_text *err)
{
	size_t size;
	char *text = fargs_tracefs_read(c->dir, event, "id", &size), *end;

	if (!text)
		return fargs_fail(err, errno, "cannot read the id of '%s:%s': %s", event->system,
				  event->name, strerror(errno));
	*id = strtoull(text, &end, 10);
	size = end - text;
	free(text);
	return size && *id ? 0 : fargs_fail(err, EIO, "'%s:%s' has no id", event->system,
					    event->name);
}

/* Reports an unknown event, and suggests events with similar names, as "SYSTEM:EVENT". */
static int fail_unknown(const struct fargs_event_selection *c, const char *text,
			struct fargs_error_text *err)
{
	struct fargs_near near = { .wanted = text };
	char buf[NAME_BYTES] = "";
	char *names = NULL;
	size_t i, size;
	FILE *out;

	if (!fargs_glob_is_pattern(text)) {
		out = open_memstream(&names, &size);
		for (i = 0; out && i < c->all.nr; i++)
			fprintf(out, "%s:%s%c", c->all.events[i].system, c->all.events[i].name, 0);
		if (out && !fclose(out))
			for (i = 0; i < size; i += strlen(names + i) + 1)
				fargs_near_offer(&near, names + i);
		fargs_near_text(&near, buf, sizeof(buf));
		free(names);
	}
	return fargs_fail(err, ENOENT, "there is no event '%s'%s%s%s", text,
			  *buf ? ": did you mean " : ": list them all with fargs list -e "
			  "'*:*'", buf,
			  *buf ? "?" : "");
}

/* Fails because no event matches @rule, or skips it. */
static int take_unknown(const struct fargs_event_selection *c, const struct fargs_event_rule *rule,
			struct fargs_missing *missing, struct fargs_error_text *err)
{
	if (missing && missing->is_ok)
		return fargs_missing_add(missing, rule->text, NULL) ?
		       fargs_fail(err, ENOMEM, "no memory for the list of events") : 0;
	if (missing)
		missing->has_failed = true;
	return fail_unknown(c, rule->text, err);
}

static int match(struct fargs_event_selection *c, const struct fargs_event_rule *rule,
		 struct fargs_missing *missing, struct fargs_error_text *err)
{
	const char *colon = strchr(rule->text, ':');
	char system[NAME_BYTES];
	bool is_any = false;
	size_t i;
	int ret;

	snprintf(system, sizeof(system), "%.*s", (int)(colon - rule->text), rule->text);
	for (i = 0; i < c->all.nr; i++) {
		const struct fargs_tracefs_event *event = &c->all.events[i];
		struct fargs_event_match *to = &c->matches[c->nr];

		if (!fargs_glob_match(system, event->system) ||
		    !fargs_glob_match(colon + 1, event->name))
			continue;
		is_any = true;
		if (is_matched(c, event))
			continue;
		to->event = event;
		to->filter = rule->filter;
		to->is_exact = !fargs_glob_is_pattern(rule->text);
		ret = read_id(c, event, &to->id, err);
		if (ret)
			return ret;
		c->nr++;
	}
	return is_any ? 0 : take_unknown(c, rule, missing, err);
}

int fargs_event_selection_init(struct fargs_event_selection *c, const struct fargs_event_rules *w,
			       struct fargs_missing *missing, struct fargs_error_text *err)
{
	size_t i;
	int ret;

	*c = (struct fargs_event_selection){ };
	c->dir = fargs_tracefs_dir(err);
	if (!c->dir)
		return -ENOENT;
	ret = fargs_tracefs_events_init(&c->all, c->dir, err);
	if (ret)
		return ret;
	c->matches = calloc(c->all.nr + 1, sizeof(*c->matches));
	if (!c->matches)
		return fargs_fail(err, ENOMEM, "no memory for the list of events");
	for (i = 0; !ret && i < w->nr; i++)
		ret = match(c, &w->rules[i], missing, err);
	return ret;
}

int fargs_event_selection_describe(const struct fargs_event_selection *c, struct fargs_meta *meta,
				   struct fargs_error_text *err)
{
	size_t i, size;
	int ret = 0;
	char *text;

	meta->are_formats_trusted = true;
	for (i = 0; !ret && i < c->nr; i++) {
		const struct fargs_tracefs_event *event = c->matches[i].event;

		text = fargs_tracefs_read(c->dir, event, "format", &size);
		if (!text)
			return fargs_fail(err, errno, "cannot read the format of '%s:%s': %s",
					  event->system, event->name, strerror(errno));
		ret = fargs_meta_add_format(meta, event->system, text, size);
		free(text);
	}
	/*
	 * Some kernels have no file printk_formats: strings that it would list are shown as
	 * addresses.
	 */
	text = fargs_tracefs_read(c->dir, NULL, "printk_formats", &size);
	if (!ret && text && size)
		ret = fargs_meta_set_printk(meta, text, size);
	free(text);
	return ret ? fargs_fail(err, ENOMEM, "no memory for the formats of events") : 0;
}

void fargs_event_selection_deinit(struct fargs_event_selection *c)
{
	free(c->matches);
	c->matches = NULL;
	c->nr = 0;
	fargs_tracefs_events_deinit(&c->all);
}
