// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the tree of folded stacks against a list of their texts that is sorted by bytes. Linked
 * with --wrap=calloc.
 */
#include "sink/export/stack_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/put.h"
#include "unit/ktap.h"

#define PIECE	64

void *__real_calloc(size_t nr, size_t bytes);
void *__wrap_calloc(size_t nr, size_t bytes);

static bool is_short;

void *__wrap_calloc(size_t nr, size_t bytes)
{
	return is_short ? NULL : __real_calloc(nr, bytes);
}

static int add(struct fargs_stack_tree *t, const char *text, uint64_t n)
{
	return fargs_stack_tree_add(t, text, strlen(text), n);
}

/* Writes the lines of @t to @out, in pieces of @bytes, and frees the tree. */
static void walk(struct fargs_stack_tree *t, struct fargs_buf *out, size_t bytes)
{
	struct fargs_stack_walk w = { .tree = t };
	struct fargs_buf piece = { };
	int ret;

	do {
		piece.n = 0;
		ret = fargs_stack_walk_lines(&w, &piece, bytes);
		fargs_buf_add(out, piece.text, piece.n);
	} while (ret > 0);
	CHECK_INT(ret, 0);
	fargs_buf_deinit(&piece);
	fargs_stack_walk_deinit(&w);
	fargs_stack_tree_deinit(t);
}

static void check_lines(struct fargs_stack_tree *t, const char *wanted)
{
	struct fargs_buf out = { };

	walk(t, &out, PIECE);
	fargs_put_char(&out, 0);
	CHECK_STR(out.text, wanted);
	fargs_buf_deinit(&out);
}

static void has_no_lines_when_zeroed(void)
{
	struct fargs_stack_tree t = { };

	check_lines(&t, "");
}

static void sums_up_counts(void)
{
	struct fargs_stack_tree t = { };

	CHECK_INT(add(&t, "sh;b;c", 1), 0);
	CHECK_INT(add(&t, "sh;b", 2), 0);
	CHECK_INT(add(&t, "sh;b;c", 1ull << 40), 0);
	CHECK_INT(add(&t, "sh;a", 0), 0);
	check_lines(&t, "sh;a 0\nsh;b 2\nsh;b;c 1099511627777\n");
}

static void sorts_by_bytes(void)
{
	struct fargs_stack_tree t = { };

	CHECK_INT(add(&t, "x;a\xc3", 1), 0);
	CHECK_INT(add(&t, "x;aa;c", 2), 0);
	CHECK_INT(add(&t, "x;a;c", 3), 0);
	CHECK_INT(add(&t, "x;a.part;c", 4), 0);
	CHECK_INT(add(&t, "x;a [m]", 5), 0);
	CHECK_INT(add(&t, "x;a", 6), 0);
	check_lines(&t, "x;a 6\nx;a [m] 5\nx;a.part;c 4\nx;a;c 3\nx;aa;c 2\nx;a\xc3 1\n");
}

/* A name with a semicolon reads as two frames, so it is the same stack as those two. */
static void takes_texts_as_they_read(void)
{
	struct fargs_stack_tree t = { };

	CHECK_INT(fargs_stack_tree_add(&t, "", 0, 1), 0);
	CHECK_INT(fargs_stack_tree_add(&t, "a;b;c", 3, 2), 0);
	CHECK_INT(add(&t, "a;;b", 3), 0);
	CHECK_INT(add(&t, ";", 4), 0);
	CHECK_INT(add(&t, "a;", 5), 0);
	CHECK_INT(add(&t, "", 6), 0);
	check_lines(&t, " 7\n; 4\na; 5\na;;b 3\na;b 2\n");
}

static void has_deep_stacks(void)
{
	enum { DEPTH = 20000 };
	struct fargs_stack_tree t = { };
	struct fargs_buf text = { }, out = { };
	unsigned int i;

	for (i = 0; i < DEPTH; i++)
		fargs_put(&text, i ? ";f" : "f");
	CHECK_INT(fargs_stack_tree_add(&t, text.text, text.n, 7), 0);
	CHECK_INT(t.nr, DEPTH);
	CHECK_INT(t.names.nr, 1);
	walk(&t, &out, PIECE);
	fargs_put(&text, " 7\n");
	CHECK(out.n == text.n && !memcmp(out.text, text.text, text.n));
	fargs_buf_deinit(&text);
	fargs_buf_deinit(&out);
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void has_many_stacks(void)
{
	enum { NR = 20000, ADDED = 3 * NR };
	static const char names[][4] = { "a", "a.b", "a:", "a<", "ab", "?", "a b", "~" };
	static char texts[NR][32];
	struct fargs_buf out = { }, wanted = { };
	struct fargs_stack_tree t = { };
	unsigned int i, rest, same;

	for (i = 0; i < NR; i++) {
		/* The numbers of the names in base 8; neighbours are far apart. */
		rest = (i * 7919) % NR + 1;
		for (; rest; rest /= 8) {
			strcat(texts[i], names[rest % 8]);
			strcat(texts[i], rest >= 8 ? ";" : "");
		}
	}
	for (i = 0; i < ADDED; i++)
		if (add(&t, texts[i % NR], i % NR % 3 + 1))
			break;
	CHECK_INT(i, ADDED);
	CHECK_INT(t.names.nr, 8);
	for (i = 0; i < NR; i++) {
		strcat(texts[i], "\n");
		texts[i][31] = i % 3 + 1;
	}
	/* A line feed sorts before all bytes of the names, as the end of a text does. */
	qsort(texts, NR, sizeof(*texts), compare);
	for (i = 0; i < NR; i += same) {
		uint64_t n = 0;

		for (same = 0; i + same < NR && !strcmp(texts[i], texts[i + same]); same++)
			n += 3 * texts[i + same][31];
		fargs_buf_add(&wanted, texts[i], strlen(texts[i]) - 1);
		fargs_put_char(&wanted, ' ');
		fargs_put_u64(&wanted, n, 0, 0);
		fargs_put_char(&wanted, '\n');
	}
	walk(&t, &out, PIECE);
	CHECK(out.n == wanted.n && !memcmp(out.text, wanted.text, out.n));
	fargs_buf_deinit(&out);
	fargs_buf_deinit(&wanted);
}

static void says_if_memory_is_short(void)
{
	struct fargs_stack_tree t = { };
	char text[16];
	unsigned int i;
	int ret = 0;

	CHECK_INT(add(&t, "a;b", 1), 0);
	is_short = true;
	for (i = 0; i < 1000 && !ret; i++) {
		snprintf(text, sizeof(text), "a;%u", i);
		ret = add(&t, text, 1);
	}
	CHECK_INT(ret, -ENOMEM);
	CHECK_INT(add(&t, "a;b", 1), 0);
	is_short = false;
	fargs_stack_tree_deinit(&t);
}

static const struct ktap_test tests[] = {
	{ "has no lines when zeroed", has_no_lines_when_zeroed },
	{ "sums up the counts of a stack", sums_up_counts },
	{ "sorts stacks by their bytes", sorts_by_bytes },
	{ "takes texts as they read", takes_texts_as_they_read },
	{ "has deep stacks", has_deep_stacks },
	{ "has many stacks, added out of order", has_many_stacks },
	{ "says if memory is short", says_if_memory_is_short },
};

int main(void)
{
	return KTAP_RUN(tests);
}
