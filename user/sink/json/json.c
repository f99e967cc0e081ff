// SPDX-License-Identifier: GPL-2.0-only
#include "sink/json/json.h"

#include <string.h>

#include "base/escape.h"
#include "base/put.h"
#include "kernel/sym/ksyms.h"
#include "model/types.h"
#include "model/visit.h"
#include "sink/text/value.h"

static const char digits[] = "0123456789abcdef";

void fargs_json_put_u64(struct fargs_buf *out, uint64_t v)
{
	fargs_json_put_u128(out, v);
}

void fargs_json_put_s64(struct fargs_buf *out, int64_t v)
{
	fargs_json_put_s128(out, v);
}

void fargs_json_put_u128(struct fargs_buf *out, unsigned __int128 v)
{
	bool is_exact = v <= FARGS_JSON_EXACT;

	if (is_exact) {
		fargs_put_u64(out, v, 0, 0);
		return;
	}
	fargs_put_char(out, '"');
	fargs_put_u128(out, v);
	fargs_put_char(out, '"');
}

void fargs_json_put_s128(struct fargs_buf *out, __int128 v)
{
	if (v >= 0) {
		fargs_json_put_u128(out, v);
	} else if (v >= -(__int128)FARGS_JSON_EXACT) {
		fargs_put_s64(out, v);
	} else {
		fargs_put(out, "\"-");
		fargs_put_u128(out, -(__uint128_t)v);
		fargs_put_char(out, '"');
	}
}

void fargs_json_put_hex(struct fargs_buf *out, uint64_t v)
{
	fargs_put_char(out, '"');
	fargs_put_hex(out, v);
	fargs_put_char(out, '"');
}

void fargs_json_put_bytes(struct fargs_buf *out, const void *data, size_t bytes)
{
	const uint8_t *p = data;
	size_t i;
	char *at;

	if (!fargs_buf_reserve(out, 2 * bytes + 2))
		return;
	at = out->text + out->n;
	*at++ = '"';
	for (i = 0; i < bytes; i++) {
		*at++ = digits[p[i] >> 4];
		*at++ = digits[p[i] & 15];
	}
	*at++ = '"';
	out->n = at - out->text;
}

/*
 * Returns the length in bytes of the UTF-8 character at @p (Unicode, table 3-7), and sets *@c to
 * its code point. Returns 0 if it is invalid.
 */
static size_t take_character(const uint8_t *p, size_t left, uint32_t *c)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n = *p < 0x80 ? 1 : *p < 0xc2 ? 0 : *p < 0xe0 ? 2 : *p < 0xf0 ? 3 :
		   *p < 0xf5 ? 4 : 0;
	size_t i;

	if (!n || n > left)
		return 0;
	*c = n == 1 ? *p : *p & (0x7f >> n);
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0;
		*c = *c << 6 | (p[i] & 0x3f);
	}
	return *c < least[n] || *c > 0x10ffff || (*c >= 0xd800 && *c < 0xe000) ? 0 : n;
}

bool fargs_json_is_utf8(const void *text, size_t bytes)
{
	const uint8_t *p = text, *end = p + bytes;
	uint32_t c;
	size_t n;

	for (; p < end; p += n) {
		n = take_character(p, end - p, &c);
		if (!n)
			return false;
	}
	return true;
}

void fargs_json_put_utf8(struct fargs_buf *out, const void *text, size_t bytes)
{
	const uint8_t *p = text, *end = p + bytes;
	uint32_t c;
	size_t n;

	for (; p < end; p += n ? n : 1) {
		n = take_character(p, end - p, &c);
		if (n)
			fargs_buf_add(out, p, n);
		else
			fargs_put(out, "\xef\xbf\xbd");
	}
}

static bool is_plain(uint8_t c)
{
	return c >= ' ' && c <= '~' && c != '"' && c != '\\';
}

/*
 * Must the character @c be escaped? True for control characters, JavaScript's line separators, and
 * characters that change the direction of text.
 */
static bool is_control(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
	       fargs_escape_is_bidi(c);
}

static void put_escape(struct fargs_buf *out, uint32_t c)
{
	const char escape[] = {
		'\\', 'u', digits[c >> 12 & 15], digits[c >> 8 & 15], digits[c >> 4 & 15],
		digits[c & 15],
	};

	if (c == '"' || c == '\\') {
		fargs_put_char(out, '\\');
		fargs_put_char(out, c);
	} else if (c == '\n' || c == '\t') {
		fargs_put(out, c == '\n' ? "\\n" : "\\t");
	} else {
		fargs_buf_add(out, escape, sizeof(escape));
	}
}

void fargs_json_put_inside(struct fargs_buf *out, const void *text, size_t bytes)
{
	const uint8_t *p = text, *end = p + bytes;
	uint32_t c = 0;
	size_t n;

	for (; p < end; p += n) {
		for (n = 0; p + n < end && is_plain(p[n]); n++)
			;
		if (n) {
			fargs_buf_add(out, p, n);
			continue;
		}
		n = take_character(p, end - p, &c);
		if (!n) {
			fargs_put(out, "\\ufffd");
			n = 1;
		} else if (is_control(c) || c == '"' || c == '\\') {
			put_escape(out, c);
		} else {
			fargs_buf_add(out, p, n);
		}
	}
}

void fargs_json_put_string(struct fargs_buf *out, const void *text, size_t bytes)
{
	fargs_put_char(out, '"');
	fargs_json_put_inside(out, text, bytes);
	fargs_put_char(out, '"');
}

void fargs_json_put_key(struct fargs_buf *out, const char *key)
{
	fargs_put_char(out, '"');
	fargs_put(out, key);
	fargs_put(out, "\":");
}

void fargs_json_put_text(struct fargs_buf *out, const void *text, size_t bytes)
{
	if (fargs_json_is_utf8(text, bytes)) {
		fargs_json_put_string(out, text, bytes);
		return;
	}
	fargs_put(out, "{\"string\":");
	fargs_json_put_string(out, text, bytes);
	fargs_put(out, ",\"bytes\":");
	fargs_json_put_bytes(out, text, bytes);
	fargs_put_char(out, '}');
}

void fargs_json_put_symbol(struct fargs_buf *out, struct fargs_decoder *d, uint64_t addr)
{
	const struct fargs_ksym *sym = d ? fargs_decoder_symbol(d, addr) : NULL;

	fargs_put(out, "{\"address\":");
	fargs_json_put_hex(out, addr);
	if (sym) {
		fargs_put(out, ",\"symbol\":");
		fargs_json_put_string(out, sym->name, strlen(sym->name));
		fargs_put(out, ",\"offset\":");
		fargs_json_put_u64(out, addr - sym->addr);
		if (sym->module) {
			fargs_put(out, ",\"module\":");
			fargs_json_put_string(out, sym->module, strlen(sym->module));
		}
	}
	fargs_put_char(out, '}');
}

/*
 * Writes the name of the enumerator as fargs report shows it, or null, and the number. @v is
 * sign-extended.
 */
static void put_enum(struct fargs_buf *out, const struct btf *btf, uint32_t base_id, __int128 v)
{
	const char *name = fargs_types_enumerator(btf, base_id, (uint64_t)v);
	const char *names[FARGS_TYPES_FLAGS];
	uint64_t rest = 0;
	int i, n = 1;

	if (name && *name)
		names[0] = name;
	else
		n = v ? fargs_types_flags(btf, base_id, (uint64_t)v, names, &rest) : -1;
	fargs_put(out, "{\"enum\":");
	fargs_put(out, n < 0 ? "null" : "\"");
	for (i = 0; i < n; i++) {
		if (i)
			fargs_put_char(out, '|');
		fargs_json_put_inside(out, names[i], strlen(names[i]));
	}
	if (n > 0 && rest)
		fargs_put_char(out, '|');
	if (n >= 0 && rest)
		fargs_put_hex(out, rest);
	fargs_put(out, n < 0 ? ",\"number\":" : "\",\"number\":");
	fargs_json_put_s128(out, v);
	fargs_put_char(out, '}');
}

/*
 * Maximum size of a value's JSON. All values of a record together, with their names, are smaller,
 * unless crafted BTF has very long names.
 */
#define WHOLE_MAX	(1u << 20)

/* State while an aggregate value is written. */
struct whole {
	size_t from;		/* offset of the value in @out */
	struct fargs_buf *out;
	struct fargs_decoder *d;
	bool is_first;		/* nothing was written since the last opening bracket */
};

static void open_whole(void *arg, bool is_array)
{
	struct whole *w = arg;

	fargs_put(w->out, is_array ? "[" : "{\"struct\":{");
	w->is_first = true;
}

static void close_whole(void *arg, bool is_array)
{
	struct whole *w = arg;

	fargs_put(w->out, is_array ? "]" : "}}");
	w->is_first = false;
}

static void put_element(void *arg)
{
	struct whole *w = arg;

	if (!w->is_first)
		fargs_put_char(w->out, ',');
}

static void put_member(void *arg, const char *name)
{
	struct whole *w = arg;

	put_element(w);
	fargs_json_put_string(w->out, name, strlen(name));
	fargs_put_char(w->out, ':');
}

static void end_value(void *arg)
{
	struct whole *w = arg;

	w->is_first = false;
}

static void put_pointer(struct fargs_buf *out, struct fargs_decoder *d, bool is_func, uint64_t addr)
{
	if (is_func && fargs_decoder_symbol(d, addr))
		fargs_json_put_symbol(out, d, addr);
	else
		fargs_json_put_hex(out, addr);
}

static void put_leaf(void *arg, const struct fargs_leaf *leaf)
{
	struct whole *w = arg;

	switch (leaf->kind) {
	case FARGS_LEAF_PTR:
		put_pointer(w->out, w->d,
			    fargs_types_shape(leaf->btf, leaf->base_id) == FARGS_SHAPE_FUNC,
			    (uint64_t)leaf->v);
		break;
	case FARGS_LEAF_ENUM:
		put_enum(w->out, leaf->btf, leaf->base_id, leaf->v);
		break;
	case FARGS_LEAF_BOOL:
		fargs_put(w->out, leaf->v ? "true" : "false");
		break;
	case FARGS_LEAF_UNSIGNED:
		fargs_json_put_u128(w->out, leaf->v);
		break;
	default:
		fargs_json_put_s128(w->out, leaf->v);
	}
}

/*
 * Writes a string up to its NUL. Returns false if the string is not UTF-8; the caller then writes
 * an array of numbers.
 */
static bool put_chars(void *arg, const uint8_t *p, size_t bytes)
{
	struct whole *w = arg;
	size_t len = strnlen((const char *)p, bytes);

	if (!fargs_json_is_utf8(p, len))
		return false;
	fargs_json_put_string(w->out, p, len);
	return true;
}

static void put_float(void *arg, const uint8_t *p, size_t bytes)
{
	struct whole *w = arg;

	fargs_put(w->out, "{\"bytes\":");
	fargs_json_put_bytes(w->out, p, bytes);
	fargs_put_char(w->out, '}');
}

/* Writes nothing: the member "cut" next to the value indicates truncation. */
static void put_cut(void *arg)
{
}

static bool is_too_long(const void *arg)
{
	const struct whole *w = arg;

	return w->out->n - w->from > WHOLE_MAX;
}

static void put_whole(struct fargs_buf *out, struct fargs_decoder *d, const struct fargs_arg *arg)
{
	static const struct fargs_visitor visitor = {
		.open = open_whole,
		.close = close_whole,
		.member = put_member,
		.element = put_element,
		.done = end_value,
		.leaf = put_leaf,
		.chars = put_chars,
		.bytes = put_float,
		.cut = put_cut,
		.is_full = is_too_long,
	};
	struct whole w = { .out = out, .from = out->n, .d = d };

	if (d && !fargs_visit(&visitor, &w, arg, arg->is_fetched && !fargs_decoder_has_zeros(d)) &&
	    !is_too_long(&w))
		return;
	out->n = w.from;
	put_float(&w, arg->val.data, arg->val.bytes);
}

void fargs_json_put_value(struct fargs_buf *out, struct fargs_decoder *d,
			  const struct fargs_arg *arg)
{
	const struct fargs_value *val = &arg->val;
	bool is_signed;

	if (val->is_fault) {
		fargs_put(out, "{\"fault\":");
		fargs_json_put_hex(out, fargs_value_u64(val));
		fargs_put_char(out, '}');
		return;
	}
	is_signed = fargs_type_is_signed(val->type);
	if (d && arg->shape == FARGS_SHAPE_ENUM && fargs_type_width(val->type)) {
		put_enum(out, arg->btf, arg->base_id, is_signed ? (__int128)fargs_value_s64(val) :
			 (__int128)fargs_value_u64(val));
		return;
	}
	switch (val->type) {
	case FARGS_TYPE_BOOL:
		fargs_put(out, fargs_value_u64(val) ? "true" : "false");
		break;
	case FARGS_TYPE_PTR:
		put_pointer(out, d, d && arg->shape == FARGS_SHAPE_FUNC, fargs_value_u64(val));
		break;
	case FARGS_TYPE_U128:
		fargs_json_put_u128(out, fargs_value_u128(val));
		break;
	case FARGS_TYPE_S128:
		fargs_json_put_s128(out, (__int128)fargs_value_u128(val));
		break;
	case FARGS_TYPE_STR:
		fargs_json_put_text(out, val->data, val->bytes);
		break;
	case FARGS_TYPE_BYTES:
		put_whole(out, d, arg);
		break;
	default:
		if (d && fargs_value_is_high_char(arg))
			fargs_json_put_u64(out, (uint8_t)fargs_value_u64(val));
		else if (is_signed)
			fargs_json_put_s64(out, fargs_value_s64(val));
		else
			fargs_json_put_u64(out, fargs_value_u64(val));
	}
}
