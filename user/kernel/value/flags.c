// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/value/flags.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The kernel's dev_t is MAJOR << 20 | MINOR, unlike that of user space. */
#define MINOR_BITS	20

/* Lowest byte of the flags of clone(2): the signal that is sent when the task exits. */
#define CLONE_SIGNAL	0xff

struct text {
	char *to;
	size_t n;
	bool is_short;
};

static void add(struct text *t, const char *word)
{
	size_t len = strlen(word);

	if (t->n + 1 + len >= FARGS_NAMING_TEXT) {
		t->is_short = true;
		return;
	}
	if (t->n)
		t->to[t->n++] = '|';
	memcpy(t->to + t->n, word, len + 1);
	t->n += len;
}

static void add_hex(struct text *t, uint64_t v)
{
	char word[24];

	snprintf(word, sizeof(word), "0x%" PRIx64, v);
	add(t, word);
}

/*
 * Takes flags as the kernel's trace_print_flags_seq() does: a name that stands for several bits
 * takes them from the names after it.
 */
static void add_flags(struct text *t, const struct fargs_flags *flags, uint64_t v)
{
	uint64_t left = v;
	size_t i;

	for (i = 0; i < flags->nr; i++) {
		const struct fargs_flag *flag = &flags->flags[i];

		if (!flag->mask || ((flag->value ? left : v) & flag->mask) != flag->value)
			continue;
		left &= ~flag->value;
		add(t, flag->name);
	}
	if (left)
		add_hex(t, left);
}

static const struct fargs_flag *find_value(const struct fargs_flags *flags, uint64_t v,
					   unsigned int unused)
{
	size_t i;

	for (i = 0; i < flags->nr; i++)
		if (flags->flags[i].mask && flags->flags[i].value << unused >> unused == v)
			return &flags->flags[i];
	return NULL;
}

static void add_clone(struct text *t, const struct fargs_naming *naming, uint64_t v)
{
	uint64_t number = v & CLONE_SIGNAL;
	const struct fargs_flag *signal = find_value(naming->signals, number, 0);

	if (v & ~(uint64_t)CLONE_SIGNAL)
		add_flags(t, naming->flags, v & ~(uint64_t)CLONE_SIGNAL);
	if (number && signal)
		add(t, signal->name);
	else if (number)
		add_hex(t, number);
}

static void add_mode(struct text *t, uint64_t v)
{
	static const struct {
		unsigned int type;
		const char *name;
	} types[] = {
		{ S_IFSOCK, "S_IFSOCK" }, { S_IFLNK, "S_IFLNK" }, { S_IFREG, "S_IFREG" },
		{ S_IFBLK, "S_IFBLK" }, { S_IFDIR, "S_IFDIR" }, { S_IFCHR, "S_IFCHR" },
		{ S_IFIFO, "S_IFIFO" },
	};
	uint64_t rest = v;
	char word[32];
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if ((v & ~(uint64_t)07777) == types[i].type) {
			add(t, types[i].name);
			rest = v & 07777;
		}
	snprintf(word, sizeof(word), v ? "%#03" PRIo64 : "0", rest);
	add(t, word);
}

static void add_dev(struct text *t, uint64_t v)
{
	char word[48];

	snprintf(word, sizeof(word), "%" PRIu64 ":%" PRIu64, v >> MINOR_BITS,
		 v & ((1u << MINOR_BITS) - 1));
	add(t, word);
}

size_t fargs_naming_text(const struct fargs_naming *naming, uint64_t v, unsigned int bytes,
			 char text[FARGS_NAMING_TEXT])
{
	unsigned int width = naming->bytes && naming->bytes < bytes ? naming->bytes : bytes;
	unsigned int unused = width < 8 ? 64 - 8 * width : 0;
	const struct fargs_flag *flag;
	struct text t = { .to = text };

	v = v << unused >> unused;
	switch (naming->kind) {
	case FARGS_NAMING_FLAGS:
		add_flags(&t, naming->flags, v);
		break;
	case FARGS_NAMING_VALUE:
		flag = find_value(naming->flags, v, unused);
		if (flag)
			add(&t, flag->name);
		break;
	case FARGS_NAMING_CLONE:
		add_clone(&t, naming, v);
		break;
	case FARGS_NAMING_MODE:
		add_mode(&t, v);
		break;
	case FARGS_NAMING_DEV:
		add_dev(&t, v);
		break;
	case FARGS_NAMING_HEX:
		add_hex(&t, v);
		break;
	case FARGS_NAMING_SYMBOL:
		return 0;
	}
	return t.is_short ? 0 : t.n;
}

const struct fargs_flag *fargs_flags_find(const struct fargs_flags *flags, const char *name,
					  size_t len)
{
	size_t i;

	for (i = 0; i < flags->nr; i++)
		if (!strncmp(flags->flags[i].name, name, len) && !flags->flags[i].name[len])
			return &flags->flags[i];
	return NULL;
}
