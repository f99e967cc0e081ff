// SPDX-License-Identifier: GPL-2.0-only
#include "model/format_check.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

/* Limits that the formats of real kernels do not exceed. */
#define ARGS_MAX	256
#define DEPTH_MAX	64
#define DIGITS_MAX	3
#define WIDTH_MAX	999
#define BYTES_MAX	65535
/*
 * Limits for an element of an array of variable length: its size in bytes, and its index. Even if
 * the array is empty, such an element lies within the zeroes that follow the data.
 */
#define ELEMENT_MAX	8
#define INDEX_MAX	6

static bool is_safe(struct tep_event *event, struct tep_print_arg *arg, int depth);

static const struct tep_print_arg *uncast(const struct tep_print_arg *arg)
{
	while (arg && arg->type == TEP_PRINT_TYPE)
		arg = arg->typecast.item;
	return arg;
}

/* Removes casts, but only those to int, which do not change small numbers. */
static const struct tep_print_arg *unint(const struct tep_print_arg *arg)
{
	while (arg && arg->type == TEP_PRINT_TYPE && !strcmp(arg->typecast.type, "int"))
		arg = arg->typecast.item;
	return arg;
}

/*
 * Parses @arg as a number, in the same way as libtraceevent. Returns -1 if @arg is not a number, or
 * if the number is too large.
 */
static long constant(const struct tep_print_arg *arg)
{
	unsigned long long value;

	if (!arg || arg->type != TEP_PRINT_ATOM || !isdigit((unsigned char)*arg->atom.atom))
		return -1;
	value = strtoull(arg->atom.atom, NULL, 0);
	return value <= BYTES_MAX ? (long)value : -1;
}

/*
 * Is @field an array of variable length? A format can use a field of another type as such an array;
 * libtraceevent does not check this.
 */
static bool is_dynamic(const struct tep_format_field *field)
{
	return field && field->flags & TEP_FIELD_IS_DYNAMIC;
}

static struct tep_format_field *field_of(struct tep_event *event, const struct tep_print_arg *arg)
{
	return arg->field.field ? arg->field.field : tep_find_any_field(event, arg->field.name);
}

/*
 * Is @count the length of @field in bytes, divided by a constant (1 if there is no division) of at
 * least @size? Then @count elements of @size bytes fit into @field.
 */
static bool is_len(const struct tep_format_field *field, const struct tep_print_arg *count,
		   long size)
{
	long part = 1;

	count = unint(count);
	if (count && count->type == TEP_PRINT_OP && !strcmp(count->op.op, "/")) {
		part = constant(unint(count->op.right));
		count = unint(count->op.left);
	}
	return count && count->type == TEP_PRINT_DYNAMIC_ARRAY_LEN &&
	       count->dynarray.field == field && part >= size;
}

/*
 * Does an array of @count elements of @size bytes fit into @base? libtraceevent does not check
 * this.
 */
static bool is_safe_array(struct tep_event *event, const struct tep_print_arg *base,
			  const struct tep_print_arg *count, long size)
{
	const struct tep_format_field *field;
	long nr;

	if (!base || size < 1)
		return false;
	if (base->type == TEP_PRINT_DYNAMIC_ARRAY)
		return is_dynamic(base->dynarray.field) &&
		       is_len(base->dynarray.field, count, size);
	if (base->type != TEP_PRINT_FIELD)
		return false;
	field = field_of(event, base);
	nr = constant(unint(count));
	return field && nr >= 0 && nr * size <= field->size;
}

static bool is_safe_element(struct tep_event *event, const struct tep_print_arg *op)
{
	const struct tep_print_arg *base = uncast(op->op.left);
	long index = constant(unint(op->op.right));
	const struct tep_format_field *field;

	if (!base || index < 0)
		return false;
	if (base->type == TEP_PRINT_DYNAMIC_ARRAY) {
		field = base->dynarray.field;
		return is_dynamic(field) && field->elementsize <= ELEMENT_MAX && index <= INDEX_MAX;
	}
	if (base->type != TEP_PRINT_FIELD)
		return false;
	field = field_of(event, base);
	return field && field->elementsize && field->size >= 0 &&
	       (index + 1) * (unsigned long)field->elementsize <= (unsigned long)field->size;
}

static bool is_safe_op(struct tep_event *event, const struct tep_print_arg *arg, int depth)
{
	const char *op = arg->op.op;
	struct tep_print_arg *right = arg->op.right;

	if (!op || !right)
		return false;
	if (!strcmp(op, "["))
		return is_safe_element(event, arg);
	if (!is_safe(event, arg->op.left, depth))
		return false;
	if (*op == '?')
		return right->type == TEP_PRINT_OP && !strcmp(right->op.op, ":") &&
		       is_safe(event, right->op.left, depth) &&
		       is_safe(event, right->op.right, depth);
	if (*op == '/' || *op == '%')
		return constant(right) > 0;
	return is_safe(event, right, depth);
}

/* Is it safe to evaluate @arg, and to print it as a string? */
static bool is_safe(struct tep_event *event, struct tep_print_arg *arg, int depth)
{
	if (!arg || !depth--)
		return false;
	switch (arg->type) {
	case TEP_PRINT_NULL:
	case TEP_PRINT_ATOM:
		return true;
	case TEP_PRINT_FIELD:
		return field_of(event, arg);
	case TEP_PRINT_FLAGS:
		return is_safe(event, arg->flags.field, depth);
	case TEP_PRINT_SYMBOL:
		return is_safe(event, arg->symbol.field, depth);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return is_safe_array(event, arg->hex.field, arg->hex.size, 1);
	case TEP_PRINT_INT_ARRAY:
		return is_safe_array(event, arg->int_array.field, arg->int_array.count,
				     constant(arg->int_array.el_size));
	case TEP_PRINT_TYPE:
		return is_safe(event, arg->typecast.item, depth);
	case TEP_PRINT_STRING:
		return is_dynamic(tep_find_any_field(event, arg->string.string));
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		return is_dynamic(tep_find_any_field(event, arg->bitmask.bitmask));
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return is_dynamic(arg->dynarray.field);
	case TEP_PRINT_OP:
		return is_safe_op(event, arg, depth);
	/*
	 * The argument is not safe: functions may follow pointers, and the value of a dynamic array
	 * is a pointer into the memory of this process.
	 */
	default:
		return false;
	}
}

/* Is @arg safe as a width or precision of conversion @c? */
static bool is_safe_width(struct tep_event *event, struct tep_print_arg *arg, char c)
{
	const struct tep_print_arg *plain = unint(arg);
	long width = constant(plain);

	if (!plain)
		return false;
	/* For %p, libtraceevent limits the width to the length of the data. */
	if (c == 'p')
		return is_safe(event, arg, DEPTH_MAX);
	return plain->type == TEP_PRINT_DYNAMIC_ARRAY_LEN ? is_dynamic(plain->dynarray.field) :
	       width >= 0 && width <= WIDTH_MAX;
}

/* Is it safe to print @arg with the conversion whose letter precedes @at? */
static bool is_safe_converted(struct tep_event *event, struct tep_print_arg *arg, const char *at)
{
	const struct tep_print_arg *plain = uncast(arg);

	if (plain && plain->type == TEP_PRINT_DYNAMIC_ARRAY && at[-1] == 'p' && *at &&
	    strchr("hiI", *at))
		return is_dynamic(plain->dynarray.field);
	return is_safe(event, arg, DEPTH_MAX);
}

/*
 * Skips a width such as "12" or "*". Returns the position after it; NULL if the width has too many
 * digits, is a second "*", or is a "*" without an argument.
 */
static const char *skip_width(const char *at, struct tep_print_arg **star,
			      struct tep_print_arg **arg)
{
	size_t digits = strspn(at, "0123456789");

	if (*at != '*')
		return digits > DIGITS_MAX ? NULL : at + digits;
	if (*star || !*arg)
		return NULL;
	*star = *arg;
	*arg = (*arg)->next;
	return at + 1;
}

/*
 * Checks the conversion that follows a '%'. Returns the position after it, or NULL if it is unsafe.
 */
static const char *check_conversion(struct tep_event *event, const char *at,
				    struct tep_print_arg **arg)
{
	struct tep_print_arg *star = NULL;
	size_t sizes;

	at = skip_width(at + strspn(at, "#-"), &star, arg);
	if (at && *at == '.')
		at = skip_width(at + 1, &star, arg);
	if (!at || !*arg)
		return NULL;
	sizes = strspn(at, "hlLzZ");
	at += sizes;
	/* A size modifier is not safe with %s, which would then read wide characters. */
	if (sizes > 2 || !*at || !strchr(sizes ? "diuxXo" : "diuxXosp", *at))
		return NULL;
	if ((star && !is_safe_width(event, star, *at)) ||
	    !is_safe_converted(event, *arg, at + 1))
		return NULL;
	*arg = (*arg)->next;
	return at + 1;
}

bool fargs_format_is_known(const struct tep_event *event)
{
	const char *at = event->print_fmt.format;

	while (at && (at = strchr(at, '%'))) {
		at++;
		at += strspn(at, "#-+ 0123456789.*");
		at += strspn(at, "hlLzZ");
		if (!*at || !strchr("%diuxXosp", *at))
			return false;
		at++;
	}
	return true;
}

bool fargs_format_is_safe(struct tep_event *event)
{
	struct tep_print_arg *arg = event->print_fmt.args;
	const char *at = event->print_fmt.format;
	int nr = 0;

	if (event->flags & (TEP_EVENT_FL_ISFTRACE | TEP_EVENT_FL_ISPRINT | TEP_EVENT_FL_ISBPRINT |
			    TEP_EVENT_FL_ISFUNCENT | TEP_EVENT_FL_ISFUNCRET))
		return false;
	while (at && *at) {
		if (*at == '\\' && at[1])
			at += 2;
		else if (*at != '%')
			at++;
		else if (at[1] == '%')
			at += 2;
		else
			at = nr++ < ARGS_MAX ? check_conversion(event, at + 1, &arg) : NULL;
	}
	return at;
}
