// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the paths that the module finds in trees of nodes and mounts (kmod/prog/tree.h). The trees
 * are made at random, in pages at addresses of kernel memory; the expected paths are written down
 * while the trees grow from their roots.
 */
#include <stdlib.h>

#include "fuzz/random.h"
#include "unit/ktap.h"

/* The module's headers. */
#include "../../kmod/prog/mem_word.h"
#include "../../kmod/prog/tree.h"

#define BASE		(PAGE_OFFSET + 0x200000)
#define BYTES		(64 * PAGE_SIZE)
#define NODES		400
#define MOUNTS		12
#define PATH_BYTES	2048
#define ROUNDS		200

static uint8_t memory[BYTES];
static u64 used;

static struct fuzz_random random_state = { 20261127 };
static struct mm_struct mm;
static struct task_struct task = { .mm = &mm };
struct task_struct *current = &task;

/* One address that cannot be read. */
static u64 hole;

bool made_up_read(void *to, unsigned long addr, size_t bytes)
{
	if (addr < BASE || addr + bytes > BASE + BYTES || (addr <= hole && hole < addr + bytes))
		return false;
	memcpy(to, memory + (addr - BASE), bytes);
	return true;
}

static uint32_t below(uint32_t n)
{
	return fuzz_below(&random_state, n);
}

static const struct fargs_tree offsets = {
	.name = 40, .parent = 24, .root = 32, .mountpoint = 8, .outer = 16,
};

struct node {
	u64 addr;
	int parent;		/* -1: a root */
	int mount;
	unsigned int steps;	/* nodes and mounts from here to the top, this one included */
	char path[PATH_BYTES];	/* across mounts */
	char inside[PATH_BYTES];	/* in its file system */
};

struct mount {
	u64 addr;
};

static struct node nodes[NODES];
static struct mount mounts[MOUNTS];
static int nr_nodes, nr_mounts;

static void forget(void)
{
	used = 0;
	hole = 0;
	nr_nodes = 0;
	nr_mounts = 0;
}

static u64 make_room(u64 bytes)
{
	u64 addr = BASE + used;

	used += (bytes + 7) & ~7ull;
	return addr;
}

static void set(u64 addr, u64 value)
{
	memcpy(memory + (addr - BASE), &value, sizeof(value));
}

static u64 make_string(const char *text)
{
	u64 addr = make_room(strlen(text) + 1);

	memcpy(memory + (addr - BASE), text, strlen(text) + 1);
	return addr;
}

static struct node *add_node(int parent, int mount, const char *name)
{
	struct node *node = &nodes[nr_nodes++];

	node->addr = make_room(48);
	node->parent = parent;
	node->mount = mount;
	set(node->addr + offsets.name, make_string(name));
	set(node->addr + offsets.parent, parent < 0 ? node->addr : nodes[parent].addr);
	return node;
}

/* Mounts a new file system on node @on; -1: the first one. */
static void add_mount(int on)
{
	struct mount *mount = &mounts[nr_mounts];
	struct node *root = add_node(-1, nr_mounts, "/");

	mount->addr = make_room(48);
	set(mount->addr + offsets.root, root->addr);
	set(mount->addr + offsets.outer, on < 0 ? mount->addr : mounts[nodes[on].mount].addr);
	set(mount->addr + offsets.mountpoint, on < 0 ? root->addr : nodes[on].addr);
	strcpy(root->path, on < 0 ? "" : nodes[on].path);
	strcpy(root->inside, "");
	root->steps = 1 + (on < 0 ? 0 : nodes[on].steps);
	nr_mounts++;
}

/* Makes a tree whose paths are at most @deep nodes long, with names of at most @longest bytes. */
static void make_tree(unsigned int deep, unsigned int longest)
{
	char name[256];
	unsigned int i, n;
	struct node *node;
	int parent;

	forget();
	add_mount(-1);
	while (nr_nodes < NODES - 1) {
		parent = below(3) ? nr_nodes - 1 : (int)below(nr_nodes);
		if (nodes[parent].steps >= deep)
			parent = 0;
		if (nr_mounts < MOUNTS && !below(12)) {
			add_mount(parent);
			continue;
		}
		n = 1 + below(longest);
		for (i = 0; i < n; i++)
			name[i] = 'a' + below(26);
		name[n] = '\0';
		node = add_node(parent, nodes[parent].mount, name);
		node->steps = nodes[parent].steps + 1;
		snprintf(node->path, PATH_BYTES, "%s/%s", nodes[parent].path, name);
		snprintf(node->inside, PATH_BYTES, "%s/%s", nodes[parent].inside, name);
	}
}

static uint8_t out[PATH_BYTES + 16];

/* Returns the path of @node in at most @max bytes, or "(fault)"; sets *@is_cut. */
static const char *path_of(u64 addr, const struct mount *mount, unsigned int max, bool *is_cut)
{
	u64 fault = 0;
	s32 n;

	memset(out, 0xee, sizeof(out));
	n = fargs_tree_path(out, max, &offsets, addr, mount ? &mount->addr : NULL, &fault);
	if (n < 0)
		return "(fault)";
	*is_cut = n & FARGS_MEM_CUT;
	n &= ~FARGS_MEM_CUT;
	if (out[(max + 7) & ~7u] != 0xee || (unsigned int)n > max)
		return "(beyond the room)";
	out[n] = '\0';
	return (const char *)out;
}

static void finds_paths(void)
{
	unsigned int round, nr_wrong = 0, nr = 0;
	bool is_cut;
	int i;

	for (round = 0; round < ROUNDS && !nr_wrong; round++) {
		make_tree(20, 1 + below(60));
		for (i = 0; i < nr_nodes; i++, nr++) {
			const struct node *node = &nodes[i];
			const char *wanted = *node->path ? node->path : "/";

			nr_wrong += strcmp(path_of(node->addr, &mounts[node->mount], PATH_BYTES,
						   &is_cut), wanted) || is_cut;
			wanted = *node->inside ? node->inside : "/";
			nr_wrong += strcmp(path_of(node->addr, NULL, PATH_BYTES, &is_cut),
					   wanted) || is_cut;
		}
	}
	CHECK_INT(nr_wrong, 0);
	printf("# %u paths\n", nr);
}

/* A path that does not fit keeps its last names, whole and with a '/' before each. */
static void cuts_long_paths(void)
{
	unsigned int round, nr_wrong = 0, nr_cut = 0, max, len;
	const char *got, *wanted;
	bool is_cut;
	int i;

	for (round = 0; round < ROUNDS && !nr_wrong; round++) {
		make_tree(20, 1 + below(60));
		for (i = 1; i < nr_nodes; i++) {
			const struct node *node = &nodes[i];

			wanted = *node->path ? node->path : "/";
			max = 1 + below(400);
			got = path_of(node->addr, &mounts[node->mount], max, &is_cut);
			len = strlen(wanted);
			if (!is_cut) {
				nr_wrong += strcmp(got, wanted) != 0;
				continue;
			}
			/* Whoever writes 8 bytes at a time can lose the last 7 of the room. */
			nr_wrong += len + 7 < max;
			nr_cut++;
			if (*got == '/') {
				nr_wrong += strlen(got) > len ||
					    strcmp(wanted + len - strlen(got), got);
				/* The next name would not have fitted. */
				len -= strlen(got);
				while (len && wanted[len - 1] != '/')
					len--;
				nr_wrong += strlen(wanted) - len + 1 + 7 < max;
			} else {
				nr_wrong += strncmp(strrchr(wanted, '/') + 1, got, strlen(got));
			}
		}
	}
	CHECK_INT(nr_wrong, 0);
	CHECK_INT(nr_cut > 1000, 1);
}

static const struct node *last_in(int mount)
{
	int i = nr_nodes - 1;

	while (nodes[i].mount != mount)
		i--;
	return &nodes[i];
}

static void ends_in_any_memory(void)
{
	unsigned int i, nr_paths = 0;
	bool is_cut;

	/* More nodes than the walk visits. */
	make_tree(NODES, 8);
	for (i = 0; i < (unsigned int)nr_nodes; i++) {
		path_of(nodes[i].addr, &mounts[nodes[i].mount], PATH_BYTES, &is_cut);
		if (nodes[i].steps > FARGS_TREE_STEPS ? !is_cut : is_cut)
			break;
	}
	CHECK_INT(i, nr_nodes);
	/* A circle of nodes, and one of mounts. */
	make_tree(20, 8);
	set(nodes[0].addr + offsets.parent, last_in(0)->addr);
	path_of(last_in(0)->addr, NULL, PATH_BYTES, &is_cut);
	CHECK_INT(is_cut, 1);
	make_tree(20, 8);
	set(mounts[0].addr + offsets.outer, mounts[1].addr);
	set(mounts[0].addr + offsets.mountpoint, last_in(1)->addr);
	path_of(last_in(1)->addr, &mounts[1], PATH_BYTES, &is_cut);
	CHECK_INT(is_cut, 1);
	/* Random memory. */
	for (i = 0; i < 200000; i++) {
		if (!(i % 1000)) {
			make_tree(20, 30);
			for (unsigned int j = 0; j < 500; j++)
				set(BASE + 8 * below(used / 8), BASE + below(BYTES));
			hole = BASE + below(used);
		}
		nr_paths += *path_of(BASE + below(used), below(2) ?
				     &mounts[below(nr_mounts)] : NULL,
				     1 + below(PATH_BYTES), &is_cut) != '(';
	}
	CHECK_INT(nr_paths > 1000, 1);
}

/* Whatever cannot be read makes the whole path unreadable. */
static void reports_faults(void)
{
	unsigned int nr_faults = 0, nr_wrong = 0, i;
	const char *got;
	bool is_cut;

	for (i = 0; i < 20000; i++) {
		const struct node *node;

		if (!(i % 1000))
			make_tree(20, 30);
		node = &nodes[below(nr_nodes)];
		hole = BASE + below(used);
		got = path_of(node->addr, &mounts[node->mount], PATH_BYTES, &is_cut);
		if (!strcmp(got, "(fault)"))
			nr_faults++;
		else
			nr_wrong += strcmp(got, *node->path ? node->path : "/") != 0;
	}
	CHECK_INT(nr_wrong, 0);
	CHECK_INT(nr_faults > 100, 1);
	CHECK_STR(path_of(0, NULL, PATH_BYTES, &is_cut), "(fault)");
	CHECK_STR(path_of(0x400000, NULL, PATH_BYTES, &is_cut), "(fault)");
}

/* A node that is its own parent has a name, but no path; one without a parent is "/". */
static void names_roots(void)
{
	struct node *node;
	bool is_cut;

	forget();
	add_mount(-1);
	node = add_node(-1, 0, "[eventfd]");
	CHECK_STR(path_of(node->addr, &mounts[0], 64, &is_cut), "[eventfd]");
	CHECK_STR(path_of(node->addr, NULL, 64, &is_cut), "[eventfd]");
	set(node->addr + offsets.parent, 0);
	CHECK_STR(path_of(node->addr, NULL, 64, &is_cut), "/");
	CHECK_STR(path_of(nodes[0].addr, &mounts[0], 64, &is_cut), "/");
}

static const struct ktap_test tests[] = {
	{ "finds paths across mounts, and inside a file system", finds_paths },
	{ "cuts long paths at their beginning", cuts_long_paths },
	{ "ends in any memory", ends_in_any_memory },
	{ "reports what it cannot read", reports_faults },
	{ "names nodes that are not in a tree", names_roots },
};

int main(void)
{
	return KTAP_RUN(tests);
}
