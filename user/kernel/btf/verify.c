// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/verify.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "kernel/sym/ksyms.h"

/*
 * Maximum height and weight (struct note), which the BTF of no kernel exceeds. Kernels have heights
 * up to 32. Large unnamed unions have weights up to 389,792 (amdgpu in 7.2).
 */
#define HEIGHT_MAX	128
#define WEIGHT_MAX	(1u << 22)

/*
 * Two senses in which a type can contain other types. In neither may a type contain itself.
 */
enum respect {
	VALUE,		/* types that a value of the type contains, such as those of members */
	/*
	 * Types that the type's C declaration spells out, but not those that it refers to by name:
	 * typedefs, named structs and named unions.
	 */
	SPELLING,
	RESPECTS
};

/* Cached results of weigh() for a type, in one of the senses of enum respect. */
struct note {
	/* Number of types that the type contains, including itself; 0: not computed. */
	uint32_t weight;
	uint16_t height;	/* maximum nesting depth of the contained types */
	bool is_open;		/* @weight is being computed */
};

struct verifier {
	const struct btf *btf;
	const char *name;
	struct fargs_error_text *err;
	uint32_t nr_types;
	struct note *notes[RESPECTS];
};

static int fail(const struct verifier *v, uint32_t id, const char *why)
{
	return fargs_fail(v->err, EINVAL, "BTF of %s is invalid: type %u %s", v->name, id, why);
}

static uint32_t nr_references(const struct btf_type *t)
{
	switch (btf_kind(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
	case BTF_KIND_FLOAT:
	case BTF_KIND_FWD:
		return 0;
	case BTF_KIND_ARRAY:
		return 2;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
		return btf_vlen(t);
	case BTF_KIND_FUNC_PROTO:
		return btf_vlen(t) + 1;
	default:
		return 1;
	}
}

/* Returns the @i-th type id that @t refers to. */
static uint32_t reference(const struct btf_type *t, uint32_t i)
{
	switch (btf_kind(t)) {
	case BTF_KIND_ARRAY:
		return i ? btf_array(t)->index_type : btf_array(t)->type;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return btf_members(t)[i].type;
	case BTF_KIND_DATASEC:
		return btf_var_secinfos(t)[i].type;
	case BTF_KIND_FUNC_PROTO:
		return i ? btf_params(t)[i - 1].type : t->type;
	default:
		return t->type;
	}
}

/* Returns the string offset of the name of @t's @i-th member, parameter or enumerator. */
static uint32_t inner_name(const struct btf_type *t, uint32_t i)
{
	switch (btf_kind(t)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return btf_members(t)[i].name_off;
	case BTF_KIND_ENUM:
		return btf_enum(t)[i].name_off;
	case BTF_KIND_ENUM64:
		return btf_enum64(t)[i].name_off;
	case BTF_KIND_FUNC_PROTO:
		return btf_params(t)[i].name_off;
	default:
		return 0;
	}
}

static bool has_inner_names(const struct btf_type *t)
{
	return btf_is_composite(t) || btf_is_any_enum(t) || btf_is_func_proto(t);
}

static bool has_name(const struct verifier *v, uint32_t name_off)
{
	return btf__name_by_offset(v->btf, name_off);
}

/* Is the name longer than the kernel allows (FARGS_KSYM_NAME_LEN)? */
static bool is_long_name(const struct verifier *v, uint32_t name_off)
{
	return !fargs_ksym_name_fits(btf__name_by_offset(v->btf, name_off));
}

static int check_lookups(const struct verifier *v, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(v->btf, id);
	uint32_t nr_names = has_inner_names(t) ? btf_vlen(t) : 0, nr = nr_references(t), i;

	if (!has_name(v, t->name_off))
		return fail(v, id, "has a name outside the string section");
	if (is_long_name(v, t->name_off))
		return fail(v, id, "has a name longer than 511 bytes");
	for (i = 0; i < nr_names; i++) {
		if (!has_name(v, inner_name(t, i)))
			return fail(v, id, "lists a name outside the string section");
		if (is_long_name(v, inner_name(t, i)))
			return fail(v, id, "lists a name longer than 511 bytes");
	}
	for (i = 0; i < nr; i++)
		if (reference(t, i) >= v->nr_types)
			return fail(v, id, "refers to a type that does not exist");
	return 0;
}

/* Does @t contain the types that it refers to, in the sense @respect? */
static bool is_made_of(const struct btf_type *t, enum respect respect)
{
	switch (btf_kind(t)) {
	case BTF_KIND_CONST:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
	case BTF_KIND_ARRAY:
		return true;
	case BTF_KIND_TYPEDEF:
		return respect == VALUE;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return respect == VALUE || !t->name_off;
	case BTF_KIND_PTR:
	case BTF_KIND_FUNC_PROTO:
		return respect == SPELLING;
	default:
		return false;
	}
}

/*
 * Checks the members of an unnamed struct or union, which libbpf writes out in declarations. libbpf
 * divides by the alignment of each member, and fills gaps between and after members with padding
 * members.
 */
static int check_members(const struct verifier *v, uint32_t id, const struct btf_type *t)
{
	uint64_t bits, end = 8 * (uint64_t)t->size;
	uint32_t i;
	int64_t bytes;

	for (i = 0; i < btf_vlen(t); i++) {
		bits = btf_member_bitfield_size(t, i);
		bytes = btf__resolve_size(v->btf, btf_members(t)[i].type);
		if (bytes < 0 || btf__align_of(v->btf, btf_members(t)[i].type) <= 0)
			return fail(v, id, "has a member without a size");
		if (!bits)
			bits = 8 * (uint64_t)bytes;
		if (btf_member_bit_offset(t, i) + bits > end)
			return fail(v, id, "has a member that extends past its end");
	}
	return 0;
}

static int weigh(struct verifier *v, uint32_t id, enum respect respect, unsigned int depth);

/*
 * Adds to *@weight the cost of formatting the definition of @t (type @id) with libbpf: enumerators,
 * padding, and finding the alignment of members. Excludes the formatting of the types that @t
 * refers to.
 */
static int weigh_definition(struct verifier *v, uint32_t id, const struct btf_type *t,
			    uint64_t *weight)
{
	uint32_t i;
	int ret;

	if (t->name_off)
		return 0;
	if (btf_is_any_enum(t))
		*weight += btf_vlen(t);
	if (!btf_is_composite(t))
		return 0;
	*weight += t->size / 8;
	for (i = 0; i < btf_vlen(t); i++) {
		/*
		 * To get a member's alignment, libbpf inspects all types that its value consists
		 * of.
		 */
		ret = weigh(v, reference(t, i), VALUE, 0);
		if (ret)
			return ret;
		*weight += v->notes[VALUE][reference(t, i)].weight;
	}
	return *weight > WEIGHT_MAX ? 0 : check_members(v, id, t);
}

static int weigh_references(struct verifier *v, const struct btf_type *t, enum respect respect,
			    unsigned int depth, uint64_t *weight, unsigned int *height)
{
	uint32_t i, id, nr = nr_references(t);
	const struct note *note;
	int ret;

	for (i = 0; i < nr; i++) {
		id = reference(t, i);
		note = &v->notes[respect][id];
		/* Call weigh() only if the weight is not known yet, which is rare. */
		ret = note->weight ? 0 : weigh(v, id, respect, depth + 1);
		if (ret)
			return ret;
		*weight += note->weight;
		if (note->height >= *height)
			*height = note->height + 1;
	}
	return 0;
}

static int weigh(struct verifier *v, uint32_t id, enum respect respect, unsigned int depth)
{
	const struct btf_type *t = btf__type_by_id(v->btf, id);
	struct note *note = &v->notes[respect][id];
	unsigned int height = 0;
	uint64_t weight = 1;
	int ret = 0;

	if (note->weight)
		return 0;
	if (note->is_open)
		return fail(v, id, "contains itself");
	if (depth > HEIGHT_MAX)
		return fail(v, id, "is nested too deeply");
	note->is_open = true;
	if (is_made_of(t, respect))
		ret = weigh_references(v, t, respect, depth, &weight, &height);
	if (!ret && respect == SPELLING)
		ret = weigh_definition(v, id, t, &weight);
	if (ret)
		return ret;
	if (height > HEIGHT_MAX)
		return fail(v, id, "is nested too deeply");
	if (weight > WEIGHT_MAX)
		return fail(v, id, "contains too many types");
	note->is_open = false;
	note->height = height;
	note->weight = weight;
	return 0;
}

static int check_all(struct verifier *v)
{
	const struct btf *base = btf__base_btf(v->btf);
	uint32_t id, first = base ? btf__type_cnt(base) : 1;
	int ret = 0;

	for (id = first; id < v->nr_types && !ret; id++)
		ret = check_lookups(v, id);
	for (id = first; id < v->nr_types && !ret; id++) {
		ret = weigh(v, id, VALUE, 0);
		if (!ret)
			ret = weigh(v, id, SPELLING, 0);
	}
	return ret;
}

int fargs_btf_verify(const struct btf *btf, const char *name, struct fargs_error_text *err)
{
	struct verifier v = { .btf = btf, .name = name, .err = err };
	const struct btf_header *header;
	uint32_t i, size;
	int ret = 0;

	header = btf__raw_data(btf, &size);
	if (!header)
		return fargs_fail(err, ENOMEM, "no memory for BTF of %s", name);
	if (btf__endianness(btf) != BTF_LITTLE_ENDIAN)
		return fargs_fail(err, EINVAL, "BTF of %s has the wrong byte order", name);
	if (header->version != BTF_VERSION || header->hdr_len < sizeof(*header) ||
	    header->hdr_len % 4)
		return fargs_fail(err, EINVAL, "BTF of %s has an unknown header", name);
	v.nr_types = btf__type_cnt(btf);
	for (i = 0; i < RESPECTS; i++) {
		v.notes[i] = calloc(v.nr_types, sizeof(*v.notes[i]));
		if (!v.notes[i])
			ret = fargs_fail(err, ENOMEM, "no memory for BTF of %s", name);
	}
	if (!ret)
		ret = check_all(&v);
	for (i = 0; i < RESPECTS; i++)
		free(v.notes[i]);
	return ret;
}
