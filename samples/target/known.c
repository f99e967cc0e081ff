// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that are all called with the same arguments: pointers to structures with random
 * contents (known.h). /proc/fargs_known shows the contents, so that a test can interpret them
 * independently.
 */
#include <linux/compiler.h>
#include <linux/kstrtox.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "target.h"
#include "known.h"

#define PROC_NAME	"fargs_known"

static struct fargs_k_node nodes[KNOWN_NODES];
static struct fargs_k_leaf leaves[KNOWN_LEAVES];
static char words[KNOWN_WORDS][KNOWN_WORD];
static s32 numbers[KNOWN_NUMBERS];
static u64 state;

#define KNOWN_FUNCTION(name)								\
	int name(struct fargs_k_node *node, struct fargs_k_leaf *leaf, u16 count,	\
		 long a, long b, long c, struct fargs_k_node *last);			\
	fargs_t_target int name(struct fargs_k_node *node, struct fargs_k_leaf *leaf,	\
				u16 count, long a, long b, long c,			\
				struct fargs_k_node *last)				\
	{										\
		fargs_t_use(node);							\
		fargs_t_use(leaf);							\
		fargs_t_use(count);							\
		fargs_t_use(a);								\
		fargs_t_use(b);								\
		fargs_t_use(c);								\
		fargs_t_use(last);							\
		return -count;								\
	}

KNOWN_FUNCTION(fargs_k_0)
KNOWN_FUNCTION(fargs_k_1)
KNOWN_FUNCTION(fargs_k_2)
KNOWN_FUNCTION(fargs_k_3)
KNOWN_FUNCTION(fargs_k_4)
KNOWN_FUNCTION(fargs_k_5)
KNOWN_FUNCTION(fargs_k_6)
KNOWN_FUNCTION(fargs_k_7)
KNOWN_FUNCTION(fargs_k_8)
KNOWN_FUNCTION(fargs_k_9)

/* Returns the upper half of the next xorshift64* number. */
static u32 next(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull >> 32;
}

static void fill_bytes(void *to, size_t bytes)
{
	u8 *p = to;

	while (bytes--)
		*p++ = next();
}

/* Fills @to with printable characters; NUL-terminated within @bytes unless @is_full. */
static void fill_text(char *to, size_t bytes, bool is_full)
{
	size_t i, len = is_full ? bytes : next() % bytes;

	memset(to, 0, bytes);
	for (i = 0; i < len; i++)
		to[i] = ' ' + next() % 95;
}

static void fill_leaf(struct fargs_k_leaf *leaf)
{
	static const enum fargs_k_color colors[] = { FARGS_K_RED, FARGS_K_GREEN, FARGS_K_BLUE, 7 };

	fill_bytes(leaf, sizeof(*leaf));
	memset(&leaf->ok, next() & 1, 1);
	leaf->color = colors[next() % 4];
	fill_text(leaf->name, sizeof(leaf->name), next() % 4 == 0);
}

static void fill_node(struct fargs_k_node *node)
{
	size_t i;

	fill_bytes(node, sizeof(*node));
	fill_leaf(&node->leaf);
	for (i = 0; i < ARRAY_SIZE(node->leaves); i++)
		fill_leaf(&node->leaves[i]);
	/* One pointer in eight is NULL. */
	node->next = next() % 8 ? &nodes[next() % KNOWN_NODES] : NULL;
	node->far = next() % 8 ? &leaves[next() % KNOWN_LEAVES] : NULL;
	node->text = words[next() % KNOWN_WORDS];
	node->numbers = &numbers[next() % (KNOWN_NUMBERS / 2)];
	for (i = 0; i < ARRAY_SIZE(node->table); i++)
		node->table[i] = next() % 8 ? &nodes[next() % KNOWN_NODES] : NULL;
}

static void fill(u64 seed)
{
	size_t i;

	state = seed * 0x9e3779b97f4a7c15ull + 1;
	fill_bytes(numbers, sizeof(numbers));
	for (i = 0; i < KNOWN_WORDS; i++)
		fill_text(words[i], KNOWN_WORD - 1, false);
	for (i = 0; i < KNOWN_LEAVES; i++)
		fill_leaf(&leaves[i]);
	for (i = 0; i < KNOWN_NODES; i++)
		fill_node(&nodes[i]);
}

/* Calls @name with pointers to nodes[0] and leaves[0] in registers, and &nodes[1] on the stack. */
#define CALL(run, name) TARGET_QUIET_CALL(run, #name, name(&nodes[0], &leaves[0], 5, -1, 2, -3, \
							    &nodes[1]))

void target_walk_known(struct target_run *run)
{
	CALL(run, fargs_k_0);
	CALL(run, fargs_k_1);
	CALL(run, fargs_k_2);
	CALL(run, fargs_k_3);
	CALL(run, fargs_k_4);
	CALL(run, fargs_k_5);
	CALL(run, fargs_k_6);
	CALL(run, fargs_k_7);
	CALL(run, fargs_k_8);
	CALL(run, fargs_k_9);
}

static void show_object(struct seq_file *list, const void *object, size_t bytes)
{
	const u8 *p = object;

	seq_printf(list, "%lx ", (unsigned long)object);
	while (bytes--)
		seq_printf(list, "%02x", *p++);
	seq_putc(list, '\n');
}

static int show(struct seq_file *list, void *unused)
{
	size_t i;

	for (i = 0; i < KNOWN_NODES; i++)
		show_object(list, &nodes[i], sizeof(nodes[i]));
	for (i = 0; i < KNOWN_LEAVES; i++)
		show_object(list, &leaves[i], sizeof(leaves[i]));
	for (i = 0; i < KNOWN_WORDS; i++)
		show_object(list, words[i], KNOWN_WORD);
	show_object(list, numbers, sizeof(numbers));
	seq_printf(list, "%s\n", (char)-1 < 0 ? "signed" : "unsigned");
	return 0;
}

static int open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static ssize_t write(struct file *file, const char __user *from, size_t count, loff_t *pos)
{
	u64 seed;
	int err = kstrtou64_from_user(from, count, 0, &seed);

	if (err)
		return err;
	fill(seed);
	return count;
}

static const struct proc_ops ops = {
	.proc_open = open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = write,
};

int target_known_init(void)
{
	fill(1);
	return proc_create(PROC_NAME, 0600, NULL, &ops) ? 0 : -ENOMEM;
}

void target_known_exit(void)
{
	remove_proc_entry(PROC_NAME, NULL);
}
