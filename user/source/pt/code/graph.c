// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/code/graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define CHUNK_NODES	256
#define CHUNK_BYTES	(16u << 10)
#define TABLE_MIN	1024
#define PAGE_SHIFT	12
/* Longest instruction. */
#define INSN_MAX	15

/* What a function that emulates PTWRITE jumps over: UD2, and text (perf-intel-pt(1)). */
static const uint8_t emulation_mark[] = {
	0x0f, 0x0b, 'p', 'e', 'r', 'f', ',', 'p', 't', 'w', 'r', 'i', 't', 'e', ' ', ' ',
};

struct chunk {
	struct chunk *next;
	struct fargs_pt_node nodes[CHUNK_NODES];
};

/* Memory for the sizes of instructions. */
struct sizes {
	struct sizes *next;
	uint8_t bytes[CHUNK_BYTES];
};

/* A node whose code is in a page. */
struct on_page {
	uint64_t page;
	struct fargs_pt_node *node;
	uint32_t next;			/* index + 1 of the next node on the page; 0: none */
};

struct fargs_pt_graph {
	struct fargs_pt_graph_options options;
	struct fargs_pt_view view;
	/* Open addressing; the number of slots is a power of two. */
	struct fargs_pt_node **table;
	size_t nr_slots, nr_nodes;
	unsigned int shift;
	struct chunk *chunks;		/* the first one has free nodes */
	struct sizes *sizes;
	size_t nr_sizes;		/* bytes used of @sizes */
	/*
	 * Nodes by page, if code may change: heads[] has the index + 1 of the page's first node in
	 * on_page[], by the page's hash, so nodes of several pages may share a list.
	 */
	uint32_t *heads;
	struct on_page *on_page;
	size_t nr_on_page, on_page_room;
	size_t nr_bytes;
};

#define NR_HEADS	4096

static size_t slot_of(const struct fargs_pt_graph *g, uint64_t ip)
{
	return ip * FARGS_HASH_FACTOR >> g->shift;
}

static void count_change(struct fargs_pt_graph *g)
{
	if (g->options.nr_changes)
		++*g->options.nr_changes;
}

struct fargs_pt_graph *fargs_pt_graph_create(const struct fargs_pt_memory *memory, int32_t space,
					     const struct fargs_pt_graph_options *options)
{
	struct fargs_pt_graph *g = calloc(1, sizeof(*g));

	if (!g)
		return NULL;
	g->options = *options;
	g->nr_slots = TABLE_MIN;
	g->shift = 64 - __builtin_ctz(TABLE_MIN);
	g->table = calloc(g->nr_slots, sizeof(struct fargs_pt_node *));
	if (!g->table || fargs_pt_view_init(&g->view, memory, space)) {
		fargs_pt_graph_destroy(g);
		return NULL;
	}
	if (g->view.nr_changes) {
		g->heads = calloc(NR_HEADS, sizeof(*g->heads));
		if (!g->heads) {
			fargs_pt_graph_destroy(g);
			return NULL;
		}
	}
	return g;
}

void fargs_pt_graph_destroy(struct fargs_pt_graph *g)
{
	struct chunk *chunk, *next;
	struct sizes *sizes, *next_sizes;

	if (!g)
		return;
	count_change(g);
	for (chunk = g->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
	for (sizes = g->sizes; sizes; sizes = next_sizes) {
		next_sizes = sizes->next;
		free(sizes);
	}
	fargs_pt_view_deinit(&g->view);
	free(g->table);
	free(g->heads);
	free(g->on_page);
	free(g);
}

size_t fargs_pt_graph_bytes(const struct fargs_pt_graph *g)
{
	return sizeof(*g) + g->nr_slots * sizeof(*g->table) + g->nr_bytes +
	       g->on_page_room * sizeof(*g->on_page) + (g->heads ? NR_HEADS * 4 : 0);
}

static size_t head_of(uint64_t page)
{
	return page * FARGS_HASH_FACTOR >> 52;
}

static int add_to_page(struct fargs_pt_graph *g, struct fargs_pt_node *node, uint64_t page)
{
	uint32_t *head = &g->heads[head_of(page)];
	size_t room = g->on_page_room ? 2 * g->on_page_room : 256;
	struct on_page *larger;

	if (g->nr_on_page == g->on_page_room) {
		larger = realloc(g->on_page, room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		g->on_page = larger;
		g->on_page_room = room;
	}
	g->on_page[g->nr_on_page++] = (struct on_page){
		.page = page, .node = node, .next = *head,
	};
	*head = g->nr_on_page;
	return 0;
}

/*
 * Returns the number of bytes at node->ip that @node depends on: more code might extend it by an
 * instruction, or be a mark.
 */
static uint64_t depends_on(const struct fargs_pt_node *node)
{
	return node->bytes + sizeof(emulation_mark);
}

/*
 * Adds the node to the lists of its pages, at most two. A node that is filled again may get longer,
 * and be on one more page.
 */
static int add_to_pages(struct fargs_pt_graph *g, struct fargs_pt_node *node)
{
	uint64_t first = node->ip >> PAGE_SHIFT;
	uint64_t last = (node->ip + depends_on(node) - 1) >> PAGE_SHIFT;

	if (!g->heads)
		return 0;
	if (!node->nr_pages) {
		if (add_to_page(g, node, first))
			return -ENOMEM;
		node->nr_pages = 1;
	}
	if (first == last || node->nr_pages == 2)
		return 0;
	if (add_to_page(g, node, last))
		return -ENOMEM;
	node->nr_pages = 2;
	return 0;
}

/* Makes @node stale if it depends on the @bytes at @addr. Both may extend to the last address. */
static void make_node_stale(struct fargs_pt_graph *g, struct fargs_pt_node *node, uint64_t addr,
			    uint64_t bytes)
{
	if (addr - node->ip >= depends_on(node) && node->ip - addr >= bytes)
		return;
	node->kind = FARGS_PT_NODE_STALE;
	count_change(g);
}

static void make_stale(void *arg, uint64_t addr, uint64_t bytes)
{
	struct fargs_pt_graph *g = arg;
	uint64_t page = addr >> PAGE_SHIFT, nr;
	struct on_page *on;
	uint32_t i;

	if (!bytes)
		return;
	/* Sizes of mappings are from files, which may be damaged: there may be 2^52 pages. */
	if (bytes >> PAGE_SHIFT >= NR_HEADS) {
		for (on = g->on_page; on < g->on_page + g->nr_on_page; on++)
			make_node_stale(g, on->node, addr, bytes);
		return;
	}
	if (bytes - 1 > UINT64_MAX - addr)
		bytes = -addr;
	for (nr = ((addr + (bytes - 1)) >> PAGE_SHIFT) - page + 1; nr; nr--, page++) {
		for (i = g->heads[head_of(page)]; i; i = on->next) {
			on = &g->on_page[i - 1];
			if (on->page == page)
				make_node_stale(g, on->node, addr, bytes);
		}
	}
}

size_t fargs_pt_graph_move(struct fargs_pt_graph *g, uint64_t ns)
{
	return fargs_pt_view_move(&g->view, ns, make_stale, g);
}

uint64_t fargs_pt_graph_until(const struct fargs_pt_graph *g)
{
	return fargs_pt_view_until(&g->view);
}

static int enlarge_table(struct fargs_pt_graph *g)
{
	struct fargs_pt_node **old = g->table;
	size_t nr = g->nr_slots, i, at;

	g->table = calloc(2 * nr, sizeof(struct fargs_pt_node *));
	if (!g->table) {
		g->table = old;
		return -ENOMEM;
	}
	g->nr_slots = 2 * nr;
	g->shift--;
	for (i = 0; i < nr; i++) {
		if (!old[i])
			continue;
		at = slot_of(g, old[i]->ip);
		while (g->table[at])
			at = (at + 1) & (g->nr_slots - 1);
		g->table[at] = old[i];
	}
	free(old);
	return 0;
}

static struct fargs_pt_node *new_node(struct fargs_pt_graph *g)
{
	size_t nr = g->nr_nodes % CHUNK_NODES;
	struct chunk *chunk = g->chunks;

	if (!nr) {
		chunk = calloc(1, sizeof(*chunk));
		if (!chunk)
			return NULL;
		chunk->next = g->chunks;
		g->chunks = chunk;
		g->nr_bytes += sizeof(*chunk);
	}
	g->nr_nodes++;
	return &chunk->nodes[nr];
}

static __attribute__((noinline)) struct fargs_pt_node *
add_node(struct fargs_pt_graph *g, uint64_t ip, enum fargs_pt_exec_mode mode)
{
	struct fargs_pt_node *node;
	size_t at;

	if (2 * (g->nr_nodes + 1) > g->nr_slots && enlarge_table(g))
		return NULL;
	node = new_node(g);
	if (!node)
		return NULL;
	node->ip = ip;
	node->mode = mode;
	at = slot_of(g, ip);
	while (g->table[at])
		at = (at + 1) & (g->nr_slots - 1);
	g->table[at] = node;
	return fargs_pt_graph_fill(g, node) ? NULL : node;
}

struct fargs_pt_node *fargs_pt_graph_get(struct fargs_pt_graph *g, uint64_t ip,
					 enum fargs_pt_exec_mode mode)
{
	size_t at = slot_of(g, ip);
	struct fargs_pt_node *node;

	for (node = g->table[at]; node; node = g->table[at]) {
		if (node->ip == ip && node->mode == mode)
			return node->kind == FARGS_PT_NODE_STALE && fargs_pt_graph_fill(g, node) ?
			       NULL : node;
		at = (at + 1) & (g->nr_slots - 1);
	}
	return add_node(g, ip, mode);
}

static uint8_t *keep_sizes(struct fargs_pt_graph *g, const uint8_t *sizes, size_t nr)
{
	struct sizes *chunk = g->sizes;

	if (!chunk || nr > CHUNK_BYTES - g->nr_sizes) {
		chunk = malloc(sizeof(*chunk));
		if (!chunk)
			return NULL;
		chunk->next = g->sizes;
		g->sizes = chunk;
		g->nr_sizes = 0;
		g->nr_bytes += sizeof(*chunk);
	}
	memcpy(chunk->bytes + g->nr_sizes, sizes, nr);
	g->nr_sizes += nr;
	return chunk->bytes + g->nr_sizes - nr;
}

static enum fargs_pt_node_kind kind_of(enum fargs_pt_class class)
{
	switch (class) {
	case FARGS_PT_CLASS_OTHER:
	case FARGS_PT_CLASS_PTWRITE:
	case FARGS_PT_CLASS_MOV_CR3:
	case FARGS_PT_CLASS_VMPTRLD:
		return FARGS_PT_NODE_RUNS_ON;
	case FARGS_PT_CLASS_CALL:
		return FARGS_PT_NODE_CALL;
	case FARGS_PT_CLASS_CALL_INDIRECT:
		return FARGS_PT_NODE_CALL_INDIRECT;
	case FARGS_PT_CLASS_RETURN:
		return FARGS_PT_NODE_RETURN;
	case FARGS_PT_CLASS_JUMP:
		return FARGS_PT_NODE_JUMP;
	case FARGS_PT_CLASS_JUMP_INDIRECT:
		return FARGS_PT_NODE_JUMP_INDIRECT;
	case FARGS_PT_CLASS_COND:
		return FARGS_PT_NODE_COND;
	default:
		return FARGS_PT_NODE_FAR;
	}
}

/* Decodes the instruction at @ip. Returns false, and sets *@kind, if there is none. */
static bool decode(struct fargs_pt_graph *g, uint64_t ip, enum fargs_pt_exec_mode mode,
		   struct fargs_pt_decoded *insn, uint8_t *kind)
{
	const uint8_t *whole = fargs_pt_view_code(&g->view, ip, INSN_MAX);
	uint8_t code[INSN_MAX];
	size_t bytes;

	if (whole && fargs_pt_forms_decode(g->options.forms, whole, mode, insn))
		return true;
	bytes = fargs_pt_view_read(&g->view, ip, code, sizeof(code));
	if (bytes && fargs_pt_insn_decode(code, bytes, mode, insn))
		return true;
	*kind = bytes == sizeof(code) ? FARGS_PT_NODE_BAD : FARGS_PT_NODE_MISSING;
	return false;
}

static bool has_mark(struct fargs_pt_graph *g, const struct fargs_pt_node *node)
{
	uint64_t end = fargs_pt_node_end(node);
	uint8_t code[sizeof(emulation_mark)];

	return node->target - end == sizeof(code) &&
	       fargs_pt_view_read(&g->view, end, code, sizeof(code)) == sizeof(code) &&
	       !memcmp(code, emulation_mark, sizeof(code));
}

static void set_flags(struct fargs_pt_graph *g, struct fargs_pt_node *node,
		      enum fargs_pt_class class)
{
	const struct fargs_pt_graph_options *o = &g->options;
	size_t i;

	node->flags = g->view.space >= 0 ? FARGS_PT_NODE_PROGRAM : 0;
	if (o->begins && o->begins(o->arg, node->ip))
		node->flags |= FARGS_PT_NODE_BEGINS;
	for (i = 0; i < o->nr_marks; i++)
		if (o->marks[i] && o->marks[i] - node->ip < node->bytes)
			node->flags |= FARGS_PT_NODE_MARKED;
	if (class == FARGS_PT_CLASS_PTWRITE)
		node->flags |= FARGS_PT_NODE_PTWRITE;
	if (class == FARGS_PT_CLASS_MOV_CR3)
		node->flags |= FARGS_PT_NODE_CR3;
	if (node->kind == FARGS_PT_NODE_JUMP && has_mark(g, node))
		node->flags |= FARGS_PT_NODE_EMULATES;
}

/* Code may change often: the memory of the sizes is used again, if it has room. */
static int set_sizes(struct fargs_pt_graph *g, struct fargs_pt_node *node, const uint8_t *sizes)
{
	if (!node->sizes || node->nr_insns > node->sizes_room) {
		node->sizes = keep_sizes(g, sizes, node->nr_insns);
		node->sizes_room = node->sizes ? node->nr_insns : 0;
		return node->sizes ? 0 : -ENOMEM;
	}
	memcpy(node->sizes, sizes, node->nr_insns);
	return 0;
}

int fargs_pt_graph_fill(struct fargs_pt_graph *g, struct fargs_pt_node *node)
{
	struct fargs_pt_decoded insn = { .class = FARGS_PT_CLASS_OTHER };
	uint8_t sizes[FARGS_PT_NODE_INSNS];
	uint64_t ip = node->ip;

	node->taken = NULL;
	node->after = NULL;
	node->nr_insns = 0;
	node->bytes = 0;
	node->kind = FARGS_PT_NODE_RUNS_ON;
	node->insn = FARGS_PT_INSN_OTHER;
	while (insn.class == FARGS_PT_CLASS_OTHER && node->nr_insns < FARGS_PT_NODE_INSNS) {
		if (!decode(g, ip, node->mode, &insn, &node->kind)) {
			insn.class = FARGS_PT_CLASS_OTHER;
			break;
		}
		node->last_ip = ip;
		sizes[node->nr_insns++] = insn.size;
		node->bytes += insn.size;
		ip += insn.size;
		/* The code continues at the lowest address. */
		if (fargs_pt_node_end(node) != ip || ip < node->ip)
			break;
	}
	/* If code is missing after some instructions, the next node is missing. */
	if (node->nr_insns)
		node->kind = kind_of(insn.class);
	if (node->kind >= FARGS_PT_NODE_JUMP) {
		node->insn = fargs_pt_class_insn(insn.class);
		node->target = fargs_pt_insn_target(&insn, node->last_ip, node->mode);
	}
	set_flags(g, node, insn.class);
	if ((g->options.has_sizes && set_sizes(g, node, sizes)) ||
	    add_to_pages(g, node)) {
		node->kind = FARGS_PT_NODE_STALE;
		return -ENOMEM;
	}
	return 0;
}

int fargs_pt_graph_index(struct fargs_pt_graph *g, const struct fargs_pt_node *node, uint64_t ip,
			 uint64_t *before)
{
	struct fargs_pt_decoded insn;
	uint64_t at = node->ip;
	uint8_t kind;
	int i;

	if (ip - node->ip > node->bytes)
		return -1;
	for (i = 0; at - node->ip < ip - node->ip && i < node->nr_insns; i++) {
		*before = at;
		if (node->sizes)
			at += node->sizes[i];
		else if (decode(g, at, node->mode, &insn, &kind))
			at += insn.size;
		else
			return -1;
	}
	return at == ip ? i : -1;
}
