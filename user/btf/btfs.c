// SPDX-License-Identifier: GPL-2.0-only
#include "btf/btfs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "btf/verify.h"
#include "util/file.h"

#define SYSFS_BTF	"/sys/kernel/btf"

struct entry {
	char *name;
	void *data;
	size_t size;
	struct btf *btf;
};

struct fargs_btfs {
	struct entry *entries;	/* vmlinux is the first one */
	size_t nr;
	bool is_live;		/* modules are read from sysfs when asked for */
};

static struct entry *find(const struct fargs_btfs *set, const char *name)
{
	size_t i;

	for (i = 0; i < set->nr; i++)
		if (!strcmp(set->entries[i].name, name))
			return &set->entries[i];
	return NULL;
}

/*
 * libbpf before 1.2 declares btf__new_split() without exporting it: split BTF
 * comes from a file there, here one in memory.
 */
static struct btf *new_split(const void *data, size_t size, struct btf *base)
{
	int fd = memfd_create("btf", MFD_CLOEXEC);
	struct btf *btf = NULL;
	size_t done = 0;
	char path[32];
	int saved;

	if (fd < 0)
		return NULL;
	while (done < size) {
		ssize_t n = write(fd, (const char *)data + done, size - done);

		if (n < 0 && errno != EINTR)
			goto out;
		done += n < 0 ? 0 : n;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	btf = btf__parse_raw_split(path, base);
out:
	saved = errno;
	close(fd);
	errno = saved;
	return btf;
}

/* Takes @data. */
static int add(struct fargs_btfs *set, const char *name, void *data, size_t size,
	       struct fargs_error_text *err)
{
	bool is_base = !strcmp(name, FARGS_BTF_VMLINUX);
	struct entry *larger;
	struct entry e = { .data = data, .size = size };
	int ret;

	if (is_base != !set->nr) {
		ret = fargs_fail(err, EINVAL, is_base ? "BTF of vmlinux is there twice"
						      : "BTF of vmlinux is missing");
		goto err_data;
	}
	if (size > UINT32_MAX) {
		ret = fargs_fail(err, E2BIG, "BTF of %s is too large", name);
		goto err_data;
	}
	e.btf = is_base ? btf__new(data, size) : new_split(data, size, set->entries[0].btf);
	if (!e.btf) {
		ret = fargs_fail(err, EINVAL, "BTF of %s makes no sense: %s", name,
				 strerror(errno));
		goto err_data;
	}
	ret = fargs_btf_verify(e.btf, name, err);
	if (ret)
		goto err_btf;
	e.name = strdup(name);
	larger = realloc(set->entries, (set->nr + 1) * sizeof(*larger));
	if (larger)
		set->entries = larger;
	if (!e.name || !larger) {
		ret = fargs_fail(err, ENOMEM, "no memory for BTF of %s", name);
		goto err_btf;
	}
	set->entries[set->nr++] = e;
	return 0;

err_btf:
	btf__free(e.btf);
	free(e.name);
err_data:
	free(data);
	return ret;
}

static int add_live(struct fargs_btfs *set, const char *name, struct fargs_error_text *err)
{
	char path[sizeof(SYSFS_BTF) + 256];
	size_t size;
	void *data;

	snprintf(path, sizeof(path), SYSFS_BTF "/%s", name);
	data = fargs_file_read(path, &size);
	if (data)
		return add(set, name, data, size, err);
	if (errno != ENOENT)
		return fargs_fail(err, errno, "cannot read %s: %s", path, strerror(errno));
	if (!strcmp(name, FARGS_BTF_VMLINUX))
		return fargs_fail(err, ENOENT, "this kernel has no BTF (CONFIG_DEBUG_INFO_BTF): "
				  "boot one that was built with it");
	return fargs_fail(err, ENOENT, "module %s is not loaded or was built without BTF", name);
}

struct fargs_btfs *fargs_btfs_create(void)
{
	/* What libbpf finds wrong is told by our own error. */
	libbpf_set_print(NULL);
	return calloc(1, sizeof(struct fargs_btfs));
}

struct fargs_btfs *fargs_btfs_load(struct fargs_error_text *err)
{
	struct fargs_btfs *set = fargs_btfs_create();

	if (!set) {
		fargs_fail(err, ENOMEM, "no memory for BTF");
		return NULL;
	}
	set->is_live = true;
	if (add_live(set, FARGS_BTF_VMLINUX, err)) {
		fargs_btfs_destroy(set);
		return NULL;
	}
	return set;
}

void fargs_btfs_destroy(struct fargs_btfs *set)
{
	if (!set)
		return;
	/* Split BTF before its base, which is the first one. */
	while (set->nr--) {
		btf__free(set->entries[set->nr].btf);
		free(set->entries[set->nr].data);
		free(set->entries[set->nr].name);
	}
	free(set->entries);
	free(set);
}

int fargs_btfs_add(struct fargs_btfs *set, const char *name, const void *data, size_t size,
		   struct fargs_error_text *err)
{
	void *copy;

	if (find(set, name))
		return fargs_fail(err, EEXIST, "BTF of %s is there twice", name);
	copy = malloc(size ? size : 1);
	if (!copy)
		return fargs_fail(err, ENOMEM, "no memory for BTF of %s", name);
	memcpy(copy, data, size);
	return add(set, name, copy, size, err);
}

struct btf *fargs_btfs_get(struct fargs_btfs *set, const char *name, struct fargs_error_text *err)
{
	struct entry *e = find(set, name);

	if (!e && set->is_live && !strchr(name, '/') && !add_live(set, name, err))
		e = find(set, name);
	else if (!e && !set->is_live)
		fargs_fail(err, ENOENT, "there is no BTF of %s", name);
	return e ? e->btf : NULL;
}

const void *fargs_btfs_raw(struct fargs_btfs *set, const char *name, size_t *size)
{
	struct entry *e = find(set, name);

	if (!e)
		return NULL;
	*size = e->size;
	return e->data;
}

const char *fargs_btfs_name(const struct fargs_btfs *set, size_t i)
{
	return i < set->nr ? set->entries[i].name : NULL;
}
