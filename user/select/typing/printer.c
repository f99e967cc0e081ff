// SPDX-License-Identifier: GPL-2.0-only
#include "select/typing/printer.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "select/typing/member.h"
#include "select/typing/typename.h"

#define TEXT_MAX	96
#define STEPS_MAX	4

/*
 * The members that lead from an object of a type to what its format needs: to a node of a tree, or
 * to a name. A step through a pointer is a step of its own.
 */
struct route {
	enum fargs_format format;
	const char *type;		/* the object's struct */
	const char *steps[STEPS_MAX];
};

static const struct route routes[] = {
	{ FARGS_FORMAT_PATH, "dentry", { } },
	{ FARGS_FORMAT_PATH, "path", { "dentry" } },
	{ FARGS_FORMAT_PATH, "file", { "f_path", "dentry" } },
	{ FARGS_FORMAT_PATH, "kernfs_node", { } },
	{ FARGS_FORMAT_CGROUP, "cgroup", { "kn" } },
	{ FARGS_FORMAT_CGROUP, "cgroup_subsys_state", { "cgroup", "kn" } },
	{ FARGS_FORMAT_CGROUP, "css_set", { "dfl_cgrp", "kn" } },
	{ FARGS_FORMAT_CGROUP, "task_struct", { "cgroups", "dfl_cgrp", "kn" } },
	{ FARGS_FORMAT_BDEV, "block_device", { "bd_device", "kobj", "name" } },
	{ FARGS_FORMAT_BDEV, "bio", { "bi_bdev", "bd_device", "kobj", "name" } },
	{ FARGS_FORMAT_BDEV, "gendisk", { "disk_name" } },
	{ FARGS_FORMAT_BDEV, "request", { "q", "disk", "disk_name" } },
	{ FARGS_FORMAT_BDEV, "request_queue", { "disk", "disk_name" } },
	{ FARGS_FORMAT_INET, "in_addr", { } },
	{ FARGS_FORMAT_INET, "in6_addr", { } },
	{ FARGS_FORMAT_INET, "sockaddr", { } },
	{ FARGS_FORMAT_INET, "sockaddr_unsized", { } },
	{ FARGS_FORMAT_INET, "__kernel_sockaddr_storage", { } },
	{ FARGS_FORMAT_INET, "sockaddr_in", { } },
	{ FARGS_FORMAT_INET, "sockaddr_in6", { } },
	{ FARGS_FORMAT_INET, "sockaddr_un", { } },
	{ FARGS_FORMAT_INET, "sock_common", { } },
	{ FARGS_FORMAT_INET, "sock", { "__sk_common" } },
	{ FARGS_FORMAT_INET, "socket", { "sk", "__sk_common" } },
	{ FARGS_FORMAT_INET, "inet_sock", { "sk", "__sk_common" } },
	{ FARGS_FORMAT_SKB, "sk_buff", { } },
};

#define NR_ROUTES	(sizeof(routes) / sizeof(routes[0]))

static const struct btf_type *type_at(const struct fargs_path *path, const struct btf *btf)
{
	return path->base_id ? btf__type_by_id(btf, path->base_id) : NULL;
}

/* BTF need not describe the pointer type of a cast. */
static bool is_pointer(const struct fargs_path *path, const struct btf *btf)
{
	const struct btf_type *t = type_at(path, btf);

	return path->pointers || (t && btf_is_ptr(t));
}

static bool is_struct(const struct btf *btf, const struct btf_type *t, const char *name)
{
	return t && btf_is_struct(t) && !strcmp(btf__name_by_offset(btf, t->name_off), name);
}

/* Sets *@bits to the offset of a member that structs of all kernels have, maybe by another name. */
static bool find_offset(const struct btf *btf, const char *type, const char *name,
			const char *other, uint64_t *bits)
{
	int id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);
	struct fargs_member member;

	if (id <= 0 || (!fargs_member_find(&member, btf, id, name, strlen(name)) &&
			!(other && fargs_member_find(&member, btf, id, other, strlen(other)))))
		return false;
	*bits = member.bit_offset;
	return true;
}

static bool find_byte(const struct btf *btf, const char *type, const char *name,
		      const char *other, uint16_t *to)
{
	uint64_t bits;

	if (!find_offset(btf, type, name, other, &bits) || bits / 8 > UINT16_MAX)
		return false;
	*to = bits / 8;
	return true;
}

/* Fills the offsets of dentries and mounts, or of kernfs nodes. */
static bool init_tree(struct fargs_fetch_tree *tree, const struct btf *btf, bool is_dentry)
{
	struct fargs_tree *of = &tree->offsets;
	uint16_t string, vfsmount, root;

	/* The parent's member was renamed in Linux 6.15. */
	if (!is_dentry)
		return find_byte(btf, "kernfs_node", "name", NULL, &of->name) &&
		       find_byte(btf, "kernfs_node", "parent", "__parent", &of->parent);
	if (!find_byte(btf, "dentry", "d_name", "__d_name", &of->name) ||
	    !find_byte(btf, "qstr", "name", NULL, &string) ||
	    !find_byte(btf, "dentry", "d_parent", NULL, &of->parent))
		return false;
	of->name += string;
	if (!tree->has_mount)
		return true;
	if (!find_byte(btf, "mount", "mnt", NULL, &vfsmount) ||
	    !find_byte(btf, "vfsmount", "mnt_root", NULL, &root) ||
	    !find_byte(btf, "mount", "mnt_mountpoint", NULL, &of->mountpoint) ||
	    !find_byte(btf, "mount", "mnt_parent", NULL, &of->outer))
		return false;
	of->root = vfsmount + root;
	tree->mount_offset = vfsmount;
	return true;
}

/* Follows the pointer at the end of the path, if there is one. */
static int enter(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	return is_pointer(&f->path, typing->func->btf) ?
	       fargs_path_deref(&f->path, typing->func, f->node, typing->diagnostic) : 0;
}

/* Moves the path to the member @name of the struct at its end, or that it points to. */
static int step(struct fargs_path *path, const struct fargs_fetch *f,
		const struct fargs_typing *typing, const char *name)
{
	const struct btf *btf = typing->func->btf;
	const struct btf_type *t;
	struct fargs_member member;
	int ret = is_pointer(path, btf) ? fargs_path_deref(path, typing->func, f->node,
							   typing->diagnostic) : 0;

	if (ret)
		return ret;
	t = type_at(path, btf);
	if (!t || !btf_is_composite(t) ||
	    !fargs_member_find(&member, btf, path->base_id, name, strlen(name)))
		return fargs_typing_fail(typing, f->node, "this kernel's BTF has no member '%s' "
					 "that the format needs", name);
	path->bit_offsets[path->nr_derefs] += member.bit_offset;
	path->type_id = member.type_id;
	path->base_id = fargs_param_strip(btf, member.type_id);
	path->bitfield_bits = 0;
	return 0;
}

static int fail_type(const struct fargs_fetch *f, const struct fargs_typing *typing)
{
	char text[TEXT_MAX], name[FARGS_TYPENAME_MAX], types[160] = "";
	size_t i, n = 0;

	for (i = 0; i < NR_ROUTES && n < sizeof(types); i++) {
		if (routes[i].format != f->format)
			continue;
		n += snprintf(types + n, sizeof(types) - n, "%s%s", n ? ", " : "", routes[i].type);
	}
	fargs_node_text(f->node, text, sizeof(text));
	return fargs_typing_fail(typing, f->node, "'%s' is of type %s; ':%s' is for struct %s",
				 text, fargs_path_typename(&f->path, typing->func->btf, name),
				 fargs_format_name(f->format), types);
}

/* Remembers where the mount is: next to the dentry, in a struct path. */
static int find_mount(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	const struct btf_type *t = type_at(&f->path, typing->func->btf);

	if (!is_struct(typing->func->btf, t, "path"))
		return 0;
	f->tree.has_mount = true;
	f->tree.mount = f->path;
	return step(&f->tree.mount, f, typing, "mnt");
}

static int follow(struct fargs_fetch *f, const struct fargs_typing *typing,
		  const struct route *route)
{
	unsigned int i;
	int ret = find_mount(f, typing);

	for (i = 0; !ret && i < STEPS_MAX && route->steps[i]; i++) {
		ret = step(&f->path, f, typing, route->steps[i]);
		if (!ret)
			ret = find_mount(f, typing);
	}
	return ret;
}

static int finish_name(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	const struct btf_type *t = type_at(&f->path, typing->func->btf);

	f->kind = FARGS_FETCH_STRING;
	f->space = FARGS_SPACE_KERNEL;
	f->is_there = t && btf_is_array(t);
	f->bytes = f->is_there ? btf_array(t)->nelems : 0;
	return 0;
}

static int finish_tree(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	const struct btf *btf = typing->func->btf;
	int ret = enter(f, typing);
	bool is_dentry = is_struct(btf, type_at(&f->path, btf), "dentry");

	if (ret)
		return ret;
	f->kind = FARGS_FETCH_TREE;
	if (init_tree(&f->tree, btf, is_dentry))
		return 0;
	return fargs_typing_fail(typing, f->node, "this kernel's BTF does not describe %s",
				 is_dentry ? "dentries and mounts" : "kernfs nodes");
}

static int finish_object(struct fargs_fetch *f, const struct fargs_typing *typing, int64_t bytes)
{
	f->kind = FARGS_FETCH_OBJECT;
	f->bytes = bytes;
	return bytes > 0 ? 0 : fargs_typing_fail(typing, f->node, "BTF does not describe its type");
}

static int finish_inet(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	const struct btf *btf = typing->func->btf;
	const struct btf_type *t = type_at(&f->path, btf);

	/* A struct sockaddr_un has the path of its address, other types only its family. */
	if (is_struct(btf, t, "in_addr") || is_struct(btf, t, "in6_addr") ||
	    is_struct(btf, t, "sock_common") || is_struct(btf, t, "sockaddr_un"))
		return finish_object(f, typing, btf__resolve_size(btf, f->path.type_id));
	f->kind = FARGS_FETCH_SOCKADDR;
	return 0;
}

static int finish_packet(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	const struct btf *btf = typing->func->btf;
	struct fargs_fetch_packet *p = &f->packet;

	f->kind = FARGS_FETCH_PACKET;
	if (find_byte(btf, "sk_buff", "protocol", NULL, &p->protocol) &&
	    find_byte(btf, "sk_buff", "network_header", NULL, &p->network_header) &&
	    find_byte(btf, "sk_buff", "tail", NULL, &p->tail) &&
	    find_byte(btf, "sk_buff", "head", NULL, &p->head))
		return 0;
	return fargs_typing_fail(typing, f->node, "this kernel's BTF does not describe packets");
}

static int finish(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	switch (f->format) {
	case FARGS_FORMAT_BDEV:
		return finish_name(f, typing);
	case FARGS_FORMAT_INET:
		return finish_inet(f, typing);
	case FARGS_FORMAT_SKB:
		return finish_packet(f, typing);
	default:
		return finish_tree(f, typing);
	}
}

/* Is the type void, a byte, or an array of bytes that can contain @bytes of them? */
static bool has_bytes(const struct btf *btf, const struct btf_type *t, uint32_t bytes)
{
	if (!t || btf_is_void(t))
		return true;
	if (btf_is_array(t))
		return (!btf_array(t)->nelems || btf_array(t)->nelems >= bytes) &&
		       btf__resolve_size(btf, btf_array(t)->type) == 1;
	return btf_is_int(t) && t->size == 1;
}

/* The bytes of a MAC address or a UUID: at a pointer, in an array, or in a type of that size. */
static int init_bytes(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	const struct btf *btf = typing->func->btf;
	uint32_t bytes = f->format == FARGS_FORMAT_MAC ? 6 : 16;
	const struct fargs_path start = f->path;
	const struct btf_type *t;
	char text[TEXT_MAX], name[FARGS_TYPENAME_MAX];
	bool is_address;
	int ret = enter(f, typing);

	if (ret)
		return ret;
	t = type_at(&f->path, btf);
	is_address = is_pointer(&start, btf) && !f->path.pointers;
	if ((t && btf_is_struct(t) && t->size == bytes) ||
	    ((is_address || (t && btf_is_array(t))) && has_bytes(btf, t, bytes)))
		return finish_object(f, typing, bytes);
	fargs_node_text(f->node, text, sizeof(text));
	return fargs_typing_fail(typing, f->node, "'%s' is of type %s; ':%s' is for %u bytes", text,
				 fargs_path_typename(&start, btf, name),
				 fargs_format_name(f->format), bytes);
}

int fargs_printer_init(struct fargs_fetch *f, const struct fargs_typing *typing)
{
	const struct btf *btf = typing->func->btf;
	const struct fargs_path start = f->path;
	const struct btf_type *t = type_at(&start, btf);
	size_t i;
	int ret;

	if (f->format == FARGS_FORMAT_MAC || f->format == FARGS_FORMAT_UUID)
		return init_bytes(f, typing);
	/* An IPv4 address as a number in network byte order */
	if (f->format == FARGS_FORMAT_INET && t && btf_is_int(t) && t->size == 4) {
		f->kind = FARGS_FETCH_SCALAR;
		return fargs_scalar_init(&f->scalar, btf, f->path.base_id,
					 f->path.bitfield_bits) ? 0 : fail_type(f, typing);
	}
	ret = enter(f, typing);
	for (i = 0; !ret && i < NR_ROUTES; i++) {
		if (routes[i].format != f->format ||
		    !is_struct(btf, type_at(&f->path, btf), routes[i].type))
			continue;
		ret = follow(f, typing, &routes[i]);
		return ret ? ret : finish(f, typing);
	}
	f->path = start;
	return ret ? ret : fail_type(f, typing);
}
