// SPDX-License-Identifier: GPL-2.0-only
/* Tests the graph of code: its nodes, and what becomes of them when code changes. */
#include <stdlib.h>

#include "source/pt/code/graph.h"
#include "unit/pt_program.h"

#define NR_SIZES	8192

static uint8_t code[3 * 4096];
static struct fargs_pt_memory *memory;
static struct fargs_pt_graph *graph;
static struct fargs_pt_graph_options options;

/* Begins with NOPs at CODE. */
static void begin_test(void)
{
	memset(code, 0x90, sizeof(code));
	set_code(code, sizeof(code));
	options = (struct fargs_pt_graph_options){
		.has_sizes = true, .forms = fargs_pt_forms_create(),
	};
}

/* Writes @code to the file, and makes its graph. */
static void make_graph(void)
{
	temp_write(code, sizeof(code));
	memory = fargs_pt_memory_create(&in, &err);
	CHECK(memory);
	graph = fargs_pt_graph_create(memory, -1, &options);
	CHECK(graph);
}

static void end_graph(void)
{
	fargs_pt_graph_destroy(graph);
	fargs_pt_memory_destroy(memory);
}

static void end_test(void)
{
	end_graph();
	fargs_pt_forms_destroy(options.forms);
	fargs_pt_input_deinit(&in);
}

static struct fargs_pt_node *get(uint64_t ip)
{
	return fargs_pt_graph_get(graph, ip, FARGS_PT_EXEC_64);
}

static void add_poke(uint64_t ns, uint64_t addr, const char *codes, uint16_t bytes)
{
	const struct fargs_pt_poke poke = {
		.ns = ns, .addr = addr, .old_bytes = bytes, .new_bytes = bytes,
		.code = (const uint8_t *)codes,
	};

	CHECK(!fargs_pt_input_add_poke(&in, &poke));
}

/* Adds code, of which the file has the first bytes, that appears at @ns. */
static void add_code(uint64_t addr, uint64_t bytes, uint64_t ns)
{
	const struct fargs_pt_code c = {
		.path = strdup(temp_path), .bytes = bytes, .addr = addr, .pid = -1, .from_ns = ns,
	};

	CHECK(!fargs_pt_input_add_code(&in, &c));
}

/* Tests the address of each instruction of: nop, 5-byte nop, jz. */
static void finds_instructions(void)
{
	static const int nr_before[] = { 0, 1, -1, -1, -1, -1, 2, -1, 3, -1 };
	static const uint64_t before[] = { 0, CODE, 0, 0, 0, 0, CODE + 1, 0, CODE + 6, 0 };
	const struct fargs_pt_node *node;
	uint64_t ip;
	int i, k;

	for (k = 0; k < 2; k++) {
		begin_test();
		memcpy(code + 1, "\x0f\x1f\x44\x00\x00\x74\x10", 7);
		options.has_sizes = k;
		make_graph();
		node = get(CODE);
		CHECK_INT(node->kind, FARGS_PT_NODE_COND);
		CHECK_INT(node->insn, FARGS_PT_INSN_COND);
		CHECK_INT(node->nr_insns, 3);
		CHECK_INT(node->bytes, 8);
		CHECK_INT(node->last_ip, CODE + 6);
		CHECK_INT(node->target, CODE + 0x18);
		CHECK_INT(fargs_pt_node_end(node), CODE + 8);
		CHECK(!node->sizes == !k);
		CHECK(!k || !memcmp(node->sizes, "\x01\x05\x02", 3));
		for (i = 0; i < 10; i++) {
			ip = 0;
			CHECK_INT(fargs_pt_graph_index(graph, node, CODE + i, &ip), nr_before[i]);
			CHECK(nr_before[i] < 0 || ip == before[i]);
		}
		CHECK_INT(fargs_pt_graph_index(graph, node, CODE - 1, &ip), -1);
		end_test();
	}
}

static void limits_nodes(void)
{
	const struct fargs_pt_node *node;

	begin_test();
	make_graph();
	node = get(CODE);
	CHECK_INT(node->kind, FARGS_PT_NODE_RUNS_ON);
	CHECK_INT(node->nr_insns, FARGS_PT_NODE_INSNS);
	CHECK_INT(node->bytes, FARGS_PT_NODE_INSNS);
	CHECK_INT(node->last_ip, CODE + FARGS_PT_NODE_INSNS - 1);
	end_test();
}

/* Tests code that ends after some instructions, within one: the next node is missing. */
static void ends_before_missing_code(void)
{
	const struct fargs_pt_node *node;

	begin_test();
	in.codes[0].bytes = 4;
	memcpy(code + 2, "\x0f\x1f\x44\x00\x00\xc3", 6);
	add_code(0x8000, 4, 0);
	add_code(CODE, 8, 100);
	make_graph();
	node = get(CODE);
	CHECK_INT(node->kind, FARGS_PT_NODE_RUNS_ON);
	CHECK_INT(node->nr_insns, 2);
	CHECK_INT(get(CODE + 2)->kind, FARGS_PT_NODE_MISSING);
	CHECK_INT(get(CODE + 2)->nr_insns, 0);
	CHECK_INT(get(0x7000)->kind, FARGS_PT_NODE_MISSING);
	/* The missing code appears: it continues the node. */
	CHECK_INT(fargs_pt_graph_until(graph), 100);
	CHECK_INT(fargs_pt_graph_move(graph, 100), 1);
	CHECK_INT(node->kind, FARGS_PT_NODE_STALE);
	CHECK(get(CODE) == node);
	CHECK_INT(node->kind, FARGS_PT_NODE_RETURN);
	CHECK_INT(node->nr_insns, 4);
	CHECK_INT(get(CODE + 2)->nr_insns, 2);
	CHECK_INT(fargs_pt_graph_move(graph, 99), 1);
	CHECK_INT(get(CODE)->nr_insns, 2);
	CHECK_INT(get(CODE + 2)->kind, FARGS_PT_NODE_MISSING);
	end_test();
}

static void has_bad_nodes(void)
{
	begin_test();
	code[0x10] = 0x06;	/* PUSH ES, undefined in 64-bit mode */
	make_graph();
	CHECK_INT(get(CODE + 0x10)->kind, FARGS_PT_NODE_BAD);
	CHECK_INT(get(CODE + 0xf)->kind, FARGS_PT_NODE_RUNS_ON);
	CHECK_INT(get(CODE + 0xf)->nr_insns, 1);
	end_test();
}

/* Tests which nodes a poke makes stale: those with its bytes, on one page or two. */
static void pokes_make_nodes_stale(void)
{
	struct fargs_pt_node *before, *at, *after, *across;

	begin_test();
	code[0x10] = 0xc3;
	code[0x60] = 0xc3;
	code[0xfff] = 0x66;
	code[0x1001] = 0xc3;
	add_poke(100, CODE + 0x60, "\xc3\x90", 1);
	add_poke(200, CODE + 0x1001, "\xc3\xf4", 1);
	make_graph();
	before = get(CODE);
	at = get(CODE + 0x50);
	after = get(CODE + 0x61);
	across = get(CODE + 0xff0);
	CHECK_INT(across->kind, FARGS_PT_NODE_RETURN);
	CHECK_INT(fargs_pt_graph_move(graph, 100), 1);
	CHECK_INT(before->kind, FARGS_PT_NODE_RETURN);
	CHECK_INT(at->kind, FARGS_PT_NODE_STALE);
	CHECK(after->kind != FARGS_PT_NODE_STALE);
	CHECK_INT(across->kind, FARGS_PT_NODE_RETURN);
	CHECK(get(CODE + 0x50) == at);
	CHECK_INT(at->nr_insns, FARGS_PT_NODE_INSNS);
	CHECK_INT(fargs_pt_graph_move(graph, 200), 1);
	CHECK_INT(across->kind, FARGS_PT_NODE_STALE);
	CHECK(get(CODE + 0xff0) == across);
	CHECK_INT(across->kind, FARGS_PT_NODE_RUNS_ON);
	/* Back to the beginning. */
	CHECK_INT(fargs_pt_graph_move(graph, 0), 2);
	CHECK_INT(get(CODE + 0x50)->kind, FARGS_PT_NODE_RETURN);
	CHECK_INT(at->nr_insns, 0x11);
	CHECK_INT(get(CODE + 0xff0)->kind, FARGS_PT_NODE_RETURN);
	CHECK_INT(before->kind, FARGS_PT_NODE_RETURN);
	end_test();
}

/* Tests a place that is patched again and again: that needs no more memory each time. */
static void changes_need_no_memory(void)
{
	size_t bytes;
	unsigned int i;

	begin_test();
	code[0x60] = 0xc3;
	add_poke(100, CODE + 8, "\x90\xc3", 1);
	make_graph();
	get(CODE);
	bytes = fargs_pt_graph_bytes(graph);
	for (i = 0; i < 10000; i++) {
		fargs_pt_graph_move(graph, i & 1 ? 0 : 100);
		CHECK_INT(get(CODE)->nr_insns, i & 1 ? 0x61 : 9);
	}
	CHECK_INT(fargs_pt_graph_bytes(graph), bytes);
	end_test();
}

/* Tests a mapping whose size is damaged: its pages cannot be visited one by one. */
static void code_may_be_huge(void)
{
	struct fargs_pt_node *node;

	begin_test();
	in.codes[0].addr = 0x10000;
	add_code(0x8000, UINT64_MAX / 2, 100);
	add_code(0x9000, UINT64_MAX, 200);
	make_graph();
	node = get(0x10000);
	CHECK_INT(get(0x8000)->kind, FARGS_PT_NODE_MISSING);
	CHECK_INT(fargs_pt_graph_move(graph, 100), 1);
	CHECK_INT(node->kind, FARGS_PT_NODE_STALE);
	CHECK_INT(get(0x8000)->kind, FARGS_PT_NODE_RUNS_ON);
	CHECK_INT(fargs_pt_graph_move(graph, 200), 1);
	end_test();
}

/* Tests the last page of the address space. */
static void memory_has_an_end(void)
{
	const uint64_t end = -(uint64_t)16;
	struct fargs_pt_node *node;

	begin_test();
	in.codes[0].addr = end;
	in.codes[0].bytes = 16;
	add_code(0, 16, 0);
	add_poke(100, UINT64_MAX, "\x90\xc3", 1);
	make_graph();
	node = get(end);
	CHECK_INT(node->kind, FARGS_PT_NODE_RUNS_ON);
	CHECK_INT(node->nr_insns, 16);
	CHECK_INT(fargs_pt_node_end(node), 0);
	CHECK_INT(fargs_pt_graph_move(graph, 100), 1);
	CHECK_INT(node->kind, FARGS_PT_NODE_STALE);
	CHECK_INT(get(end)->kind, FARGS_PT_NODE_RETURN);
	end_test();
}

static bool begins(const void *arg, uint64_t ip)
{
	CHECK(arg == code);
	return ip == CODE + 4;
}

static void has_flags(void)
{
	static const uint64_t marks[] = { 0, CODE + 3, CODE + 0x20 };

	begin_test();
	memcpy(code + 4, "\xf3\x0f\xae\xe0", 4);
	memcpy(code + 8, "\x0f\x22\xd8\xc3", 4);
	options.marks = marks;
	options.nr_marks = 3;
	options.begins = begins;
	options.arg = code;
	make_graph();
	CHECK_INT(get(CODE)->flags, FARGS_PT_NODE_MARKED | FARGS_PT_NODE_PTWRITE);
	CHECK_INT(get(CODE + 3)->flags, FARGS_PT_NODE_MARKED | FARGS_PT_NODE_PTWRITE);
	CHECK_INT(get(CODE + 4)->flags, FARGS_PT_NODE_BEGINS | FARGS_PT_NODE_PTWRITE);
	CHECK_INT(get(CODE + 4)->kind, FARGS_PT_NODE_RUNS_ON);
	CHECK_INT(get(CODE + 8)->flags, FARGS_PT_NODE_CR3);
	CHECK_INT(get(CODE + 8)->kind, FARGS_PT_NODE_RUNS_ON);
	CHECK_INT(get(CODE + 0xb)->flags, 0);
	CHECK_INT(get(CODE + 0xc)->flags, FARGS_PT_NODE_MARKED);
	CHECK_INT(get(CODE + 0x21)->flags, 0);
	end_test();
}

/* Tests nodes at all addresses, in all modes: each is found again. */
static void finds_nodes_again(void)
{
	static struct fargs_pt_node *nodes[3 * NR_SIZES];
	unsigned int i;

	begin_test();
	code[0] = 0x48;		/* DEC EAX or AX; REX.W in 64-bit mode */
	make_graph();
	for (i = 0; i < 3 * NR_SIZES; i++)
		nodes[i] = fargs_pt_graph_get(graph, CODE + i / 3, i % 3);
	for (i = 0; i < 3 * NR_SIZES; i++) {
		CHECK(fargs_pt_graph_get(graph, CODE + i / 3, i % 3) == nodes[i]);
		CHECK(nodes[i]->ip == CODE + i / 3 && nodes[i]->mode == i % 3);
	}
	CHECK_INT(nodes[FARGS_PT_EXEC_64]->sizes[0], 2);
	CHECK_INT(nodes[FARGS_PT_EXEC_32]->sizes[0], 1);
	CHECK_INT(nodes[FARGS_PT_EXEC_16]->sizes[0], 1);
	end_test();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "instructions of a node are found", finds_instructions },
		{ "nodes have a limited size", limits_nodes },
		{ "nodes end before missing code", ends_before_missing_code },
		{ "bytes that are no instruction are a node", has_bad_nodes },
		{ "pokes make the nodes with their bytes stale", pokes_make_nodes_stale },
		{ "changes need no memory each time", changes_need_no_memory },
		{ "code may have a damaged size", code_may_be_huge },
		{ "code ends at the last address", memory_has_an_end },
		{ "nodes have flags", has_flags },
		{ "nodes are found again, in each mode", finds_nodes_again },
	};

	return TEMP_RUN(tests);
}
