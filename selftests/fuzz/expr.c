// SPDX-License-Identifier: GPL-2.0-only
/*
 * Feeds untrusted selectors to all code that reads selectors: the parser, and the compiler for each
 * of several functions. None may crash, hang or leak memory; a diagnostic must have a text, and a
 * column within the selector; a valid selector must yield a layout that the module's verifier
 * accepts.
 *
 *	expr [-n N] [-t SECONDS] [-s SEED]
 *
 * Selectors are random sequences of words of the grammar, and mutations of valid selectors. Stops
 * after N (100000) selectors, or after SECONDS. A selector depends only on its seed, which starts
 * with SEED and is incremented: -n 1 -s SEED repeats a single selector.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/options.h"
#include "fuzz/random.h"
#include "unit/expr_world.h"

static const char *const words[] = {
	"file", "count", "fd", "name", "pair", "seventh", "small", "tiny", "ret", "$ret",
	"$comm", "$pid", "$duration", "f_flags", "dentry", "in", "x", "arr", "two", "lo", "hi",
	"mid", "huge", "comm", "raw", "ptr", "flex", "fwd", "->", ".", "..", "[", "]", "(",
	")", "*", "&", "|", "!", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "<<", "~", "-",
	",", ":", ":str", ":ustr", ":x", ":d", ":u", ":o", ":path", ":mac",
	":inet", ":skb", " ", "0", "1", "3", "4k", "0xffffffffffffffff",
	"10us", "1.5s", "'a'", "\"e*\"", "\"", "RED", "O_DIRECT", "ENOENT", "NULL", "true",
	"to", "iname", "parent", "v", "a", "next", "\\", "#", "+", "-", "^", ">>", "(u32)",
	"(s8)", "(bool)", "(struct file *)", "(char *)", "(size_t)", "sizeof(", "container_of(",
	"struct dentry", "struct", "unsigned", "long", " in ", "{", "}", "...", "[fd]", "/",
};

static const char *const seeds[] = {
	"f(file->in.x == 3, file->dentry->name:str | count > 4k && file->f_flags & O_DIRECT)",
	"f(name == \"eth*\", pair.to->parent->iname != \"x\") -> ret < 0, $duration > 1.5ms",
	"f(*file, file->ptr[0..count], file->arr[1..3], file->hi:x) -> *file->ptr",
	"f((fd == 1 || fd == -100) && !(count == 1)) -> ret & 3 == 2, file->huge",
	"f(file->two[1].y < seventh || file->raw[0..file->lo] == 1)",
	"g(pair.a == -70000, pair.c:x, *out) -> *out == -7",
	"f(count + 1 > fd * 8 - small && (count ^ seventh | 3) >> 2 in {1, -5...7, fd, RED})",
	"f(((struct file *)name)->in.x, (u32)fd + (s8)count, &file->in, (u64)&file->two[small])",
	"f(container_of(&file->in.y, struct file, in.y)->arr[tiny], file->two[fd & 1].y + 1)",
	"f(name in {\"e*\", \"lo\"}, sizeof(struct file) == count, file->ptr[fd..count + 1])",
};

static struct world w;
static struct fuzz_random rnd;
static unsigned long nr_inputs, nr_parsed, nr_bound;

static void require(bool cond, const char *what, const char *text, uint64_t seed)
{
	if (cond)
		return;
	fprintf(stderr, "fuzz: %s: %s\nfuzz: at -s %llu\n", what, text,
		(unsigned long long)seed);
	abort();
}

static void make_up(char *text, size_t size)
{
	unsigned int nr = 1 + fuzz_below(&rnd, 24);
	size_t used = 0;

	used += snprintf(text, size, "%s", fuzz_once_in(&rnd, 8) ? "" : "f(");
	while (nr-- && used < size - 32)
		used += snprintf(text + used, size - used, "%s",
				 words[fuzz_below(&rnd, sizeof(words) / sizeof(words[0]))]);
	if (!fuzz_once_in(&rnd, 4))
		snprintf(text + used, size - used, ")");
}

/* Inserts a word, removes or duplicates a part, or changes a byte, one to four times. */
static void mutate(char *text, size_t size)
{
	unsigned int nr = 1 + fuzz_below(&rnd, 4);

	snprintf(text, size, "%s", seeds[fuzz_below(&rnd, sizeof(seeds) / sizeof(seeds[0]))]);
	while (nr--) {
		size_t len = strlen(text), at = fuzz_below(&rnd, len + 1), n;
		const char *word = words[fuzz_below(&rnd, sizeof(words) / sizeof(words[0]))];

		switch (fuzz_below(&rnd, 4)) {
		case 0:
			n = strlen(word);
			if (len + n >= size)
				break;
			memmove(text + at + n, text + at, len - at + 1);
			memcpy(text + at, word, n);
			break;
		case 1:
			n = fuzz_below(&rnd, 12);
			n = n < len - at ? n : len - at;
			memmove(text + at, text + at + n, len - at - n + 1);
			break;
		case 2:
			n = (len - at) / 2;
			if (len + n >= size)
				break;
			memmove(text + at + n, text + at, len - at + 1);
			break;
		default:
			if (at < len)
				text[at] = 1 + fuzz_below(&rnd, 255);
		}
	}
}

/* Tries a selector, in memory of the exact size, so that a sanitizer detects accesses beyond it. */
static void try_text(const char *text, uint64_t seed)
{
	const int funcs[] = { w.f, w.g, w.v, w.mk, w.rp, w.rl };
	char *copy = strdup(text);
	size_t i;
	int ret;

	for (i = 0; i < sizeof(funcs) / sizeof(funcs[0]); i++) {
		w.is_taken = true;
		ret = world_bind(&w, funcs[i], copy);
		nr_parsed += !i && (!ret || w.sel.text);
		nr_bound += !ret;
		require(!ret == !w.diagnostic.code,
			"a diagnostic without a failure, or a failure without a diagnostic", text,
			seed);
		require(!ret || w.diagnostic.text[0], "a diagnostic without a text", text, seed);
		require(w.diagnostic.column <= strlen(text) + 1, "a column after the end", text,
			seed);
		require(!ktap_has_failed, "the module refuses the layout", text, seed);
	}
	free(copy);
}

int main(int argc, char **argv)
{
	struct fuzz_options options = { .nr = 100000, .seed = 1 };
	uint64_t seed;
	char text[600];

	if (!fuzz_options_read(&options, argc, argv))
		return 1;
	world_init(&w);
	for (seed = options.seed; fuzz_goes_on(&options, nr_inputs); nr_inputs++, seed++) {
		rnd.state = seed;
		if (fuzz_once_in(&rnd, 3))
			make_up(text, sizeof(text));
		else
			mutate(text, sizeof(text));
		try_text(text, seed);
	}
	world_deinit(&w);
	printf("%lu selectors, %lu of them parsed, %lu times bound to a function\n", nr_inputs,
	       nr_parsed, nr_bound);
	return 0;
}
