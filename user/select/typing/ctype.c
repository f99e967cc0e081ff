// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/ctype.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "abi/param.h"
#include "base/near.h"
#include "select/syntax/suggest.h"
#include "select/typing/typename.h"
#include "uapi/fargs_record.h"

/* Maximum size of a type's name, including its NUL. */
#define NAME_BYTES	128
/* Maximum number of types of the same name that are compared with each other. */
#define SAME_MAX	16

struct fargs_ctype_memo {
	const struct btf *btf;
	enum fargs_tag tag;
	char name[NAME_BYTES];
	uint32_t id;		/* 0: see the two members below */
	bool is_ambiguous;	/* several different types have the name */
	bool is_declared;	/* BTF has no more than the name */
};

/* C's own integer types and the kernel's names for them. */
static const struct integer {
	const char *name;
	uint8_t bytes;
	bool is_signed;
} integers[] = {
	{ "signed char", 1, true }, { "unsigned char", 1, false }, { "short", 2, true },
	{ "unsigned short", 2, false }, { "int", 4, true }, { "unsigned int", 4, false },
	{ "long", 8, true }, { "unsigned long", 8, false },
	{ "s8", 1, true }, { "s16", 2, true }, { "s32", 4, true }, { "s64", 8, true },
	{ "u8", 1, false }, { "u16", 2, false }, { "u32", 4, false }, { "u64", 8, false },
	{ "__s8", 1, true }, { "__s16", 2, true }, { "__s32", 4, true }, { "__s64", 8, true },
	{ "__u8", 1, false }, { "__u16", 2, false }, { "__u32", 4, false },
	{ "__u64", 8, false },
};

void fargs_ctypes_deinit(struct fargs_ctypes *types)
{
	free(types->memos);
	*types = (struct fargs_ctypes){ };
}

static const struct integer *find_integer(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(integers) / sizeof(integers[0]); i++)
		if (!strcmp(integers[i].name, name))
			return &integers[i];
	return NULL;
}

/* Is @t the integer type @of, or bool or char, whatever its name in BTF? */
static bool is_integer(const struct btf *btf, const struct btf_type *t, const char *name,
		       const struct integer *of)
{
	const char *own = btf__name_by_offset(btf, t->name_off);
	uint8_t encoding;

	if (!btf_is_int(t) || btf_int_offset(t))
		return false;
	encoding = btf_int_encoding(t);
	if (!strcmp(name, "bool"))
		return t->size == 1 && encoding & BTF_INT_BOOL;
	if (!strcmp(name, "char"))
		return t->size == 1 && own && !strcmp(own, "char");
	return of && t->size == of->bytes && btf_int_bits(t) == 8 * t->size &&
	       !(encoding & BTF_INT_BOOL) && (!own || strcmp(own, "char")) &&
	       !!(encoding & BTF_INT_SIGNED) == of->is_signed && !fargs_param_is_float(btf, t);
}

static bool is_tagged(const struct btf_type *t, enum fargs_tag tag)
{
	switch (tag) {
	case FARGS_TAG_STRUCT:
		return btf_is_struct(t);
	case FARGS_TAG_UNION:
		return btf_is_union(t);
	case FARGS_TAG_ENUM:
		return btf_is_any_enum(t);
	default:
		return btf_is_typedef(t);
	}
}

/* Are two structs, unions or enums of the same name the same, as far as their members' places? */
static bool is_alike(const struct btf *btf, uint32_t x, uint32_t y)
{
	const struct btf_type *a = btf__type_by_id(btf, fargs_param_strip(btf, x));
	const struct btf_type *b = btf__type_by_id(btf, fargs_param_strip(btf, y));
	uint32_t i;

	if (!a || !b || btf_kind(a) != btf_kind(b) || a->size != b->size ||
	    btf_vlen(a) != btf_vlen(b) || btf_kflag(a) != btf_kflag(b))
		return false;
	if (btf_is_ptr(a))
		return a->type == b->type;
	if (btf_is_int(a))
		return btf_int_bits(a) == btf_int_bits(b) &&
		       btf_int_encoding(a) == btf_int_encoding(b);
	for (i = 0; btf_is_composite(a) && i < btf_vlen(a); i++) {
		const struct btf_member *m = btf_members(a) + i, *n = btf_members(b) + i;

		if (m->offset != n->offset ||
		    strcmp(btf__name_by_offset(btf, m->name_off),
			   btf__name_by_offset(btf, n->name_off)))
			return false;
	}
	return true;
}

/* Finds the types of the name, and stores one of them in @memo if all of them are alike. */
static void search(struct fargs_ctype_memo *memo)
{
	const struct btf *btf = memo->btf;
	const struct integer *of = memo->tag ? NULL : find_integer(memo->name);
	bool is_own = of || (!memo->tag && (!strcmp(memo->name, "bool") ||
					    !strcmp(memo->name, "char")));
	uint32_t id, end = btf__type_cnt(btf);
	unsigned int nr = 0;

	for (id = 1; id < end && nr < SAME_MAX; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, t->name_off);

		if (is_own ? !is_integer(btf, t, memo->name, of) :
		    !name || strcmp(name, memo->name))
			continue;
		memo->is_declared |= btf_is_fwd(t);
		if (!is_own && !is_tagged(t, memo->tag))
			continue;
		if (nr++ && !is_alike(btf, memo->id, id)) {
			memo->is_ambiguous = true;
			memo->id = 0;
			return;
		}
		/* The first of C's own types will do. Of other types, the last is the module's. */
		memo->id = id;
		if (is_own)
			return;
	}
}

/* Looks up a name, or finds it in the cache. Returns NULL if out of memory. */
static const struct fargs_ctype_memo *look_up(struct fargs_ctypes *types, const struct btf *btf,
					      enum fargs_tag tag, const char *name)
{
	struct fargs_ctype_memo *memo, *larger;
	size_t i;

	for (i = 0; i < types->nr; i++) {
		memo = &types->memos[i];
		if (memo->btf == btf && memo->tag == tag && !strcmp(memo->name, name))
			return memo;
	}
	larger = realloc(types->memos, (types->nr + 1) * sizeof(*larger));
	if (!larger)
		return NULL;
	types->memos = larger;
	memo = &larger[types->nr++];
	*memo = (struct fargs_ctype_memo){ .btf = btf, .tag = tag };
	strcpy(memo->name, name);
	search(memo);
	return memo;
}

static void offer_names(struct fargs_near *near, const struct btf *btf, enum fargs_tag tag)
{
	uint32_t id, end = btf__type_cnt(btf);

	for (id = 1; id < end; id++) {
		const struct btf_type *t = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, t->name_off);

		if (is_tagged(t, tag) && name && *name)
			fargs_near_offer(near, name);
	}
}

static int fail(const struct fargs_ctype_memo *memo, struct fargs_ctypes *types,
		const struct fargs_node *node, struct fargs_diagnostic *m)
{
	static const char *const words[] = { "type ", "struct ", "union ", "enum " };
	struct fargs_near near = { .wanted = memo->name };
	const struct fargs_ctype_memo *other;
	char name[NAME_BYTES], names[FARGS_SUGGEST_MAX];
	enum fargs_tag tag = memo->tag, i;
	const struct btf *btf = memo->btf;

	strcpy(name, memo->name);
	if (memo->is_ambiguous)
		return fargs_diagnostic_at(m, node->column, "BTF has several different types with "
					   "the name '%s'", name);
	if (memo->is_declared)
		return fargs_diagnostic_at(m, node->column, "BTF does not describe %s%s",
					   words[tag], name);
	/* The cache may move: memo must not be used any more. */
	for (i = FARGS_TAG_NONE; i <= FARGS_TAG_ENUM; i++) {
		other = i == tag ? NULL : look_up(types, btf, i, name);
		if (other && other->id)
			return fargs_diagnostic_at(m, node->column, "there is no %s'%s': write "
						   "'%s%s'", words[tag], name, i ? words[i] : "",
						   name);
	}
	near.wanted = name;
	offer_names(&near, btf, tag);
	return fargs_diagnostic_at(m, node->column, "there is no %s'%s'%s", words[tag], name,
				   fargs_suggest(&near, "", names));
}

/* Returns one of C's own types; but for char, whose sign depends on the kernel. */
static struct fargs_scalar find_number(const char *name)
{
	const struct integer *of = find_integer(name);

	if (of)
		return (struct fargs_scalar){
			.type = fargs_param_int_type(of->bytes, of->is_signed),
			.bits = 8 * of->bytes, .is_signed = of->is_signed,
		};
	if (strcmp(name, "bool"))
		return (struct fargs_scalar){ };
	return (struct fargs_scalar){ .type = FARGS_TYPE_BOOL, .bits = 8, .is_bool = true };
}

int fargs_ctype_init(struct fargs_ctype *type, struct fargs_ctypes *types, const struct btf *btf,
		     const struct fargs_node *node, struct fargs_diagnostic *m)
{
	const struct fargs_ctype_memo *memo;
	char name[NAME_BYTES];

	*type = (struct fargs_ctype){ .pointers = node->number };
	if (!node->tag && fargs_node_is(node, "void"))
		return 0;
	if (node->len >= sizeof(name))
		return fargs_diagnostic_at(m, node->column, "this name is too long");
	memcpy(name, node->text, node->len);
	name[node->len] = '\0';
	memo = look_up(types, btf, node->tag, name);
	if (!memo)
		return fargs_diagnostic_no_memory(m);
	type->id = memo->id;
	if (!memo->id && !type->pointers && !node->tag)
		type->number = find_number(name);
	return memo->id || type->number.bits ? 0 : fail(memo, types, node, m);
}

bool fargs_ctype_scalar(const struct fargs_ctype *type, const struct btf *btf,
			struct fargs_scalar *s)
{
	if (!type->pointers && !type->number.bits)
		return fargs_scalar_init(s, btf, fargs_param_strip(btf, type->id), 0);
	*s = type->number;
	if (type->pointers)
		*s = (struct fargs_scalar){
			.type = FARGS_TYPE_PTR, .bits = 64, .is_pointer = true,
		};
	return true;
}

int64_t fargs_ctype_size(const struct fargs_ctype *type, const struct btf *btf,
			 const struct fargs_node *node, struct fargs_diagnostic *m)
{
	char name[FARGS_TYPENAME_MAX];
	int64_t size;

	if (type->pointers)
		return sizeof(uint64_t);
	if (type->number.bits)
		return type->number.bits / 8;
	size = fargs_param_strip(btf, type->id) ? btf__resolve_size(btf, type->id) : -1;
	return size >= 0 ? size :
	       fargs_diagnostic_at(m, node->column, "the size of %s is not known",
				   fargs_typename(btf, type->id, name));
}
