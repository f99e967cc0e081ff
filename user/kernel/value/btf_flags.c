// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/value/btf_flags.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void begin(struct fargs_flag_table *to)
{
	to->flags = (struct fargs_flags){ .flags = to->array };
}

/* Adds the name of @value, unless the bit has a name already: the first one of an enum counts. */
static void add(struct fargs_flag_table *to, const char *prefix, const char *name, size_t len,
		uint64_t value, uint64_t mask)
{
	size_t i, nr = to->flags.nr;

	if (nr == FARGS_FLAG_TABLE_MAX || strlen(prefix) + len >= FARGS_FLAG_NAME)
		return;
	for (i = 0; i < nr; i++)
		if (to->array[i].value == value && to->array[i].mask == mask)
			return;
	snprintf(to->names[nr], FARGS_FLAG_NAME, "%s%.*s", prefix, (int)len, name);
	to->array[to->flags.nr++] = (struct fargs_flag){ to->names[nr], value, mask };
}

static bool is_plain(const char *name)
{
	size_t i = 0;

	while (name && (isalnum((unsigned char)name[i]) || name[i] == '_'))
		i++;
	return i && !name[i];
}

static const struct btf_type *find_enum(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_ENUM);

	return id > 0 ? btf__type_by_id(btf, id) : NULL;
}

/* Finds the enum whose first enumerator is @first. */
static const struct btf_type *find_enum_with(const struct btf *btf, const char *first)
{
	uint32_t id, end = btf__type_cnt(btf);
	const struct btf_type *t;
	const char *name;

	for (id = 1; id < end; id++) {
		t = btf__type_by_id(btf, id);
		if (!btf_is_enum(t) || !btf_vlen(t))
			continue;
		name = btf__name_by_offset(btf, btf_enum(t)->name_off);
		if (name && !strcmp(name, first))
			return t;
	}
	return NULL;
}

/* Is @name an enumerator that is no flag, but the number of flags or a bit that is not used? */
static bool is_no_flag(const char *name)
{
	static const char *const names[] = {
		"___GFP_UNUSED_BIT", "___GFP_LAST_BIT", "_SLAB_FLAGS_LAST_BIT", "__REQ_NR_BITS",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/*
 * Adds the enumerators of @t, the numbers of bits, that begin with @strip and end with @end,
 * without both, but with @prefix.
 */
static bool add_bits(struct fargs_flag_table *to, const struct btf *btf, const struct btf_type *t,
		     const char *strip, const char *end, const char *prefix)
{
	const struct btf_enum *e = t ? btf_enum(t) : NULL;
	unsigned int i, nr = t ? btf_vlen(t) : 0;
	const char *name;
	size_t len;

	for (i = 0; i < nr; i++) {
		name = btf__name_by_offset(btf, e[i].name_off);
		if (!is_plain(name) || strncmp(name, strip, strlen(strip)) || e[i].val < 0 ||
		    e[i].val > 63 || is_no_flag(name))
			continue;
		name += strlen(strip);
		len = strlen(name);
		if (len <= strlen(end) || strcmp(name + len - strlen(end), end))
			continue;
		add(to, prefix, name, len - strlen(end), 1ull << e[i].val, 1ull << e[i].val);
	}
	return to->flags.nr;
}

bool fargs_btf_flags_enum(struct fargs_flag_table *to, const struct btf *btf, const char *name)
{
	const struct btf_type *t = find_enum(btf, name);
	const struct btf_enum *e = t ? btf_enum(t) : NULL;
	unsigned int i, nr = t ? btf_vlen(t) : 0;
	uint32_t v;

	begin(to);
	for (i = 0; i < nr; i++) {
		v = e[i].val;
		name = btf__name_by_offset(btf, e[i].name_off);
		if (v && !(v & (v - 1)) && is_plain(name))
			add(to, "", name, strlen(name), v, v);
	}
	return to->flags.nr;
}

bool fargs_btf_flags_gfp(struct fargs_flag_table *to, const struct btf *btf)
{
	begin(to);
	return add_bits(to, btf, find_enum_with(btf, "___GFP_DMA_BIT"), "_", "_BIT", "");
}

bool fargs_btf_flags_vm(struct fargs_flag_table *to, const struct btf *btf)
{
	begin(to);
	return add_bits(to, btf, find_enum_with(btf, "VMA_READ_BIT"), "VMA_", "_BIT", "VM_");
}

bool fargs_btf_flags_slab(struct fargs_flag_table *to, const struct btf *btf)
{
	size_t i;

	begin(to);
	add_bits(to, btf, find_enum(btf, "_slab_flag_bits"), "_SLAB_", "", "SLAB_");
	/* The macros of SLUB's own flags have another prefix. */
	for (i = 0; i < to->flags.nr; i++)
		if (!strcmp(to->names[i], "SLAB_OBJECT_POISON"))
			strcpy(to->names[i], "__OBJECT_POISON");
		else if (!strcmp(to->names[i], "SLAB_CMPXCHG_DOUBLE"))
			strcpy(to->names[i], "__CMPXCHG_DOUBLE");
	return to->flags.nr;
}

bool fargs_btf_flags_blk_opf(struct fargs_flag_table *to, const struct btf *btf)
{
	const struct btf_type *ops = find_enum(btf, "req_op");
	const struct btf_type *bits = find_enum(btf, "req_flag_bits");
	unsigned int i, first;
	const char *name;
	uint64_t mask;

	begin(to);
	if (!ops || !bits || !btf_vlen(bits))
		return false;
	/* The flags begin after the bits of the operation (REQ_OP_BITS). */
	first = btf_enum(bits)->val;
	if (!first || first > 31)
		return false;
	mask = (1ull << first) - 1;
	for (i = 0; i < btf_vlen(ops); i++) {
		name = btf__name_by_offset(btf, btf_enum(ops)[i].name_off);
		if (is_plain(name) && strcmp(name, "REQ_OP_LAST"))
			add(to, "", name, strlen(name), (uint32_t)btf_enum(ops)[i].val, mask);
	}
	add_bits(to, btf, bits, "__REQ_", "", "REQ_");
	return to->flags.nr;
}
