// SPDX-License-Identifier: GPL-2.0-only
#include "pipeline/filter/lookup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/syscalls.h"
#include "kernel/sym/ksyms.h"
#include "model/event_kind.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "model/types.h"
#include "select/typing/member.h"
#include "select/typing/scalar.h"

#define TEXT_MAX	256
/* Maximum size of a formatted event's name, "system:name". */
#define NAME_MAX_BYTES	128

/*
 * Names that the value of a node can have in a record. A record names a value as it was requested,
 * with ":str" or ":ustr" appended if the value was fetched as a string, and with a '*' prefixed if
 * it is the object that a pointer points to.
 */
struct fargs_lookup_text {
	const struct fargs_node *node;
	char plain[TEXT_MAX];
	/* With parentheses if need be, as in "*(p+1)". */
	char deref[TEXT_MAX + 3];
	char str[TEXT_MAX + 6];
	char ustr[TEXT_MAX + 7];
	/* "system:name" of the formatted event that is being looked up. */
	char name[NAME_MAX_BYTES];
};

struct search {
	struct fargs_lookup *lookup;
	struct fargs_decoder *d;
	const struct fargs_event *ev;
	struct fargs_found *found;
};

void fargs_lookup_deinit(struct fargs_lookup *lookup)
{
	while (lookup->nr)
		free(lookup->texts[--lookup->nr]);
	free(lookup->texts);
	*lookup = (struct fargs_lookup){ };
}

/* Writes the name of "*node" or "node:str". */
static void put_form(char *text, size_t size, const struct fargs_node *node,
		     enum fargs_node_kind kind, enum fargs_format format)
{
	const struct fargs_node form = {
		.kind = kind, .format = format, .a = (struct fargs_node *)node,
	};

	if (fargs_node_text(&form, text, size) >= size)
		text[0] = '\0';
}

/*
 * Returns the names that the value of @node can have in a record; creates them at the first use.
 * Returns NULL if out of memory.
 */
static struct fargs_lookup_text *text_of(struct fargs_lookup *lookup, const struct fargs_node *node)
{
	struct fargs_lookup_text **larger, *text;
	size_t i;

	for (i = 0; i < lookup->nr; i++)
		if (lookup->texts[i]->node == node)
			return lookup->texts[i];
	larger = realloc(lookup->texts, (lookup->nr + 1) * sizeof(*larger));
	if (!larger)
		return NULL;
	lookup->texts = larger;
	text = malloc(sizeof(*text));
	if (!text)
		return NULL;
	larger[lookup->nr++] = text;
	text->node = node;
	/* If the text of @node does not fit, leave it empty: no record has such a long name. */
	if (fargs_node_text(node, text->plain, sizeof(text->plain)) >= sizeof(text->plain))
		text->plain[0] = '\0';
	put_form(text->deref, sizeof(text->deref), node, FARGS_NODE_DEREF, FARGS_FORMAT_NONE);
	put_form(text->str, sizeof(text->str), node, FARGS_NODE_FORMAT, FARGS_FORMAT_STR);
	put_form(text->ustr, sizeof(text->ustr), node, FARGS_NODE_FORMAT, FARGS_FORMAT_USTR);
	return text;
}

static const struct fargs_arg *find_in(const struct fargs_arg *args, unsigned int nr,
				       const char *name)
{
	unsigned int i;

	for (i = 0; *name && i < nr; i++)
		if (args[i].val.name[0] == *name && !strcmp(args[i].val.name, name))
			return &args[i];
	return NULL;
}

/*
 * Finds the value called @name; prefers the one fetched at the return to the one fetched at the
 * call.
 */
static const struct fargs_arg *find_arg(const struct fargs_event *ev, const char *name)
{
	const struct fargs_arg *arg = find_in(ev->out, ev->nr_out, name);

	return arg ? arg : find_in(ev->args, ev->nr_args, name);
}

static void take_number(struct fargs_found *found, __int128 number, unsigned int bits,
			bool is_signed)
{
	found->kind = FARGS_FOUND_NUMBER;
	found->number = number;
	found->bits = bits;
	found->is_signed = is_signed;
}

static void take_text(struct fargs_found *found, const char *text, size_t len)
{
	found->kind = FARGS_FOUND_STRING;
	found->text = text;
	found->len = len;
}

/* Converts @v to signed; values that do not fit become the largest signed 128-bit number. */
static __int128 take_u128(unsigned __int128 v)
{
	const __uint128_t max = ~(__uint128_t)0 >> 1;

	return v > max ? max : v;
}

static void take_arg(struct fargs_found *found, const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;
	unsigned int bits = arg->bitfield_bits ? arg->bitfield_bits :
						 8 * fargs_type_width(val->type);
	bool is_unsigned_char;

	if (val->is_fault)
		return;
	found->btf = arg->btf;
	found->type_id = arg->is_range ? 0 : arg->btf_id;
	found->base_id = arg->is_range ? 0 : arg->base_id;
	found->enum_id = arg->shape == FARGS_SHAPE_ENUM ? arg->base_id : 0;
	found->naming = arg->naming;
	found->width = fargs_type_width(val->type);
	switch (val->type) {
	case FARGS_TYPE_STR:
		take_text(found, val->data, val->bytes);
		break;
	case FARGS_TYPE_BYTES:
		found->kind = FARGS_FOUND_WHOLE;
		found->data = val->data;
		found->bytes = val->bytes;
		break;
	case FARGS_TYPE_U128:
		take_number(found, take_u128(fargs_value_u128(val)), bits, false);
		break;
	case FARGS_TYPE_S128:
		take_number(found, (__int128)fargs_value_u128(val), bits, true);
		break;
	case FARGS_TYPE_CHAR:
		is_unsigned_char = arg->btf && !fargs_types_is_signed(arg->btf, arg->base_id);
		take_number(found, is_unsigned_char ? (uint8_t)fargs_value_u64(val) :
			    (__int128)fargs_value_s64(val), bits, !is_unsigned_char);
		break;
	default:
		if (fargs_type_is_signed(val->type))
			take_number(found, fargs_value_s64(val), bits, true);
		else
			take_number(found, fargs_value_u64(val), bits, false);
		found->is_pointer = val->type == FARGS_TYPE_PTR;
	}
}

struct field_search {
	const char *name;
	struct fargs_found *found;
};

static int take_field(void *arg, const struct fargs_field *field)
{
	struct field_search *s = arg;
	uint64_t v;

	if (strcmp(field->name, s->name))
		return 0;
	if (field->kind == FARGS_FIELD_STRING) {
		take_text(s->found, (const char *)field->data, field->bytes);
	} else if (field->kind != FARGS_FIELD_BYTES && !field->is_array) {
		v = fargs_field_number(field, 0);
		if (field->kind == FARGS_FIELD_SIGNED)
			take_number(s->found, (int64_t)v, 8 * field->width, true);
		else
			take_number(s->found, v, 8 * field->width, false);
		s->found->is_pointer = field->kind == FARGS_FIELD_PTR;
	}
	return 1;
}

/*
 * Returns the name of the function or, for a formatted event, "system:name", which is stored in
 * @text; NULL: the event has neither.
 */
static const char *name_event(const struct search *s, struct fargs_lookup_text *text)
{
	const struct fargs_ksym *sym;
	struct fargs_format_head head;

	if (s->ev->func)
		return s->ev->func->name;
	if (s->ev->sample)
		return s->ev->sample->event;
	if (s->ev->error)
		return "error";
	if (s->ev->trace) {
		sym = fargs_decoder_symbol(s->d, s->ev->trace->addr);
		return sym ? sym->name : NULL;
	}
	if (s->ev->kind != FARGS_KIND_EVENT)
		return NULL;
	fargs_formats_head(fargs_decoder_formats(s->d), &s->ev->formatted, &head);
	if (!head.name)
		return NULL;
	snprintf(text->name, sizeof(text->name), "%s:%s", head.system, head.name);
	return text->name;
}

/* Returns the module of the function; NULL: none. */
static const char *name_module(const struct search *s)
{
	const struct fargs_ksym *sym;

	if (s->ev->func)
		return s->ev->func->module;
	sym = s->ev->trace ? fargs_decoder_symbol(s->d, s->ev->trace->addr) : NULL;
	return sym ? sym->module : NULL;
}

static void take_context(const struct search *s, struct fargs_lookup_text *text)
{
	const struct fargs_node *node = text->node;
	const struct fargs_event *ev = s->ev;
	const char *name;

	if (fargs_node_is(node, "comm")) {
		take_text(s->found, ev->comm, strlen(ev->comm));
	} else if (fargs_node_is(node, "pid")) {
		if (ev->tgid >= 0)
			take_number(s->found, ev->tgid, 32, true);
	} else if (fargs_node_is(node, "tid")) {
		take_number(s->found, ev->tid, 32, true);
	} else if (fargs_node_is(node, "cpu")) {
		if (!ev->has_no_cpu)
			take_number(s->found, ev->cpu, 32, false);
	} else if (fargs_node_is(node, "time")) {
		if (!ev->has_no_time)
			take_number(s->found, ev->time_ns, 64, false);
		s->found->is_time = true;
	} else if (fargs_node_is(node, "func")) {
		name = name_event(s, text);
		if (name)
			take_text(s->found, name, strlen(name));
	} else if (fargs_node_is(node, "module")) {
		name = name_module(s);
		if (name)
			take_text(s->found, name, strlen(name));
	} else if (fargs_node_is(node, "caller")) {
		if (ev->kind == FARGS_KIND_ENTRY || ev->kind == FARGS_KIND_RETURN ||
		    ev->kind == FARGS_KIND_TPOINT) {
			take_number(s->found, ev->parent_ip, 64, false);
			s->found->is_pointer = true;
		}
	} else if (fargs_node_is(node, "duration")) {
		if (ev->has_duration) {
			take_number(s->found, ev->duration_ns, 64, false);
		} else if (ev->trace && ev->trace->has_bounds) {
			take_number(s->found, ev->trace->least_ns, 64, false);
			s->found->has_most = true;
			s->found->most = ev->trace->most_ns;
		}
		s->found->is_duration = s->found->kind == FARGS_FOUND_NUMBER;
	} else if (fargs_node_is(node, "ret")) {
		if (ev->ret)
			take_arg(s->found, ev->ret);
	}
}

static const char *const contexts[] = {
	"$comm", "$pid", "$tid", "$cpu", "$time", "$func", "$module", "$caller", "$duration",
	"$ret",
	/* The following context variables are available only if the recording fetched them. */
	"$uid", "$cgroup", "$task",
};

#define NR_CONTEXTS	(sizeof(contexts) / sizeof(contexts[0]))

bool fargs_lookup_may_be_syscall(const struct fargs_node *node)
{
	return node->kind == FARGS_NODE_MEMBER ? fargs_node_is(node, "orig_ax") :
	       node->kind == FARGS_NODE_NAME && (fargs_node_is(node, "id") ||
						 fargs_node_is(node, "__syscall_nr"));
}

bool fargs_lookup_has_context(const struct fargs_node *node, const char **names)
{
	size_t i;

	*names = "$comm $pid $tid $cpu $time $func $module $caller $duration $ret";
	for (i = 0; i < NR_CONTEXTS; i++)
		if (fargs_node_is(node, contexts[i] + 1))
			return true;
	return false;
}

void fargs_lookup_offer_context(struct fargs_near *near)
{
	size_t i;

	for (i = 0; i < NR_CONTEXTS; i++)
		if (!strcmp(contexts[i] + 1, near->wanted))
			fargs_near_offer(near, contexts[i]);
}

static int search(const struct search *s, const struct fargs_node *node);

/* Reads @width bits from bit @bit of the data of @whole. */
static unsigned __int128 take_bits(const struct fargs_found *whole, uint64_t bit,
				   unsigned int width)
{
	unsigned __int128 v = 0;
	unsigned int i;

	for (i = 0; i < width; i++)
		v |= (__uint128_t)(whole->data[(bit + i) / 8] >> (bit + i) % 8 & 1) << i;
	return v;
}

/* Replaces @found, a struct, union or array, by its member or element at bit offset @bit. */
static void take_part(struct fargs_found *found, uint64_t bit, uint32_t type_id,
		      unsigned int bitfield)
{
	const struct fargs_found whole = *found;
	struct fargs_scalar scalar;
	__uint128_t v;
	int64_t bytes;

	*found = (struct fargs_found){
		.btf = whole.btf,
		.type_id = type_id,
		.base_id = fargs_types_base(whole.btf, type_id),
		.data = whole.data,
		.bytes = whole.bytes,
		.bit = bit,
	};
	bytes = fargs_types_size(whole.btf, type_id);
	if (!found->base_id || bytes < 0 || bit > 8 * (uint64_t)whole.bytes)
		return;
	if (fargs_types_shape(whole.btf, found->base_id) == FARGS_SHAPE_AGGREGATE) {
		if (!(bit % 8) && 8 * (uint64_t)bytes <= 8 * (uint64_t)whole.bytes - bit)
			found->kind = FARGS_FOUND_WHOLE;
		return;
	}
	if (!fargs_scalar_init(&scalar, whole.btf, found->base_id, bitfield) ||
	    scalar.bits > 8 * (uint64_t)whole.bytes - bit)
		return;
	v = take_bits(&whole, bit, scalar.bits);
	if (scalar.is_signed && scalar.bits < 128 && v >> (scalar.bits - 1))
		v |= ~(__uint128_t)0 << scalar.bits;
	take_number(found, scalar.is_signed ? (__int128)v : take_u128(v), scalar.bits,
		    scalar.is_signed);
	found->is_pointer = scalar.is_pointer;
	found->enum_id = scalar.enum_id;
	found->width = bytes;
}

/* Replaces @found, a struct or union, by its member @member, which @node names. */
static void take_member(struct fargs_found *found, const struct fargs_member *member,
			const struct fargs_node *node)
{
	uint32_t of = found->base_id;

	take_part(found, found->bit + member->bit_offset, member->type_id, member->bitfield_bits);
	found->of = of;
	found->member = node;
}

static int search_member(const struct search *s, const struct fargs_node *node)
{
	const struct fargs_arg *arg = NULL;
	struct fargs_lookup_text *text;
	struct fargs_member member;
	int ret;

	if (node->is_arrow) {
		text = text_of(s->lookup, node->a);
		if (!text)
			return -ENOMEM;
		arg = find_arg(s->ev, text->deref);
		if (arg)
			take_arg(s->found, arg);
	} else {
		ret = search(s, node->a);
		if (ret)
			return ret;
	}
	if (s->found->kind == FARGS_FOUND_WHOLE && s->found->btf && s->found->base_id &&
	    fargs_member_find(&member, s->found->btf, s->found->base_id, node->text, node->len))
		take_member(s->found, &member, node);
	else
		*s->found = (struct fargs_found){ };
	return 0;
}

static int search_element(const struct search *s, const struct fargs_node *node)
{
	const struct btf_type *t;
	uint64_t bit;
	int64_t bytes;
	int ret = search(s, node->a);

	if (ret)
		return ret;
	bit = s->found->bit;
	t = s->found->btf && s->found->base_id ? btf__type_by_id(s->found->btf, s->found->base_id) :
						 NULL;
	if (s->found->kind != FARGS_FOUND_WHOLE || !t || btf_kind(t) != BTF_KIND_ARRAY ||
	    node->b->kind != FARGS_NODE_NUMBER || node->b->number >= btf_array(t)->nelems) {
		*s->found = (struct fargs_found){ };
		return 0;
	}
	bytes = fargs_types_size(s->found->btf, btf_array(t)->type);
	take_part(s->found, bit + 8 * (uint64_t)(bytes > 0 ? bytes : 0) * node->b->number,
		  btf_array(t)->type, 0);
	return 0;
}

/* If the value that was found is the number of a system call, allows its comparison with names. */
static void mark_syscall(const struct search *s, struct fargs_lookup_text *text)
{
	const struct fargs_node *node = text->node;
	const char *name;

	if (s->found->kind != FARGS_FOUND_NUMBER || !fargs_lookup_may_be_syscall(node))
		return;
	name = name_event(s, text);
	if (name && (fargs_syscalls_has_number(name) || fargs_node_is(node, "__syscall_nr")))
		s->found->enum_id = FARGS_SCALAR_SYSCALL;
}

static int search(const struct search *s, const struct fargs_node *node)
{
	struct fargs_lookup_text *text = text_of(s->lookup, node);
	struct field_search field = { .found = s->found };
	const struct fargs_arg *arg;
	const char *kind;

	*s->found = (struct fargs_found){ };
	if (!text)
		return -ENOMEM;
	arg = find_arg(s->ev, text->plain);
	if (arg) {
		take_arg(s->found, arg);
		mark_syscall(s, text);
		return 0;
	}
	switch (node->kind) {
	case FARGS_NODE_NAME:
		if (s->ev->kind == FARGS_KIND_EVENT) {
			field.name = text->plain;
			fargs_formats_fields(fargs_decoder_formats(s->d), &s->ev->formatted,
					     take_field, &field);
			mark_syscall(s, text);
		} else if (fargs_node_is(node, "ret") && s->ev->ret) {
			take_arg(s->found, s->ev->ret);
		} else if (fargs_node_is(node, "kind") && (s->ev->sample || s->ev->error)) {
			kind = fargs_event_kind_name(s->ev->kind);
			take_text(s->found, kind, strlen(kind));
		}
		return 0;
	case FARGS_NODE_CONTEXT:
		take_context(s, text);
		return 0;
	case FARGS_NODE_MEMBER:
		return search_member(s, node);
	case FARGS_NODE_INDEX:
		return search_element(s, node);
	case FARGS_NODE_FORMAT:
		return search(s, node->a);
	default:
		return 0;
	}
}

int fargs_lookup(struct fargs_lookup *lookup, struct fargs_decoder *d, const struct fargs_event *ev,
		 const struct fargs_node *node, struct fargs_found *found)
{
	const struct search s = { lookup, d, ev, found };

	return search(&s, node);
}

/*
 * Converts an array of char to a string, up to its NUL. Returns false if @found is not such an
 * array.
 */
static bool take_chars(struct fargs_found *found)
{
	const struct btf_type *t;
	const char *text;

	if (found->kind != FARGS_FOUND_WHOLE || !found->btf || !found->base_id)
		return false;
	t = btf__type_by_id(found->btf, found->base_id);
	if (!t || btf_kind(t) != BTF_KIND_ARRAY ||
	    !fargs_types_is_char(found->btf, fargs_types_base(found->btf, btf_array(t)->type)) ||
	    found->bit / 8 + btf_array(t)->nelems > found->bytes)
		return false;
	text = (const char *)found->data + found->bit / 8;
	take_text(found, text, strnlen(text, btf_array(t)->nelems));
	return true;
}

int fargs_lookup_string(struct fargs_lookup *lookup, struct fargs_decoder *d,
			const struct fargs_event *ev, const struct fargs_node *node,
			struct fargs_found *found)
{
	const struct fargs_node *value = node->kind == FARGS_NODE_FORMAT ? node->a : node;
	struct fargs_lookup_text *text;
	const struct fargs_arg *arg;
	const struct fargs_ksym *sym;
	int ret = fargs_lookup(lookup, d, ev, node, found);

	if (ret || found->kind == FARGS_FOUND_STRING || take_chars(found))
		return ret;
	if (node->kind == FARGS_NODE_CONTEXT && fargs_node_is(node, "caller") &&
	    found->kind == FARGS_FOUND_NUMBER) {
		sym = fargs_decoder_symbol(d, found->number);
		*found = (struct fargs_found){ };
		if (sym)
			take_text(found, sym->name, strlen(sym->name));
		return 0;
	}
	*found = (struct fargs_found){ };
	text = text_of(lookup, value);
	if (!text)
		return -ENOMEM;
	arg = find_arg(ev, text->str);
	if (!arg)
		arg = find_arg(ev, text->ustr);
	if (arg)
		take_arg(found, arg);
	if (found->kind != FARGS_FOUND_STRING)
		*found = (struct fargs_found){ };
	return 0;
}
