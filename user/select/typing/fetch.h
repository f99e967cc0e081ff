/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Type-checks an expression of a selector, before code is generated for it.
 */
#ifndef FARGS_SELECT_TYPING_FETCH_H
#define FARGS_SELECT_TYPING_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "select/typing/path.h"
#include "select/typing/scalar.h"
#include "select/typing/typing.h"
#include "uapi/fargs_prog.h"

enum fargs_fetch_kind {
	FARGS_FETCH_SCALAR,	/* a number of up to 128 bits */
	FARGS_FETCH_STRING,
	FARGS_FETCH_OBJECT,	/* struct, union or array */
	FARGS_FETCH_RANGE,
	FARGS_FETCH_TREE,	/* the path of a node of a tree, such as a dentry */
	FARGS_FETCH_SOCKADDR,	/* a socket address, as long as its family needs */
	FARGS_FETCH_PACKET,	/* the IP header of a struct sk_buff, and what follows it */
};

/* FARGS_FETCH_TREE: how the path is found from the node at the end of fargs_fetch.path. */
struct fargs_fetch_tree {
	struct fargs_tree offsets;
	bool has_mount;
	/* The following members are set only if @has_mount is. */
	struct fargs_path mount;	/* to the pointer to the struct vfsmount */
	uint16_t mount_offset;		/* of struct vfsmount in its struct mount, in bytes */
};

/* FARGS_FETCH_PACKET: offsets of members in the struct sk_buff at the end of fargs_fetch.path. */
struct fargs_fetch_packet {
	uint16_t protocol, network_header, tail, head;
};

struct fargs_fetch {
	enum fargs_fetch_kind kind;
	enum fargs_format format;
	const struct fargs_node *node;
	/*
	 * Path to the value; for FARGS_FETCH_STRING and FARGS_FETCH_RANGE, to an array or a
	 * pointer.
	 */
	struct fargs_path path;
	struct fargs_scalar scalar;	/* set only for FARGS_FETCH_SCALAR */
	/* For FARGS_FETCH_STRING and _RANGE: the path ends at an array, not at a pointer. */
	bool is_there;
	uint8_t space;			/* enum fargs_space, for FARGS_FETCH_STRING */
	/* FARGS_FETCH_OBJECT: size; FARGS_FETCH_STRING: maximum size, 0: unknown. */
	uint64_t bytes;
	/* The following members are set only for FARGS_FETCH_RANGE. */
	uint32_t element_id;		/* BTF id of the elements' type; 0: bytes */
	uint64_t element_bytes;
	/* Index at which the range starts, or the expression for it; NULL: @from. */
	int64_t from;
	const struct fargs_node *start;
	/* Expression for the index at which the range ends, exclusive. */
	const struct fargs_node *end;
	struct fargs_fetch_tree tree;	/* set only for FARGS_FETCH_TREE */
	struct fargs_fetch_packet packet;	/* set only for FARGS_FETCH_PACKET */
};

/* Fails if @path, of @node, starts at the result, but is evaluated at the call. */
int fargs_fetch_check_time(const struct fargs_path *path, const struct fargs_typing *typing,
			   const struct fargs_node *node);
/* Type-checks @node for the function of @typing, and fills @fetch. */
int fargs_fetch_init(struct fargs_fetch *fetch, const struct fargs_typing *typing,
		     const struct fargs_node *node);
/*
 * Like fargs_fetch_init(), but fetches the value as a string even if @node has no format. Fails if
 * that is impossible, or if @node has a format that is not shown as a string. Formats from
 * FARGS_FORMAT_PATH on are strings only once they are shown, apart from ":bdev": their kind is not
 * FARGS_FETCH_STRING.
 */
int fargs_fetch_init_string(struct fargs_fetch *fetch, const struct fargs_typing *typing,
			    const struct fargs_node *node);

#endif
