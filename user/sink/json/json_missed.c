// SPDX-License-Identifier: GPL-2.0-only
#include "sink/json/json_missed.h"

#include <string.h>

#include "base/put.h"
#include "model/missed.h"
#include "sink/json/json.h"

struct list {
	struct fargs_buf *out;
	const char *separator;
	bool has_any;
};

static void begin(struct list *l)
{
	if (l->has_any)
		fargs_put(l->out, l->separator);
	l->has_any = true;
	fargs_put(l->out, "{\"type\":\"missed\"");
}

static void put_count(struct list *l, const char *key, uint64_t nr)
{
	fargs_put_char(l->out, ',');
	fargs_json_put_key(l->out, key);
	fargs_json_put_u64(l->out, nr);
}

static void put_string(struct list *l, const char *key, const char *text)
{
	fargs_put_char(l->out, ',');
	fargs_json_put_key(l->out, key);
	fargs_json_put_string(l->out, text, strlen(text));
}

static void put_func(struct list *l, const struct fargs_meta *meta,
		     const struct fargs_missed_func *missed, bool is_raw)
{
	const struct fargs_func *func = is_raw ? NULL : fargs_missed_func(meta, missed);

	begin(l);
	if (func)
		put_string(l, "name", func->name);
	if (func && func->module)
		put_string(l, "module", func->module);
	fargs_put(l->out, ",\"address\":");
	fargs_json_put_hex(l->out, missed->ip);
	if (missed->missed)
		put_count(l, "missed", missed->missed);
	if (missed->missed_any)
		put_count(l, "at_most", missed->missed_any);
	if (missed->too_deep)
		put_count(l, "too_deep", missed->too_deep);
	fargs_put_char(l->out, '}');
}

void fargs_json_missed(struct fargs_buf *out, const struct fargs_meta *meta, bool is_raw,
		       const char *separator, bool is_after_last)
{
	struct list l = { .out = out, .separator = separator };
	uint64_t nr;
	size_t i;

	for (i = 0; i < meta->missed.nr; i++)
		put_func(&l, meta, &meta->missed.funcs[i], is_raw);
	nr = fargs_missed_nameless(&meta->missed);
	if (nr) {
		begin(&l);
		put_count(&l, "at_most", nr);
		fargs_put_char(out, '}');
	}
	nr = meta->has_missed ? 0 : fargs_missed_count(meta);
	if (nr) {
		begin(&l);
		put_count(&l, "missed", nr);
		fargs_put_char(out, '}');
	}
	if (fargs_missed_is_unknown(meta)) {
		begin(&l);
		fargs_put_char(out, '}');
	}
	if (l.has_any && is_after_last)
		fargs_put(out, separator);
}
