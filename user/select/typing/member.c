// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/member.h"

#include <string.h>

#include "abi/param.h"

/*
 * Limits of the nesting of anonymous members, and of the number of visited members: BTF from a file
 * may be hostile.
 */
#define NEST_MAX	16
#define STEPS_MAX	20000

struct search {
	const struct btf *btf;
	const char *name;
	size_t len;
	fargs_member_fn *each;		/* called for each member; NULL: search for @name instead */
	void *arg;
	int ret;			/* value that @each returned; if not 0, stop */
	unsigned int nr_steps;
};

/*
 * Searches the struct or union @t. Fills @found, including its offset in @t. Returns true if the
 * search is over.
 */
static bool search(struct search *s, const struct btf_type *t, unsigned int depth,
		   struct fargs_member *found);

static bool search_anonymous(struct search *s, uint32_t type_id, unsigned int depth,
			     struct fargs_member *found)
{
	const struct btf_type *t = btf__type_by_id(s->btf, fargs_param_strip(s->btf, type_id));

	return t && btf_is_composite(t) && depth < NEST_MAX && search(s, t, depth + 1, found);
}

static bool search(struct search *s, const struct btf_type *t, unsigned int depth,
		   struct fargs_member *found)
{
	const struct btf_member *m = btf_members(t);
	uint32_t i;

	for (i = 0; i < btf_vlen(t); i++) {
		const char *name = btf__name_by_offset(s->btf, m[i].name_off);

		if (++s->nr_steps > STEPS_MAX)
			return false;
		if (!name || !*name) {
			if (!search_anonymous(s, m[i].type, depth, found))
				continue;
			found->bit_offset += btf_member_bit_offset(t, i);
			return true;
		}
		if (s->each) {
			s->ret = s->each(s->arg, name, m[i].type, btf_member_bitfield_size(t, i));
			if (s->ret)
				return true;
		} else if (!strncmp(name, s->name, s->len) && !name[s->len]) {
			*found = (struct fargs_member){
				.type_id = m[i].type,
				.bitfield_bits = btf_member_bitfield_size(t, i),
				.bit_offset = btf_member_bit_offset(t, i),
			};
			return true;
		}
	}
	return false;
}

/*
 * Old BTF encoders describe a bitfield by an integer type of its width, and do not mark the
 * member as a bitfield.
 */
static void take_width_of_type(struct fargs_member *m, const struct btf *btf)
{
	const struct btf_type *t = btf__type_by_id(btf, fargs_param_strip(btf, m->type_id));

	if (m->bitfield_bits || !t || !btf_is_int(t))
		return;
	if (!btf_int_offset(t) &&
	    (btf_int_bits(t) == 8 * t->size || btf_int_encoding(t) & BTF_INT_BOOL))
		return;
	m->bitfield_bits = btf_int_bits(t);
	m->bit_offset += btf_int_offset(t);
}

bool fargs_member_find(struct fargs_member *member, const struct btf *btf, uint32_t base_id,
		       const char *name, size_t len)
{
	struct search s = { .btf = btf, .name = name, .len = len };
	const struct btf_type *t = btf__type_by_id(btf, base_id);

	if (!t || !btf_is_composite(t) || !search(&s, t, 0, member))
		return false;
	take_width_of_type(member, btf);
	return true;
}

int fargs_member_each(const struct btf *btf, uint32_t base_id, fargs_member_fn *each, void *arg)
{
	const struct btf_type *t = btf__type_by_id(btf, base_id);
	struct search s = { .btf = btf, .each = each, .arg = arg };
	struct fargs_member ignored = { };

	if (t && btf_is_composite(t))
		search(&s, t, 0, &ignored);
	return s.ret;
}

static int offer(void *arg, const char *name, uint32_t type_id, uint32_t bitfield_bits)
{
	fargs_near_offer(arg, name);
	return 0;
}

void fargs_member_offer(const struct btf *btf, uint32_t base_id, struct fargs_near *near)
{
	fargs_member_each(btf, base_id, offer, near);
}
