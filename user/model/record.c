// SPDX-License-Identifier: GPL-2.0-only
#include "model/record.h"

#include <errno.h>
#include <string.h>

#include "model/event_record.h"

static const struct {
	const char *name;
	uint8_t width;		/* size of the integer in bytes */
	bool is_signed;
} types[] = {
	[FARGS_TYPE_U8] = { "u8", 1, false },
	[FARGS_TYPE_S8] = { "s8", 1, true },
	[FARGS_TYPE_U16] = { "u16", 2, false },
	[FARGS_TYPE_S16] = { "s16", 2, true },
	[FARGS_TYPE_U32] = { "u32", 4, false },
	[FARGS_TYPE_S32] = { "s32", 4, true },
	[FARGS_TYPE_U64] = { "u64", 8, false },
	[FARGS_TYPE_S64] = { "s64", 8, true },
	[FARGS_TYPE_BOOL] = { "bool", 1, false },
	[FARGS_TYPE_CHAR] = { "char", 1, true },
	[FARGS_TYPE_PTR] = { "ptr", 8, false },
	[FARGS_TYPE_U128] = { "u128", 16, false },
	[FARGS_TYPE_S128] = { "s128", 16, true },
	[FARGS_TYPE_STR] = { "str", 0, false },
	[FARGS_TYPE_BYTES] = { "bytes", 0, false },
};

#define NR_TYPES	(sizeof(types) / sizeof(types[0]))

unsigned int fargs_type_width(uint8_t type)
{
	return type < NR_TYPES ? types[type].width : 0;
}

bool fargs_type_is_signed(uint8_t type)
{
	return type < NR_TYPES && types[type].is_signed;
}

const char *fargs_type_name(uint8_t type)
{
	return type < NR_TYPES && types[type].name ? types[type].name : "?";
}

static int refuse(const char **why, const char *text)
{
	if (why)
		*why = text;
	return -EIO;
}

int fargs_record_check_header(const void *p, size_t avail, const char **why)
{
	struct fargs_record head;

	if (avail < sizeof(head))
		return refuse(why, "is truncated in its header");
	memcpy(&head, p, sizeof(head));
	if (head.len < sizeof(head))
		return refuse(why, "is shorter than its header");
	if (head.len > (head.kind == FARGS_KIND_EVENT ? FARGS_EVENT_RECORD_MAX : FARGS_RECORD_MAX))
		return refuse(why, "is longer than a record can be");
	if (head.len % FARGS_RECORD_ALIGN)
		return refuse(why, "has a length that is not a multiple of 8");
	if (head.len > avail)
		return refuse(why, "is truncated");
	if ((head.kind < FARGS_KIND_ENTRY || head.kind > FARGS_KIND_SWITCH) &&
	    head.kind != FARGS_KIND_EVENT)
		return refuse(why, "is of an unknown kind");
	return head.len;
}

/*
 * Checks that the data of a formatted event are complete. Their contents are checked when they are
 * formatted.
 */
static int check_event(const void *p, int len, const char **why)
{
	size_t room = len - sizeof(struct fargs_record);
	struct fargs_event_body body;

	if (room < sizeof(body))
		return refuse(why, "ends within the length of its event");
	memcpy(&body, (const char *)p + sizeof(struct fargs_record), sizeof(body));
	return body.bytes > room - sizeof(body) ? refuse(why, "ends within its event") : len;
}

void fargs_record_values(const struct fargs_record *rec, struct fargs_values *it)
{
	it->at = (const uint8_t *)(rec + 1);
	it->end = (const uint8_t *)rec + rec->len;
}

int fargs_record_next(struct fargs_values *it, struct fargs_value *val, const char **why)
{
	size_t left = it->end - it->at, room;
	const uint8_t *nul, *data;
	uint8_t type;
	uint16_t n;

	nul = memchr(it->at, 0, left);
	if (!nul)
		return refuse(why, "has a name that is not terminated");
	if (it->end - nul < 2)
		return refuse(why, "ends after a name");
	type = nul[1];
	data = nul + 2;
	left = it->end - data;
	if (type == FARGS_TYPE_END)
		return nul == it->at ? 0 : refuse(why, "has a value without a type");

	val->name = (const char *)it->at;
	val->is_fault = type & FARGS_TYPE_FAULT;
	val->is_cut = type & FARGS_TYPE_CUT;
	val->type = type & ~(FARGS_TYPE_FAULT | FARGS_TYPE_CUT);
	if (val->type == FARGS_TYPE_STR || val->type == FARGS_TYPE_BYTES) {
		if (val->is_cut && val->is_fault)
			return refuse(why, "has a fault that is truncated");
		if (left < sizeof(n))
			return refuse(why, "ends within the length of a value");
		memcpy(&n, data, sizeof(n));
		data += sizeof(n);
		left -= sizeof(n);
		room = ((size_t)n + 7) & ~(size_t)7;
		val->bytes = n;
	} else if (fargs_type_width(val->type) && !val->is_cut) {
		val->bytes = val->type == FARGS_TYPE_U128 || val->type == FARGS_TYPE_S128 ? 16 : 8;
		room = val->bytes;
	} else {
		return refuse(why, "has a value of an unknown type");
	}
	if (val->is_fault && room < 8)
		return refuse(why, "has a fault with no room for its address");
	if (room > left)
		return refuse(why, "ends within the data of a value");
	val->data = data;
	it->at = data + room;
	return 1;
}

int fargs_record_check(const void *p, size_t avail, const char **why)
{
	struct fargs_value val;
	struct fargs_values it;
	int len, ret;

	len = fargs_record_check_header(p, avail, why);
	if (len < 0)
		return len;
	if (((const uint8_t *)p)[offsetof(struct fargs_record, kind)] == FARGS_KIND_EVENT)
		return check_event(p, len, why);
	it.at = (const uint8_t *)p + sizeof(struct fargs_record);
	it.end = (const uint8_t *)p + len;
	while ((ret = fargs_record_next(&it, &val, why)) == 1)
		;
	return ret < 0 ? ret : len;
}

bool fargs_record_find(const struct fargs_record *rec, const char *name, uint8_t type,
		       struct fargs_value *val)
{
	struct fargs_values it;

	fargs_record_values(rec, &it);
	while (fargs_record_next(&it, val, NULL) == 1)
		if (val->type == type && !val->is_fault && !strcmp(val->name, name))
			return true;
	return false;
}

static uint64_t low_half(const struct fargs_value *val)
{
	uint64_t raw = 0;

	/* Values of type STR and BYTES may be shorter than 8 bytes. */
	memcpy(&raw, val->data, val->bytes < 8 ? val->bytes : 8);
	return raw;
}

uint64_t fargs_value_u64(const struct fargs_value *val)
{
	unsigned int width = fargs_type_width(val->type), unused;
	uint64_t raw;

	if (val->is_fault)
		return low_half(val);
	if (!width)
		return 0;
	raw = low_half(val);
	if (width >= 8)
		return raw;
	unused = 64 - 8 * width;
	raw <<= unused;
	if (fargs_type_is_signed(val->type))
		return (uint64_t)((int64_t)raw >> unused);
	raw >>= unused;
	return val->type == FARGS_TYPE_BOOL ? !!raw : raw;
}

int64_t fargs_value_s64(const struct fargs_value *val)
{
	return (int64_t)fargs_value_u64(val);
}

unsigned __int128 fargs_value_u128(const struct fargs_value *val)
{
	unsigned __int128 v = 0;

	if (!val->is_fault && fargs_type_width(val->type) == 16) {
		memcpy(&v, val->data, sizeof(v));
		return v;
	}
	if (!val->is_fault && fargs_type_is_signed(val->type))
		return (unsigned __int128)(__int128)fargs_value_s64(val);
	return fargs_value_u64(val);
}
