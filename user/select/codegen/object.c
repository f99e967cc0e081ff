// SPDX-License-Identifier: GPL-2.0-only
#include "select/codegen/object.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <sys/socket.h>

#include "select/codegen/load.h"
#include "select/codegen/values.h"

/* The longest IP header, and the ports after it */
#define HEADERS_MAX	64

/* Appends the path of the node at r0. */
static int put_tree(struct fargs_binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		    const struct fargs_fetch *f)
{
	const struct fargs_scalar word = { .bits = 64 };
	unsigned int cap = b->options->str_cap, offsets;
	int ret = fargs_load_address(gen, &f->path, f->node, 0);

	if (!ret && f->tree.has_mount)
		ret = fargs_load_scalar(gen, &f->tree.mount, &word, f->node, 1);
	if (ret)
		return ret;
	fargs_code_op(gen->code, FARGS_OP_ADD, 1, -(uint64_t)f->tree.mount_offset);
	offsets = fargs_pool_add(gen->pool, (const char *)&f->tree.offsets,
				 sizeof(f->tree.offsets));
	ret = fargs_values_append(b, gen, node, cap);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_PUT_PATH, .src = 0, .dst = f->tree.has_mount, .off = ret,
		.arg = f->tree.has_mount ? FARGS_TREE_MOUNTS : 0,
		.imm = (uint64_t)offsets << 16 | cap,
	});
	if (ret >= 0 && ++gen->code->nr_paths > FARGS_PATHS_MAX)
		return fargs_gen_fail(gen, node, "too many paths: at most %d can be recorded",
				      FARGS_PATHS_MAX);
	return ret < 0 ? ret : 0;
}

static void add_load(struct fargs_gen *gen, unsigned int dst, unsigned int bytes, int off)
{
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_LOAD, .dst = dst, .src = 0, .arg = bytes, .off = off,
		.imm = FARGS_SPACE_ANY,
	});
}

static void add_jump(struct fargs_gen *gen, unsigned int reg, enum fargs_cond cond, uint64_t imm,
		     struct fargs_label *to)
{
	fargs_code_jump(gen->code, (struct fargs_insn){
		.op = FARGS_OP_JIF, .dst = reg, .arg = cond, .imm = imm,
	}, to);
}

/* Appends r1 bytes of memory at r0, at most @max. */
static int put_bytes(struct fargs_binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		     unsigned int max)
{
	int ret = fargs_values_append(b, gen, node, max);

	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_PUT_MEM, .dst = 1, .src = 0, .arg = FARGS_SPACE_ANY, .off = ret,
		.imm = max,
	});
	return ret < 0 ? ret : 0;
}

/* Generates r1 = 0, which is unreadable if r2 is. */
static void load_zero(struct fargs_gen *gen)
{
	fargs_code_add(gen->code, (struct fargs_insn){ .op = FARGS_OP_MOV, .dst = 1, .src = 2 });
	fargs_code_add(gen->code, (struct fargs_insn){ .op = FARGS_OP_AND, .dst = 1, .imm = 0 });
}

/* Appends a socket address, of the size that its family has. */
static int put_sockaddr(struct fargs_binder *b, struct fargs_gen *gen,
			const struct fargs_node *node, const struct fargs_fetch *f)
{
	struct fargs_label not_inet6 = { };
	int ret = fargs_load_address(gen, &f->path, f->node, 0);

	if (ret)
		return ret;
	add_load(gen, 2, sizeof(sa_family_t), 0);
	load_zero(gen);
	fargs_code_op(gen->code, FARGS_OP_ADD, 1, sizeof(struct sockaddr_in));
	add_jump(gen, 2, FARGS_COND_NE, AF_INET6, &not_inet6);
	fargs_code_op(gen->code, FARGS_OP_ADD, 1,
		      sizeof(struct sockaddr_in6) - sizeof(struct sockaddr_in));
	fargs_code_bind(gen->code, &not_inet6);
	return put_bytes(b, gen, node, sizeof(struct sockaddr_in6));
}

/*
 * Appends the IP header of a packet and what follows it, as far as it is in the packet's linear
 * data. Appends no bytes if the packet is not IP, or the kernel has not located its header yet: its
 * offset is then 0 or all ones, which no header has, because there is room for the link layer's.
 */
static int put_packet(struct fargs_binder *b, struct fargs_gen *gen,
		      const struct fargs_node *node, const struct fargs_fetch *f)
{
	struct fargs_label is_ip = { }, end = { };
	int ret = fargs_load_address(gen, &f->path, f->node, 0);

	if (ret)
		return ret;
	add_load(gen, 2, 2, f->packet.protocol);
	load_zero(gen);
	add_jump(gen, 2, FARGS_COND_EQ, htons(ETH_P_IP), &is_ip);
	add_jump(gen, 2, FARGS_COND_EQ, htons(ETH_P_IPV6), &is_ip);
	fargs_code_jump(gen->code, (struct fargs_insn){ .op = FARGS_OP_JMP }, &end);
	fargs_code_bind(gen->code, &is_ip);
	add_load(gen, 3, 2, f->packet.network_header);
	add_jump(gen, 3, FARGS_COND_EQ, 0, &end);
	add_jump(gen, 3, FARGS_COND_EQ, UINT16_MAX, &end);
	add_load(gen, 1, 4, f->packet.tail);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_SUB_REG, .dst = 1, .src = 3,
	});
	add_load(gen, 0, 8, f->packet.head);
	fargs_code_add(gen->code, (struct fargs_insn){
		.op = FARGS_OP_ADD_REG, .dst = 0, .src = 3,
	});
	fargs_code_bind(gen->code, &end);
	return put_bytes(b, gen, node, HEADERS_MAX);
}

int fargs_object_put(struct fargs_binder *b, struct fargs_gen *gen, const struct fargs_node *node,
		     const struct fargs_fetch *f)
{
	switch (f->kind) {
	case FARGS_FETCH_TREE:
		return put_tree(b, gen, node, f);
	case FARGS_FETCH_SOCKADDR:
		return put_sockaddr(b, gen, node, f);
	default:
		return put_packet(b, gen, node, f);
	}
}
