// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_event/choose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/near.h"

#define NAME_BYTES	256

int fargs_event_wishes_add(struct fargs_event_wishes *w, const char *text,
			   struct fargs_error_text *err)
{
	const char *colon = strchr(text, ':');
	struct fargs_event_wish *all;

	if (!colon || colon == text || !colon[1] || strchr(colon + 1, ':'))
		return fargs_fail(err, EINVAL, "'%s' is not SYSTEM:EVENT, like sched:sched_switch "
				  "or 'sched:*'", text);
	all = realloc(w->wishes, (w->nr + 1) * sizeof(*all));
	if (!all)
		return fargs_fail(err, ENOMEM, "no memory for options");
	w->wishes = all;
	all[w->nr++] = (struct fargs_event_wish){ .text = text };
	return 0;
}

int fargs_event_wishes_filter(struct fargs_event_wishes *w, const char *filter,
			      struct fargs_error_text *err)
{
	struct fargs_event_wish *wish = w->nr ? &w->wishes[w->nr - 1] : NULL;
	char *old, *text;
	int ret;

	if (!wish)
		return fargs_fail(err, EINVAL, "of which event? Give it behind an -e");
	if (!filter[strspn(filter, " \t")])
		return fargs_fail(err, EINVAL, "there is nothing in it");
	old = wish->filter;
	ret = old ? asprintf(&text, "(%s) && (%s)", old, filter) : asprintf(&text, "%s", filter);
	if (ret < 0)
		return fargs_fail(err, ENOMEM, "no memory for options");
	wish->filter = text;
	free(old);
	return 0;
}

void fargs_event_wishes_deinit(struct fargs_event_wishes *w)
{
	while (w->nr)
		free(w->wishes[--w->nr].filter);
	free(w->wishes);
	w->wishes = NULL;
}

static bool is_picked(const struct fargs_event_choice *c, const struct fargs_tracefs_event *event)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->picks[i].event == event)
			return true;
	return false;
}

static int read_id(const struct fargs_event_choice *c, const struct fargs_tracefs_event *event,
		   uint64_t *id, struct fargs_error_text *err)
{
	size_t size;
	char *text = fargs_tracefs_read(c->dir, event, "id", &size), *end;

	if (!text)
		return fargs_fail(err, errno, "cannot read the id of %s:%s: %s", event->system,
				  event->name, strerror(errno));
	*id = strtoull(text, &end, 10);
	size = end - text;
	free(text);
	return size && *id ? 0 : fargs_fail(err, EIO, "%s:%s has no id", event->system,
					    event->name);
}

/* "SYSTEM:EVENT" of those that somebody may have meant. */
static int fail_unknown(const struct fargs_event_choice *c, const char *text,
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
			  *buf ? ": did you mean " : " (fargs list -e '*:*' names all)", buf,
			  *buf ? "?" : "");
}

static int pick(struct fargs_event_choice *c, const struct fargs_event_wish *wish,
		struct fargs_error_text *err)
{
	const char *colon = strchr(wish->text, ':');
	char system[NAME_BYTES];
	bool is_any = false;
	size_t i;
	int ret;

	snprintf(system, sizeof(system), "%.*s", (int)(colon - wish->text), wish->text);
	for (i = 0; i < c->all.nr; i++) {
		const struct fargs_tracefs_event *event = &c->all.events[i];
		struct fargs_event_pick *to = &c->picks[c->nr];

		if (!fargs_glob_match(system, event->system) ||
		    !fargs_glob_match(colon + 1, event->name))
			continue;
		is_any = true;
		if (is_picked(c, event))
			continue;
		to->event = event;
		to->filter = wish->filter;
		to->is_exact = !fargs_glob_is_pattern(wish->text);
		ret = read_id(c, event, &to->id, err);
		if (ret)
			return ret;
		c->nr++;
	}
	return is_any ? 0 : fail_unknown(c, wish->text, err);
}

int fargs_event_choice_init(struct fargs_event_choice *c, const struct fargs_event_wishes *w,
			    struct fargs_error_text *err)
{
	size_t i;
	int ret;

	*c = (struct fargs_event_choice){ };
	c->dir = fargs_tracefs_dir(err);
	if (!c->dir)
		return -ENOENT;
	ret = fargs_tracefs_events_init(&c->all, c->dir, err);
	if (ret)
		return ret;
	c->picks = calloc(c->all.nr + 1, sizeof(*c->picks));
	if (!c->picks)
		return fargs_fail(err, ENOMEM, "no memory for the list of events");
	for (i = 0; !ret && i < w->nr; i++)
		ret = pick(c, &w->wishes[i], err);
	return ret;
}

int fargs_event_choice_describe(const struct fargs_event_choice *c, struct fargs_meta *meta,
				struct fargs_error_text *err)
{
	size_t i, size;
	int ret = 0;
	char *text;

	meta->are_formats_trusted = true;
	for (i = 0; !ret && i < c->nr; i++) {
		const struct fargs_tracefs_event *event = c->picks[i].event;

		text = fargs_tracefs_read(c->dir, event, "format", &size);
		if (!text)
			return fargs_fail(err, errno, "cannot read the format of %s:%s: %s",
					  event->system, event->name, strerror(errno));
		ret = fargs_meta_add_format(meta, event->system, text, size);
		free(text);
	}
	/* Not all kernels have any: strings are shown as addresses then. */
	text = fargs_tracefs_read(c->dir, NULL, "printk_formats", &size);
	if (!ret && text && size)
		ret = fargs_meta_set_printk(meta, text, size);
	free(text);
	return ret ? fargs_fail(err, ENOMEM, "no memory for the formats of events") : 0;
}

void fargs_event_choice_deinit(struct fargs_event_choice *c)
{
	free(c->picks);
	c->picks = NULL;
	c->nr = 0;
	fargs_tracefs_events_deinit(&c->all);
}
