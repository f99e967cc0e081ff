// SPDX-License-Identifier: GPL-2.0-only
#include "sink/text/value.h"

#include <string.h>

#include "abi/machine.h"
#include "base/errname.h"
#include "base/escape.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "kernel/value/flags.h"
#include "model/types.h"
#include "select/syntax/node.h"
#include "sink/text/aggregate.h"

/* Number of bytes reserved for a name; nearly all names are shorter. */
#define NAME_BYTES	64

/* Writes @name with special characters escaped, because names also come from files. */
void fargs_value_put_name(struct fargs_buf *out, const char *name)
{
	size_t n = 0;

	/* Fast path: nearly all names are short and need no escaping. */
	if (fargs_buf_reserve(out, NAME_BYTES)) {
		for (; n < NAME_BYTES && name[n] > ' ' && name[n] <= '~' && name[n] != '\\'; n++)
			out->text[out->n + n] = name[n];
		out->n += n;
	}
	if (name[n])
		fargs_put_escaped(out, name + n, strlen(name + n), NULL);
}

void fargs_value_put_module(struct fargs_buf *out, const char *module)
{
	if (!module)
		return;
	fargs_put(out, " [");
	fargs_value_put_name(out, module);
	fargs_put_char(out, ']');
}

static void put_bytes(struct fargs_buf *out, const struct fargs_value *val)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *p = val->data;
	uint32_t i;

	fargs_put_char(out, '{');
	for (i = 0; i < val->bytes; i++) {
		if (i)
			fargs_put_char(out, ' ');
		fargs_put_char(out, digits[p[i] >> 4]);
		fargs_put_char(out, digits[p[i] & 15]);
	}
	fargs_put_char(out, '}');
}

/* Writes a string in quotes, with a mark where it was cut: paths are cut at their beginning. */
static void put_string(struct fargs_buf *out, const struct fargs_value *val, bool is_path)
{
	fargs_put(out, val->is_cut && is_path ? "…\"" : "\"");
	fargs_put_escaped(out, val->data, val->bytes, "\"");
	fargs_put(out, val->is_cut && !is_path ? "\"…" : "\"");
}

static void put_plain(struct fargs_buf *out, const struct fargs_value *val)
{
	unsigned __int128 wide;
	int64_t v;

	switch (val->type) {
	case FARGS_TYPE_BOOL:
		fargs_put(out, fargs_value_u64(val) ? "true" : "false");
		break;
	case FARGS_TYPE_CHAR:
		v = fargs_value_s64(val);
		if (v < ' ' || v > '~') {
			fargs_put_s64(out, v);
			break;
		}
		fargs_put(out, v == '\'' || v == '\\' ? "'\\" : "'");
		fargs_put_char(out, (char)v);
		fargs_put_char(out, '\'');
		break;
	case FARGS_TYPE_PTR:
		fargs_put_hex(out, fargs_value_u64(val));
		break;
	case FARGS_TYPE_U128:
		fargs_put_u128(out, fargs_value_u128(val));
		break;
	case FARGS_TYPE_S128:
		wide = fargs_value_u128(val);
		if ((__int128)wide < 0) {
			fargs_put_char(out, '-');
			wide = -wide;
		}
		fargs_put_u128(out, wide);
		break;
	case FARGS_TYPE_STR:
		put_string(out, val, false);
		break;
	case FARGS_TYPE_BYTES:
		put_bytes(out, val);
		break;
	default:
		if (fargs_type_is_signed(val->type))
			fargs_put_s64(out, fargs_value_s64(val));
		else
			fargs_put_u64(out, fargs_value_u64(val), 0, 0);
	}
}

static void put_ksym(struct fargs_buf *out, const struct fargs_ksym *sym, uint64_t addr,
		     bool with_offset)
{
	fargs_value_put_name(out, sym->name);
	if (with_offset && addr != sym->addr) {
		fargs_put_char(out, '+');
		fargs_put_hex(out, addr - sym->addr);
	}
	fargs_value_put_module(out, sym->module);
}

void fargs_value_put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr,
			    bool with_offset)
{
	const struct fargs_ksym *sym = d ? fargs_decoder_symbol(d, addr) : NULL;

	if (sym)
		put_ksym(out, sym, addr, with_offset);
	else
		fargs_put_hex(out, addr);
}

bool fargs_value_put_target(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr)
{
	const struct fargs_ksym *sym = fargs_decoder_target(d, addr);

	if (sym)
		put_ksym(out, sym, addr, true);
	return sym;
}

/* Writes the name of an enum value. Returns false if the value has no name. */
static bool put_enum(struct fargs_buf *out, const struct fargs_arg *arg)
{
	uint64_t v = fargs_value_u64(&arg->val), rest;
	const char *name = fargs_types_enumerator(arg->btf, arg->base_id, v);
	const char *names[FARGS_TYPES_FLAGS];
	int i, n;

	if (name && *name) {
		fargs_value_put_name(out, name);
		return true;
	}
	n = v ? fargs_types_flags(arg->btf, arg->base_id, v, names, &rest) : -1;
	if (n < 0)
		return false;
	for (i = 0; i < n; i++) {
		if (i)
			fargs_put_char(out, '|');
		fargs_value_put_name(out, names[i]);
	}
	if (n && rest)
		fargs_put_char(out, '|');
	if (rest)
		fargs_put_hex(out, rest);
	return true;
}

/* Writes an errno value: its number, and its name if it has one. */
static void put_errno(struct fargs_buf *out, int64_t v)
{
	const char *name = fargs_errname(-v);

	fargs_put_s64(out, v);
	if (!name)
		return;
	fargs_put(out, " (");
	fargs_put(out, name);
	fargs_put_char(out, ')');
}

/*
 * Writes a number in the requested format, limited to the width of its type. Returns false if the
 * value is not a number, or has no format.
 */
static bool put_in_format(struct fargs_buf *out, const struct fargs_arg *arg)
{
	unsigned int unused, width = fargs_type_width(arg->val.type);
	uint64_t v = fargs_value_u64(&arg->val);

	if (!width || width > 8)
		return false;
	unused = 64 - 8 * width;
	switch (arg->format) {
	case FARGS_FORMAT_HEX:
		fargs_put_hex(out, v << unused >> unused);
		return true;
	case FARGS_FORMAT_DECIMAL:
		if (fargs_type_is_signed(arg->val.type))
			fargs_put_s64(out, fargs_value_s64(&arg->val));
		else
			fargs_put_u64(out, v << unused >> unused, 0, 0);
		return true;
	case FARGS_FORMAT_UNSIGNED:
		fargs_put_u64(out, v << unused >> unused, 0, 0);
		return true;
	case FARGS_FORMAT_OCTAL:
		fargs_put_octal(out, v << unused >> unused);
		return true;
	default:
		return false;
	}
}

bool fargs_value_put_named(struct fargs_buf *out, struct fargs_decoder *d,
			   const struct fargs_naming *naming, uint64_t v, unsigned int bytes)
{
	char text[FARGS_NAMING_TEXT];
	size_t n;

	if (naming->kind == FARGS_NAMING_SYMBOL) {
		fargs_value_put_symbol(out, d, v, true);
		return true;
	}
	n = fargs_naming_text(naming, v, bytes, text);
	fargs_buf_add(out, text, n);
	return n;
}

bool fargs_value_is_high_char(const struct fargs_arg *arg)
{
	return arg->val.type == FARGS_TYPE_CHAR && fargs_value_s64(&arg->val) < 0 && arg->btf &&
	       !fargs_types_is_signed(arg->btf, arg->base_id);
}

static void put_pointer(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr)
{
	/* Nearly all pointers are to other memory. */
	if (!fargs_machine_is_image(addr) || !fargs_value_put_target(out, d, addr))
		fargs_put_hex(out, addr);
}

static bool put_named(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg)
{
	unsigned int bytes = fargs_type_width(arg->val.type);

	return bytes && bytes <= 8 &&
	       fargs_value_put_named(out, d, arg->naming, fargs_value_u64(&arg->val), bytes);
}

void fargs_value_put(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;
	struct fargs_span text;

	if (val->is_fault) {
		fargs_put(out, "(fault ");
		fargs_put_hex(out, fargs_value_u64(val));
		fargs_put_char(out, ')');
		return;
	}
	if (val->type == FARGS_TYPE_STR) {
		put_string(out, val, arg->format == FARGS_FORMAT_PATH ||
				     arg->format == FARGS_FORMAT_CGROUP);
		return;
	}
	if (d && arg->format && put_in_format(out, arg))
		return;
	if (d && arg->naming && put_named(out, d, arg))
		return;
	if (d && arg->shape == FARGS_SHAPE_ENUM && fargs_type_width(val->type)) {
		if (put_enum(out, arg))
			return;
	} else if (d && arg->shape == FARGS_SHAPE_FUNC && val->type == FARGS_TYPE_PTR) {
		fargs_value_put_symbol(out, d, fargs_value_u64(val), true);
		return;
	} else if (d && val->type == FARGS_TYPE_PTR) {
		put_pointer(out, d, fargs_value_u64(val));
		return;
	} else if (d && val->type == FARGS_TYPE_BYTES) {
		fargs_aggregate_text(&text, d, arg);
		fargs_buf_add(out, text.text, text.n);
		return;
	}
	if (d && fargs_value_is_high_char(arg))
		fargs_put_u64(out, (uint8_t)fargs_value_u64(val), 0, 0);
	else
		put_plain(out, val);
}

int fargs_value_error(const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;
	int64_t v = fargs_value_s64(val);

	if (val->is_fault || v >= 0 || v < -FARGS_ERRNO_MAX)
		return 0;
	if (val->type == FARGS_TYPE_PTR)
		return v;
	return fargs_type_is_signed(val->type) && val->type != FARGS_TYPE_CHAR &&
	       val->type != FARGS_TYPE_S128 && arg->shape == FARGS_SHAPE_PLAIN ? v : 0;
}

void fargs_value_put_return(struct fargs_buf *out, struct fargs_decoder *d,
			    const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;

	if (!d || val->is_fault) {
		fargs_value_put(out, d, arg);
	} else if (val->type == FARGS_TYPE_PTR && !fargs_value_u64(val)) {
		fargs_put(out, "NULL");
	} else if (fargs_value_error(arg)) {
		if (val->type == FARGS_TYPE_PTR)
			fargs_put(out, "ERR_PTR ");
		put_errno(out, fargs_value_error(arg));
	} else {
		fargs_value_put(out, d, arg);
	}
}

static bool put_named_aggregate(struct fargs_buf *out, struct fargs_decoder *d,
				const struct fargs_arg *arg)
{
	struct fargs_span text;

	if (!fargs_aggregate_text(&text, d, arg))
		return false;
	fargs_buf_add(out, text.text, text.n);
	return true;
}

bool fargs_value_put_symbolic(struct fargs_buf *out, struct fargs_decoder *d,
			      const struct fargs_arg *arg, bool is_result)
{
	const struct fargs_value *val = &arg->val;

	if (val->is_fault || arg->format)
		return false;
	if (is_result && fargs_value_error(arg)) {
		fargs_value_put_return(out, d, arg);
		return true;
	}
	if (val->type == FARGS_TYPE_BYTES)
		return put_named_aggregate(out, d, arg);
	if (val->type == FARGS_TYPE_PTR && arg->shape != FARGS_SHAPE_FUNC &&
	    fargs_machine_is_image(fargs_value_u64(val)))
		return fargs_value_put_target(out, d, fargs_value_u64(val));
	return arg->naming && put_named(out, d, arg);
}
