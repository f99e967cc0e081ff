// SPDX-License-Identifier: GPL-2.0-only
/*
 * fetch_random SEED: generates random expressions on the arguments of the fargs_k_* functions.
 *
 * Reads the memory of fargs_target from /proc/fargs_known, and evaluates the expressions on it in
 * C, so that the compiler computes the offsets of members. Prints for each function
 *
 *	selector FUNCTION SELECTOR
 *	key FUNCTION KEY
 *	value FUNCTION KEY=VALUE	with values in the format of fargs-report(1)
 *
 * Six functions have values fetched at the call, two have values fetched at the return. For two
 * further functions with conditions, "accepted" or "rejected" says whether the call must be shown.
 */
#include <err.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
typedef uint16_t u16;
typedef int32_t s32;
typedef uint32_t u32;
typedef int64_t s64;
typedef uint64_t u64;

#include "../samples/target/known.h"

/* number of values per function: the length of a program is limited */
#define VALUES		14
#define CONDITIONS	8
#define KEY_MAX		256
#define VALUE_MAX	512
#define STEPS		6

static u64 state;

static u32 next(u32 limit)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (state * 0x2545f4914f6cdd1dull >> 32) % limit;
}

/* A copy of the module's memory. */
static struct object {
	u64 addr;
	u8 *bytes;
	size_t nr;
} objects[KNOWN_NODES + KNOWN_LEAVES + KNOWN_WORDS + 1];

/* Whether char is signed in the kernel, which may differ from user space. */
static bool is_char_signed;

static void read_objects(void)
{
	FILE *file = fopen("/proc/fargs_known", "re");
	char *hex = malloc(65536);
	size_t i, j;

	for (i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		struct object *o = &objects[i];
		unsigned long long addr;

		if (!file || !hex || fscanf(file, "%llx %65535s", &addr, hex) != 2)
			err(1, "/proc/fargs_known");
		o->addr = addr;
		o->nr = strlen(hex) / 2;
		o->bytes = malloc(o->nr);
		if (!o->bytes)
			err(1, "objects");
		for (j = 0; j < o->nr; j++) {
			unsigned int byte;

			if (sscanf(hex + 2 * j, "%2x", &byte) != 1)
				errx(1, "not hexadecimal");
			o->bytes[j] = byte;
		}
	}
	if (fscanf(file, "%65535s", hex) != 1)
		errx(1, "/proc/fargs_known does not say whether char is signed");
	is_char_signed = !strcmp(hex, "signed");
	free(hex);
	fclose(file);
}

/* Returns the copy of @bytes at address @addr of the module; NULL if there is no copy. */
static const void *at(u64 addr, size_t bytes)
{
	size_t i;

	for (i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		const struct object *o = &objects[i];

		if (addr >= o->addr && addr + bytes <= o->addr + o->nr)
			return o->bytes + (addr - o->addr);
	}
	return NULL;
}

/* A value as text and, if it is a number, also as a number for conditions. */
struct value {
	char text[VALUE_MAX];
	bool is_number;
	__int128 number;
};

static void set_fault(struct value *v, u64 addr)
{
	snprintf(v->text, sizeof(v->text), "(fault 0x%llx)", (unsigned long long)addr);
	v->is_number = false;
}

/* @bytes: size of the number's type, which limits the digits in hexadecimal. */
static void set_number(struct value *v, __int128 number, unsigned int bytes, bool is_hex)
{
	u64 bits = number;

	v->is_number = true;
	v->number = number;
	if (is_hex)
		snprintf(v->text, sizeof(v->text), "0x%llx", (unsigned long long)
			 (bytes < 8 ? bits & ((1ull << 8 * bytes) - 1) : bits));
	else if (number < 0)
		snprintf(v->text, sizeof(v->text), "%lld", (long long)number);
	else
		snprintf(v->text, sizeof(v->text), "%llu", (unsigned long long)number);
}

static void set_string(struct value *v, const char *text, size_t most)
{
	char *to = v->text;
	size_t i;

	v->is_number = false;
	*to++ = '"';
	for (i = 0; i < most && text[i]; i++) {
		if (text[i] == '"' || text[i] == '\\')
			*to++ = '\\';
		*to++ = text[i];
	}
	*to++ = '"';
	*to = '\0';
}

static void set_char(struct value *v, signed char c)
{
	set_number(v, is_char_signed ? c : (u8)c, 1, false);
	if (c < ' ' || c > '~')
		return;
	snprintf(v->text, sizeof(v->text), c == '\'' || c == '\\' ? "'\\%c'" : "'%c'", c);
}

static void set_color(struct value *v, enum fargs_k_color color)
{
	set_number(v, (s32)color, 4, false);
	if (color == FARGS_K_RED)
		strcpy(v->text, "FARGS_K_RED");
	else if (color == FARGS_K_GREEN)
		strcpy(v->text, "FARGS_K_GREEN");
	else if (color == FARGS_K_BLUE)
		strcpy(v->text, "FARGS_K_BLUE");
}

#define SET_ARRAY(v, array, nr)							\
do {										\
	char *_to = (v)->text;							\
	size_t _i;								\
										\
	(v)->is_number = false;							\
	*_to++ = '{';								\
	for (_i = 0; _i < (nr); _i++)						\
		_to += sprintf(_to, "%s%d", _i ? ", " : "", (array)[_i]);	\
	strcpy(_to, "}");							\
} while (0)

/* An expression under construction: its text, and the address of the struct that it refers to. */
struct way {
	char text[KEY_MAX];
	u64 addr;
	bool is_pointer;	/* the value of @text is a pointer to the struct */
};

static void append(struct way *way, const char *member)
{
	strcat(way->text, way->is_pointer ? "->" : ".");
	strcat(way->text, member);
	way->is_pointer = false;
}

/*
 * Adds the last member of an expression. C reads the member from a copy of the struct, so this
 * program computes no bitfield offsets. A member of an unreadable struct is a fault at the member's
 * address; a bitfield's fault is at the address of its storage unit, which C cannot express, so no
 * such fault is generated.
 */
#define NUMBER(member, bytes)								\
	do {										\
		append(way, #member);							\
		if (p)									\
			set_number(v, p->member, bytes, is_hex);			\
		else									\
			set_fault(v, way->addr + offsetof(typeof(*p), member));		\
	} while (0)

#define BITS(member, bytes)								\
	do {										\
		append(way, #member);							\
		set_number(v, p->member, bytes, is_hex);				\
	} while (0)

static void end_in_number(struct way *way, struct value *v, const struct fargs_k_leaf *p,
			  bool is_hex)
{
	switch (next(8)) {
	case 0:
		NUMBER(a, 1);
		break;
	case 1:
		NUMBER(b, 1);
		break;
	case 2:
		NUMBER(c, 2);
		break;
	case 3:
		NUMBER(d, 2);
		break;
	case 4:
		NUMBER(e, 4);
		break;
	case 5:
		NUMBER(f, 4);
		break;
	case 6:
		NUMBER(g, 8);
		break;
	default:
		NUMBER(h, 8);
	}
}

static void end_in_bits(struct way *way, struct value *v, const struct fargs_k_leaf *p,
			bool is_hex)
{
	switch (next(7)) {
	case 0:
		BITS(b1, 4);
		break;
	case 1:
		BITS(b2, 4);
		break;
	case 2:
		BITS(b3, 4);
		break;
	case 3:
		BITS(w1, 8);
		break;
	case 4:
		BITS(w2, 8);
		break;
	case 5:
		BITS(n1, 1);
		break;
	default:
		BITS(n2, 2);
	}
}

static void set_bool(struct value *v, bool is_true)
{
	set_number(v, is_true, 1, false);
	strcpy(v->text, is_true ? "true" : "false");
}

/* Adds the last member of an expression, with a format such as hexadecimal. */
#define OTHER(member, set)								\
	do {										\
		append(way, #member);							\
		if (p)									\
			set;								\
		else									\
			set_fault(v, way->addr + offsetof(typeof(*p), member));		\
	} while (0)

static void end_in_other(struct way *way, struct value *v, const struct fargs_k_leaf *p)
{
	switch (next(7)) {
	case 0:
		OTHER(ok, set_bool(v, p->ok));
		break;
	case 1:
		OTHER(ch, set_char(v, p->ch));
		break;
	case 2:
		OTHER(color, set_color(v, p->color));
		break;
	case 3:
		OTHER(values[3], set_number(v, p->values[3], 2, false));
		break;
	case 4:
		OTHER(values, SET_ARRAY(v, p->values, 5));
		break;
	case 5:
		OTHER(name, set_string(v, p->name, sizeof(p->name)));
		break;
	default:
		OTHER(raw, SET_ARRAY(v, p->raw, 6));
	}
}

/* Ends the expression with a random member. Returns false if the value is unknown. */
static bool end_in_leaf(struct way *way, struct value *v)
{
	const struct fargs_k_leaf *p = at(way->addr, sizeof(*p));
	unsigned int kind = next(3);
	bool is_hex = kind < 2 && next(4) == 0;

	if (kind == 0)
		end_in_number(way, v, p, is_hex);
	else if (kind == 2)
		end_in_other(way, v, p);
	else if (p)
		end_in_bits(way, v, p, is_hex);
	else
		return false;
	if (is_hex)
		strcat(way->text, ":x");
	return true;
}

static void set_packed(struct value *v, const struct fargs_k_packed *p)
{
	char x[32] = "", y[32] = "", z[32] = "";

	/* fargs omits members that are 0. */
	if (p->x)
		sprintf(x, ".x=%u, ", p->x);
	if (p->y)
		sprintf(y, ".y=%d, ", p->y);
	if (p->z)
		sprintf(z, ".z=%llu, ", (unsigned long long)p->z);
	sprintf(v->text, "{%s%s%s", x, y, z);
	if (strlen(v->text) > 1)
		v->text[strlen(v->text) - 2] = '\0';
	strcat(v->text, "}");
	v->is_number = false;
}

static void end_in_numbers(struct way *way, struct value *v, const struct fargs_k_node *p)
{
	u64 addr = (u64)p->numbers;
	const s32 *array = at(addr, 8 * sizeof(*array));
	unsigned int i = next(6);
	char text[48];

	switch (next(3)) {
	case 0:
		snprintf(text, sizeof(text), "numbers[%u]", i);
		append(way, text);
		set_number(v, array[i], 4, false);
		break;
	case 1:
		snprintf(text, sizeof(text), "numbers[0..%u]", i + 1);
		append(way, text);
		SET_ARRAY(v, array, i + 1);
		break;
	default:
		/* The argument count is 5. */
		append(way, "numbers[0..count]");
		SET_ARRAY(v, array, 5);
	}
}

static void end_in_node_number(struct way *way, struct value *v, const struct fargs_k_node *p,
			       bool is_hex)
{
	switch (next(8)) {
	case 0:
		NUMBER(whole, 8);
		break;
	case 1:
		NUMBER(low, 2);
		break;
	case 2:
		NUMBER(high, 4);
		break;
	case 3:
		NUMBER(inner, 1);
		break;
	case 4:
		NUMBER(deep, 2);
		break;
	case 5:
		NUMBER(packed.x, 1);
		break;
	case 6:
		NUMBER(packed.y, 4);
		break;
	default:
		NUMBER(packed.z, 8);
	}
}

static bool end_in_node(struct way *way, struct value *v, bool is_condition)
{
	const struct fargs_k_node *p = at(way->addr, sizeof(*p));
	unsigned int kind = next(12);
	bool is_hex = kind < 3;

	if (kind < 8) {
		end_in_node_number(way, v, p, is_hex);
	} else if (kind == 8) {
		OTHER(packed, set_packed(v, &p->packed));
	} else if (!p || is_condition) {
		return false;
	} else if (kind == 9) {
		append(way, "text:str");
		set_string(v, at((u64)p->text, KNOWN_WORD), KNOWN_WORD);
	} else {
		end_in_numbers(way, v, p);
	}
	if (is_hex)
		strcat(way->text, ":x");
	return true;
}

/*
 * Adds a random step to the expression: to a member that is not a struct (returns true), or through
 * a pointer to another struct.
 */
static bool step(struct way *way, const struct fargs_k_node *p)
{
	unsigned int i;
	char text[32];

	switch (next(5)) {
	case 0:
		append(way, "leaf");
		way->addr += offsetof(typeof(*p), leaf);
		return true;
	case 1:
		i = next(3);
		snprintf(text, sizeof(text), "leaves[%u]", i);
		append(way, text);
		way->addr += offsetof(typeof(*p), leaves[i]);
		return true;
	case 2:
		append(way, "far");
		way->addr = (u64)p->far;
		way->is_pointer = true;
		return true;
	case 3:
		append(way, "next");
		way->addr = (u64)p->next;
		break;
	default:
		i = next(4);
		snprintf(text, sizeof(text), "table[%u]", i);
		append(way, text);
		way->addr = (u64)p->table[i];
	}
	way->is_pointer = true;
	return false;
}

/* Builds an expression from an argument to a value. Returns false if the value is unknown. */
static bool make_way(struct way *way, struct value *v, bool is_at_return, bool is_condition)
{
	unsigned int from = next(is_at_return ? 4 : 6), steps = next(STEPS);
	const struct fargs_k_node *p;
	bool is_leaf = from == 0;

	way->is_pointer = true;
	strcpy(way->text, from == 0 ? "leaf" : from < 4 ? "node" : "last");
	way->addr = objects[from == 0 ? KNOWN_NODES : from < 4 ? 0 : 1].addr;
	/* After a NULL pointer, make one more step: it reads at the address of a member. */
	while (steps-- && !is_leaf) {
		p = at(way->addr, sizeof(*p));
		if (!p)
			break;
		is_leaf = step(way, p);
	}
	return is_leaf ? end_in_leaf(way, v) : end_in_node(way, v, is_condition);
}

/* Makes the key that fargs prints: for a string, the expression without its format. */
static void make_key(char *key, const char *text)
{
	char *str;

	strcpy(key, text);
	str = strstr(key, ":str");
	if (str)
		*str = '\0';
}

static bool is_known(char keys[][KEY_MAX], unsigned int nr, const char *key)
{
	while (nr--)
		if (!strcmp(keys[nr], key))
			return true;
	return false;
}

static void print_values(const char *function, bool is_at_return)
{
	char keys[VALUES][KEY_MAX], texts[VALUES][KEY_MAX];
	unsigned int nr = 0, i;
	struct value v;
	struct way way;

	while (nr < VALUES) {
		if (!make_way(&way, &v, is_at_return, false))
			continue;
		make_key(keys[nr], way.text);
		if (is_known(keys, nr, keys[nr]))
			continue;
		printf("value %s %s=%s\n", function, keys[nr], v.text);
		strcpy(texts[nr++], way.text);
	}
	printf("selector %s %s(", function, function);
	if (is_at_return)
		printf(") -> ret");
	for (i = 0; i < nr; i++)
		printf("%s%s", i || is_at_return ? ", " : "", texts[i]);
	puts(is_at_return ? "" : ")");
	for (i = 0; i < nr; i++)
		printf("key %s %s\n", function, keys[i]);
}

/* Prints a comparison with the number @n. The comparison is true if @is_true, else false. */
static void print_comparison(const char *way, __int128 n, bool is_true)
{
	static const char *const holds[] = { "==", ">=", "<=" };
	static const char *const fails[] = { "!=", ">", "<" };

	printf("%s %s ", way, (is_true ? holds : fails)[next(3)]);
	if (n < 0)
		printf("-%llu", (unsigned long long)-n);
	else
		printf("%llu", (unsigned long long)n);
}

static void print_conditions(const char *function, bool is_accepted)
{
	unsigned int nr = 0, odd = next(CONDITIONS);
	struct value v;
	struct way way;

	printf("selector %s %s(", function, function);
	while (nr < CONDITIONS) {
		if (!make_way(&way, &v, false, true) || !v.is_number || strstr(way.text, ":x"))
			continue;
		printf("%s", nr ? " && " : "");
		print_comparison(way.text, v.number, is_accepted || nr != odd);
		nr++;
	}
	printf(")\n%s %s\n", is_accepted ? "accepted" : "rejected", function);
}

int main(int argc, char **argv)
{
	char function[] = "fargs_k_0";
	int i;

	if (argc != 2)
		errx(2, "usage: fetch_random SEED");
	state = strtoull(argv[1], NULL, 0) * 0x9e3779b97f4a7c15ull + 0x5eed;
	read_objects();
	for (i = 0; i < 10; i++) {
		function[8] = '0' + i;
		if (i < 8)
			print_values(function, i >= 6);
		else
			print_conditions(function, i == 8);
	}
	return 0;
}
