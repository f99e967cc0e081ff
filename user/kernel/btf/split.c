// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/split.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/strindex.h"
#include "kernel/btf/walk.h"

/* Finds the types and strings of @base, which is not split BTF. */
static int raw_of(struct fargs_btf_raw *raw, const struct btf *base)
{
	const void *data;
	uint32_t bytes;

	data = btf__raw_data(base, &bytes);
	return data ? fargs_btf_raw_init(raw, (void *)data, bytes) : -ENOMEM;
}

/* Limits of valid references in split BTF. */
struct bounds {
	struct fargs_btf_raw base, own;
	/* Number of types in the base; after the walk, in the base and the split BTF together. */
	uint32_t nr_types;
	uint32_t largest;	/* largest type id in any reference */
};

static int count_type(void *arg, struct btf_type *t)
{
	struct bounds *b = arg;

	b->nr_types++;
	return 0;
}

static int note_type(void *arg, uint32_t *id)
{
	struct bounds *b = arg;

	if (*id > b->largest)
		b->largest = *id;
	return 0;
}

/*
 * Checks that a reference points to the start of a string: encoders store each string separately,
 * even if it is the end of another one. If the split BTF was made for a base with strings of
 * another size, nearly all references point into the middle of a string.
 */
static int check_string(void *arg, uint32_t *offset)
{
	const struct bounds *b = arg;
	const char *strings = b->base.strings;
	uint32_t at = *offset, end = b->base.strings_bytes;

	if (at >= end) {
		at -= end;
		strings = b->own.strings;
		end = b->own.strings_bytes;
	}
	return at < end && (!at || !strings[at - 1]) ? 0 : -EINVAL;
}

bool fargs_btf_split_fits(const void *data, size_t bytes, const struct btf *base)
{
	struct bounds b = { .nr_types = btf__type_cnt(base) };
	const struct fargs_btf_visitor visitor = {
		.begin = count_type, .type = note_type, .string = check_string, .arg = &b,
	};

	/* The cast is safe: the walk does not modify the data. */
	if (raw_of(&b.base, base) || fargs_btf_raw_init(&b.own, (void *)data, bytes))
		return false;
	return !fargs_btf_walk(&b.own, &visitor) && b.largest < b.nr_types;
}

/* Maps the types of a .BTF.base to types of another BTF. */
struct relocation {
	const struct btf *from, *to;
	struct fargs_btf_raw from_raw, to_raw;
	uint32_t nr_from, nr_to;
	uint32_t *ids;		/* type id in @to, indexed by type id in @from; 0: none */
};

/*
 * Does type @t of the new base correspond to type @wanted of .BTF.base? The caller passes only
 * types of the same name.
 */
static bool is_meant(const struct btf_type *wanted, const struct btf_type *t)
{
	if (btf_is_fwd(wanted))
		return btf_is_fwd(t) ? btf_kflag(t) == btf_kflag(wanted)
				     : btf_kind(t) == (btf_kflag(wanted) ? BTF_KIND_UNION
									 : BTF_KIND_STRUCT);
	if (btf_kind(t) != btf_kind(wanted) || t->size != wanted->size)
		return false;
	return !btf_is_int(t) || *(const uint32_t *)(t + 1) == *(const uint32_t *)(wanted + 1);
}

/*
 * Can a .BTF.base contain a type of @t's kind? It contains only types that can be identified by
 * name, kind and size.
 */
static bool is_sought(const struct btf_type *t)
{
	return btf_is_int(t) || btf_is_float(t) || btf_is_any_enum(t) || btf_is_composite(t) ||
	       btf_is_fwd(t);
}

/* Fills r->ids. Returns the first type of .BTF.base with several matches, or 0 if there is none. */
static uint32_t map_types(struct relocation *r, const struct fargs_strindex *by_name)
{
	uint32_t id, twice = 0;

	for (id = 1; id < r->nr_to; id++) {
		const struct btf_type *t = btf__type_by_id(r->to, id);
		const uint32_t *found;
		size_t i, nr;

		if (!is_sought(t) || !t->name_off)
			continue;
		nr = fargs_strindex_find(by_name, btf__name_by_offset(r->to, t->name_off), &found);
		for (i = 0; i < nr; i++) {
			uint32_t from = found[i];

			if (!is_meant(btf__type_by_id(r->from, from), t))
				continue;
			if (r->ids[from] && !twice)
				twice = from;
			r->ids[from] = id;
		}
	}
	return twice;
}

/*
 * Fills r->ids. Returns 0, or -errno with *@culprit set to the type of .BTF.base that has no unique
 * match.
 */
static int find_types(struct relocation *r, uint32_t *culprit)
{
	const char **names = calloc(r->nr_from, sizeof(*names));
	struct fargs_strindex by_name;
	int ret = -ENOMEM;
	uint32_t id;

	if (!names)
		return -ENOMEM;
	for (id = 0; id < r->nr_from; id++) {
		const struct btf_type *t = btf__type_by_id(r->from, id);

		names[id] = id ? btf__name_by_offset(r->from, t->name_off) : "";
		*culprit = id;
		if (id && (!is_sought(t) || !names[id] || !*names[id])) {
			ret = -EINVAL;
			goto out;
		}
	}
	if (fargs_strindex_init(&by_name, names, r->nr_from))
		goto out;
	*culprit = map_types(r, &by_name);
	ret = *culprit ? -ENOTUNIQ : 0;
	fargs_strindex_deinit(&by_name);
	for (id = 1; !ret && id < r->nr_from; id++) {
		*culprit = id;
		if (!r->ids[id])
			ret = -ENOENT;
	}
out:
	free(names);
	return ret;
}

static int move_type(void *arg, uint32_t *id)
{
	const struct relocation *r = arg;

	*id = *id < r->nr_from ? r->ids[*id] : *id - r->nr_from + r->nr_to;
	return 0;
}

static int move_string(void *arg, uint32_t *offset)
{
	const struct relocation *r = arg;

	if (*offset)
		*offset += r->to_raw.strings_bytes - 1;
	return 0;
}

/*
 * Returns a copy of @own for the new base. Its strings are those of .BTF.base followed by those of
 * @own, so that all string offsets change by the same amount. Offset 0, the empty string, is not
 * changed: it refers to the new base.
 */
static void *rewrite(struct relocation *r, const struct fargs_btf_raw *own, size_t *bytes)
{
	const struct fargs_btf_visitor visitor = {
		.type = move_type, .string = move_string, .arg = r,
	};
	struct btf_header head = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(head),
		.type_len = own->types_bytes,
		.str_off = own->types_bytes,
		.str_len = r->from_raw.strings_bytes - 1 + own->strings_bytes,
	};
	struct fargs_btf_raw copy;
	char *data, *strings;

	*bytes = sizeof(head) + (size_t)head.type_len + head.str_len;
	data = malloc(*bytes);
	if (!data)
		return NULL;
	strings = data + sizeof(head) + head.type_len;
	memcpy(data, &head, sizeof(head));
	memcpy(data + sizeof(head), own->types, own->types_bytes);
	memcpy(strings, r->from_raw.strings + 1, r->from_raw.strings_bytes - 1);
	memcpy(strings + r->from_raw.strings_bytes - 1, own->strings, own->strings_bytes);
	/* Cannot fail: the same data has been walked before. */
	if (!fargs_btf_raw_init(&copy, data, *bytes) && !fargs_btf_walk(&copy, &visitor))
		return data;
	free(data);
	return NULL;
}

static int fail(int ret, const struct btf *from, uint32_t culprit, struct fargs_error_text *err)
{
	const char *name = "";

	if (culprit)
		name = btf__name_by_offset(from, btf__type_by_id(from, culprit)->name_off);
	switch (ret) {
	case -ENOMEM:
		return fargs_fail(err, ENOMEM, "no memory for BTF");
	case -ENOENT:
		return fargs_fail(err, ENOENT, "the kernel has no type '%s' that matches the one "
				  "in this BTF",
				  name);
	case -ENOTUNIQ:
		return fargs_fail(err, ENOTUNIQ, "the kernel has several types '%s', and it is not "
				  "known to which one this BTF refers", name);
	default:
		return fargs_fail(err, EINVAL, "this BTF is invalid on top of its .BTF.base");
	}
}

void *fargs_btf_split_relocate(const void *data, size_t bytes, const void *own_base,
			       size_t own_base_bytes, const struct btf *base,
			       size_t *relocated_bytes, struct fargs_error_text *err)
{
	struct btf *from = btf__new(own_base, own_base_bytes);
	struct relocation r = { .from = from, .to = base };
	struct fargs_btf_raw own;
	void *relocated = NULL;
	uint32_t culprit = 0;
	int ret = -EINVAL;

	if (!from || raw_of(&r.from_raw, from) || raw_of(&r.to_raw, base) ||
	    fargs_btf_raw_init(&own, (void *)data, bytes) ||
	    !fargs_btf_split_fits(data, bytes, from))
		goto out;
	r.nr_from = btf__type_cnt(from);
	r.nr_to = btf__type_cnt(base);
	r.ids = calloc(r.nr_from, sizeof(*r.ids));
	ret = r.ids ? find_types(&r, &culprit) : -ENOMEM;
	if (!ret) {
		relocated = rewrite(&r, &own, relocated_bytes);
		ret = relocated ? 0 : -ENOMEM;
	}
out:
	if (ret)
		fail(ret, from, culprit, err);
	free(r.ids);
	btf__free(from);
	return relocated;
}
