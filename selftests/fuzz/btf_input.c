// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz/btf_input.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <linux/btf.h>

#define TYPES_MAX	64
#define WORDS_MAX	(TYPES_MAX * 64)

/* Names of types and members, each terminated by a NUL. */
static const char strings[] =
	"\0int\0char\0unsigned char\0long int\0__int128\0_Bool\0double\0a\0b\0count\0pos\0file\0buf\0"
	/* control characters, and invalid UTF-8 */
	"flags\0list_head\0\n\033[31m\0\303\244\0\377\376\0long double\0complex float\0 "
	"a_name_that_is_longer_than_people_give_any_but_not_longer_than_there_is_room_for";

/* BTF under construction. */
struct maker {
	struct fuzz_random *r;
	uint32_t words[WORDS_MAX];
	size_t nr;
	uint32_t nr_types;		/* number of types, including void */
	uint32_t sizes[TYPES_MAX + 1];	/* sizes of values in bytes; 0: the type has no values */
	uint8_t kinds[TYPES_MAX + 1];
};

static void put(struct maker *m, uint32_t word)
{
	if (m->nr < WORDS_MAX)
		m->words[m->nr++] = word;
}

/* Returns the offset of a name; sometimes an invalid offset. */
static uint32_t some_name(struct maker *m)
{
	uint32_t at = fuzz_below(m->r, sizeof(strings));

	if (fuzz_once_in(m->r, 4))
		return 0;
	if (fuzz_once_in(m->r, 500))
		return sizeof(strings) + fuzz_below(m->r, 3);
	while (at && strings[at - 1])
		at--;
	return at;
}

static uint32_t name_of(const char *name)
{
	size_t at;

	for (at = 1; at < sizeof(strings); at += strlen(strings + at) + 1)
		if (!strcmp(strings + at, name))
			return at;
	abort();
}

/* Returns the id of an earlier type, usually of a type that has values. */
static uint32_t some_type(struct maker *m)
{
	uint32_t id, tries;

	if (fuzz_once_in(m->r, 400))
		return fuzz_below(m->r, TYPES_MAX + 4);
	for (tries = 0; tries < 8; tries++) {
		id = fuzz_below(m->r, m->nr_types);
		if (m->sizes[id])
			return id;
	}
	return id;
}

/* Begins a type. @size_or_type: as in struct btf_type. */
static void begin_type(struct maker *m, uint32_t name, uint32_t kind, uint32_t vlen,
		       bool kind_flag, uint32_t size_or_type)
{
	put(m, name);
	put(m, (uint32_t)kind_flag << 31 | kind << 24 | vlen);
	put(m, size_or_type);
	m->kinds[m->nr_types] = kind;
	m->sizes[m->nr_types] = 0;
	m->nr_types++;
}

static void set_size(struct maker *m, uint32_t bytes)
{
	m->sizes[m->nr_types - 1] = bytes;
}

static void make_int(struct maker *m)
{
	static const struct {
		const char *name;
		uint32_t bytes, encoding;
	} ints[] = {
		{ "int", 4, BTF_INT_SIGNED }, { "char", 1, BTF_INT_SIGNED },
		{ "unsigned char", 1, 0 }, { "long int", 8, BTF_INT_SIGNED },
		{ "__int128", 16, BTF_INT_SIGNED }, { "_Bool", 1, BTF_INT_BOOL },
		{ "double", 8, 0 }, { "int", 2, 0 }, { "int", 4, 0 },
	};
	uint32_t i = fuzz_below(m->r, sizeof(ints) / sizeof(ints[0]));
	uint32_t bytes = fuzz_once_in(m->r, 100) ? fuzz_below(m->r, 20) : ints[i].bytes;
	uint32_t bits = fuzz_once_in(m->r, 50) ? fuzz_below(m->r, 140) : 8 * bytes;

	begin_type(m, name_of(ints[i].name), BTF_KIND_INT, 0, false, bytes);
	put(m, ints[i].encoding << 24 | (fuzz_once_in(m->r, 100) ? 5 << 16 : 0) | bits);
	set_size(m, bytes);
}

static void make_float(struct maker *m)
{
	begin_type(m, name_of("double"), BTF_KIND_FLOAT, 0, false, 8);
	set_size(m, 8);
}

static void make_enum(struct maker *m)
{
	bool is_64 = fuzz_once_in(m->r, 3);
	uint32_t i, nr = fuzz_below(m->r, 6), bytes = 1u << fuzz_below(m->r, 4);

	begin_type(m, some_name(m), is_64 ? BTF_KIND_ENUM64 : BTF_KIND_ENUM, nr,
		   fuzz_once_in(m->r, 2), bytes);
	for (i = 0; i < nr; i++) {
		put(m, some_name(m));
		put(m, fuzz_once_in(m->r, 4) ? fuzz_random(m->r) : 1u << i);
		if (is_64)
			put(m, fuzz_once_in(m->r, 4) ? fuzz_random(m->r) : 0);
	}
	set_size(m, bytes);
}

static void make_reference(struct maker *m)
{
	static const uint8_t kinds[] = {
		BTF_KIND_PTR, BTF_KIND_PTR, BTF_KIND_TYPEDEF, BTF_KIND_CONST, BTF_KIND_VOLATILE,
		BTF_KIND_RESTRICT, BTF_KIND_TYPE_TAG,
	};
	uint32_t kind = kinds[fuzz_below(m->r, sizeof(kinds))], to = some_type(m);
	bool has_name = kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_TYPE_TAG;

	begin_type(m, has_name ? some_name(m) : 0, kind, 0, false, to);
	set_size(m, kind == BTF_KIND_PTR ? 8 : to < m->nr_types ? m->sizes[to] : 0);
}

static void make_array(struct maker *m)
{
	uint32_t of = some_type(m), nr = fuzz_once_in(m->r, 50) ? fuzz_random(m->r) :
		fuzz_below(m->r, 9);

	begin_type(m, 0, BTF_KIND_ARRAY, 0, false, 0);
	put(m, of);
	put(m, some_type(m));
	put(m, nr);
	if (of < m->nr_types && nr < 1000)
		set_size(m, m->sizes[of] * nr);
}

/* Makes a struct or union of aligned members; sometimes it is packed or has bit-fields. */
static void make_struct(struct maker *m)
{
	uint32_t i, nr = fuzz_below(m->r, 7), bits = 0, most = 0, at = m->nr, id, bytes, align;
	bool is_union = fuzz_once_in(m->r, 4), is_packed = fuzz_once_in(m->r, 8);
	bool has_bits = fuzz_once_in(m->r, 3);

	begin_type(m, some_name(m), is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT, nr, has_bits, 0);
	for (i = 0; i < nr; i++) {
		uint32_t field = has_bits && fuzz_once_in(m->r, 2) ? 1 + fuzz_below(m->r, 12) : 0;

		id = some_type(m);
		bytes = id < m->nr_types ? m->sizes[id] : 0;
		align = is_packed || !bytes ? 1 : bytes > 8 ? 8 : bytes & -bytes;
		if (is_union)
			bits = 0;
		if (!field)
			bits = (bits + 8 * align - 1) / (8 * align) * (8 * align);
		if (fuzz_once_in(m->r, 200))
			bits = fuzz_random(m->r);
		put(m, some_name(m));
		put(m, id);
		put(m, has_bits ? field << 24 | (bits & 0xffffff) : bits);
		bits += field ? field : 8 * bytes;
		if (bits > most)
			most = bits;
	}
	bytes = is_packed ? (most + 7) / 8 : (most + 63) / 64 * 8;
	if (fuzz_once_in(m->r, 30))
		bytes = fuzz_below(m->r, 64);
	if (at + 2 < m->nr)
		m->words[at + 2] = bytes;
	set_size(m, bytes < 4096 ? bytes : 0);
}

static void make_proto(struct maker *m)
{
	uint32_t i, nr = fuzz_below(m->r, 11);

	begin_type(m, 0, BTF_KIND_FUNC_PROTO, nr, false,
		   fuzz_once_in(m->r, 3) ? 0 : some_type(m));
	for (i = 0; i < nr; i++) {
		bool is_dots = i == nr - 1 && fuzz_once_in(m->r, 10);

		put(m, is_dots ? 0 : some_name(m));
		put(m, is_dots ? 0 : some_type(m));
	}
}

static void make_func(struct maker *m)
{
	make_proto(m);
	begin_type(m, some_name(m), BTF_KIND_FUNC, BTF_FUNC_GLOBAL, false,
		   fuzz_once_in(m->r, 100) ? some_type(m) : m->nr_types - 1);
}

/* Makes a type that functions cannot have as an argument. */
static void make_other(struct maker *m)
{
	switch (fuzz_below(m->r, 4)) {
	case 0:
		begin_type(m, some_name(m), BTF_KIND_FWD, 0, fuzz_once_in(m->r, 2), 0);
		break;
	case 1:
		begin_type(m, some_name(m), BTF_KIND_VAR, 0, false, some_type(m));
		put(m, BTF_VAR_STATIC);
		break;
	case 2:
		begin_type(m, some_name(m), BTF_KIND_DATASEC, 1, false, 8);
		put(m, some_type(m));
		put(m, 0);
		put(m, 8);
		break;
	default:
		begin_type(m, some_name(m), BTF_KIND_DECL_TAG, 0, false, some_type(m));
		put(m, -1);
	}
}

static uint8_t *assemble(const struct maker *m, size_t *size)
{
	struct btf_header header = {
		.magic = BTF_MAGIC,
		.version = BTF_VERSION,
		.hdr_len = sizeof(header),
		.type_len = m->nr * sizeof(m->words[0]),
		.str_off = m->nr * sizeof(m->words[0]),
		.str_len = sizeof(strings),
	};
	uint8_t *data = malloc(sizeof(header) + header.type_len + sizeof(strings));

	if (!data)
		abort();
	memcpy(data, &header, sizeof(header));
	memcpy(data + sizeof(header), m->words, header.type_len);
	memcpy(data + sizeof(header) + header.type_len, strings, sizeof(strings));
	*size = sizeof(header) + header.type_len + sizeof(strings);
	return data;
}

uint8_t *fuzz_btf_generate(struct fuzz_random *r, size_t *size)
{
	/*
	 * The probability of a function is proportional to the number of times that it is listed.
	 */
	static void (*const makers[])(struct maker *m) = {
		make_int, make_int, make_enum, make_reference, make_reference, make_reference,
		make_array, make_struct, make_struct, make_struct, make_proto, make_func,
		make_func, make_func, make_other, make_float,
	};
	uint32_t nr = 8 + fuzz_below(r, TYPES_MAX - 10);
	struct maker m = { .r = r, .nr_types = 1 };

	make_int(&m);
	make_int(&m);
	while (m.nr_types < nr)
		makers[fuzz_below(r, sizeof(makers) / sizeof(makers[0]))](&m);
	return assemble(&m, size);
}

/* Returns the number of words of the type at @words, of which @left are available. */
static size_t type_words(const uint32_t *words, size_t left)
{
	static const uint8_t each[] = {
		[BTF_KIND_ARRAY] = 3, [BTF_KIND_STRUCT] = 3, [BTF_KIND_UNION] = 3,
		[BTF_KIND_ENUM] = 2, [BTF_KIND_FUNC_PROTO] = 2, [BTF_KIND_DATASEC] = 3,
		[BTF_KIND_ENUM64] = 3, [BTF_KIND_INT] = 1, [BTF_KIND_VAR] = 1,
		[BTF_KIND_DECL_TAG] = 1,
	};
	uint32_t kind = words[1] >> 24 & 0x1f, vlen = words[1] & 0xffff;
	size_t n = 3;

	if (kind == BTF_KIND_ARRAY || kind == BTF_KIND_INT || kind == BTF_KIND_VAR ||
	    kind == BTF_KIND_DECL_TAG)
		n += each[kind];
	else if (kind < sizeof(each))
		n += each[kind] * vlen;
	return n < left ? n : left;
}

static uint32_t some_word(struct fuzz_random *r, uint32_t old, uint32_t nr_types)
{
	switch (fuzz_below(r, 10)) {
	case 0:
		return old ^ 1u << fuzz_below(r, 32);
	case 1:
		return old + fuzz_below(r, 5) - 2;
	case 2:
		return fuzz_below(r, 33);
	case 3:
		return 8 * fuzz_below(r, 64);
	case 4:
		return -1u - fuzz_below(r, 3);
	case 5:
		return 0x7fffffffu >> fuzz_below(r, 12);
	default:
		return fuzz_below(r, nr_types + 1);
	}
}

/*
 * Returns a random kind whose types have the same size, so that following types stay at their
 * offsets.
 */
static uint32_t other_kind(struct fuzz_random *r, uint32_t info)
{
	static const uint8_t bare[] = {
		BTF_KIND_PTR, BTF_KIND_TYPEDEF, BTF_KIND_CONST, BTF_KIND_VOLATILE, BTF_KIND_FWD,
		BTF_KIND_RESTRICT, BTF_KIND_FUNC, BTF_KIND_FLOAT, BTF_KIND_TYPE_TAG,
	};
	uint32_t kind = info >> 24 & 0x1f;

	if (fuzz_once_in(r, 3))
		return info ^ 1u << 31;
	if (memchr(bare, kind, sizeof(bare)))
		kind = bare[fuzz_below(r, sizeof(bare))];
	else if (kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION)
		kind ^= BTF_KIND_STRUCT ^ BTF_KIND_UNION;
	else if (kind == BTF_KIND_ENUM || kind == BTF_KIND_FUNC_PROTO)
		kind ^= BTF_KIND_ENUM ^ BTF_KIND_FUNC_PROTO;
	return (info & ~(0x1fu << 24)) | kind << 24;
}

static void mutate_type(struct fuzz_random *r, uint32_t *words, size_t nr, uint32_t nr_types)
{
	size_t start = 0, n = 0, target = fuzz_below(r, nr), at;

	/* Find the type that contains the word @target. */
	while (start + 3 <= nr) {
		n = type_words(words + start, nr - start);
		if (target < start + n)
			break;
		start += n;
	}
	if (start + 3 > nr)
		return;
	at = fuzz_below(r, n);
	if (at == 1 && !fuzz_once_in(r, 20))
		words[start + 1] = other_kind(r, words[start + 1]);
	else
		words[start + at] = some_word(r, words[start + at], nr_types);
}

void fuzz_btf_mutate(struct fuzz_random *r, uint8_t *data, size_t *size, uint32_t nr_types)
{
	uint32_t n = 1 + fuzz_below(r, 6);
	struct btf_header header;
	uint32_t *words;

	if (fuzz_once_in(r, 40) && *size)
		*size = fuzz_below(r, *size);
	if (fuzz_once_in(r, 20) && *size)
		data[fuzz_below(r, *size < 24 || fuzz_once_in(r, 2) ? *size : 24)] = fuzz_random(r);
	if (*size < sizeof(header))
		return;
	memcpy(&header, data, sizeof(header));
	if (header.hdr_len != sizeof(header) || header.type_off || header.type_len < 12 ||
	    header.type_len > *size - sizeof(header) || header.type_len % 4)
		return;
	words = malloc(header.type_len);
	if (!words)
		abort();
	memcpy(words, data + sizeof(header), header.type_len);
	while (n--)
		mutate_type(r, words, header.type_len / 4, nr_types);
	memcpy(data + sizeof(header), words, header.type_len);
	free(words);
}
