// SPDX-License-Identifier: GPL-2.0-only
#include "kernel/btf/btfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/file.h"
#include "kernel/btf/split.h"
#include "kernel/btf/verify.h"

struct entry {
	char *name;
	void *data;
	size_t size;
	struct btf *btf;
};

struct fargs_btfs {
	struct entry *entries;	/* BTF of vmlinux first, then of modules */
	size_t nr;
	bool is_live;		/* BTF of modules is read from sysfs on first use */
	struct fargs_btfs_finder finder;	/* finder.find is NULL if there is no finder */
	char **complaints;
	size_t nr_complaints;
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
 * libbpf before 1.2 declares btf__new_split() without exporting it, and can read split BTF only
 * from a file. So the data is written to a file in memory.
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

struct btf *fargs_btf_parse(const void *data, size_t size, const struct btf *base)
{
	/* The cast is safe: libbpf does not modify the base. */
	return base ? new_split(data, size, (struct btf *)base) : btf__new(data, size);
}

/*
 * Adds the raw BTF @data, and takes ownership of it. @is_trusted: it is from the running kernel,
 * which was built with it. Verifying it would almost double what fargs list executes.
 */
static int add(struct fargs_btfs *set, const char *name, void *data, size_t size, bool is_trusted,
	       struct fargs_error_text *err)
{
	bool is_base = !strcmp(name, FARGS_BTF_VMLINUX);
	struct entry *larger;
	struct entry e = { .data = data, .size = size };
	int ret;

	if (is_base != !set->nr) {
		ret = fargs_fail(err, EINVAL, is_base ? "there are two BTFs of vmlinux"
						      : "BTF of vmlinux is missing");
		goto err_data;
	}
	if (size > UINT32_MAX) {
		ret = fargs_fail(err, E2BIG, "BTF of %s is too large", name);
		goto err_data;
	}
	e.btf = fargs_btf_parse(data, size, is_base ? NULL : set->entries[0].btf);
	if (!e.btf) {
		ret = fargs_fail(err, EINVAL, "BTF of %s is invalid: %s", name,
				 strerror(errno));
		goto err_data;
	}
	ret = is_trusted ? 0 : fargs_btf_verify(e.btf, name, err);
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

/* Adds the BTF that the finder returns for @name. Returns -ENOENT if it has none. */
static int add_found(struct fargs_btfs *set, const char *name, bool is_last,
		     struct fargs_error_text *err)
{
	const struct fargs_btfs_finder *finder = &set->finder;
	size_t size;
	void *data;
	int ret;

	if (!finder->find)
		return -ENOENT;
	ret = finder->find(finder->arg, name, set->nr ? set->entries[0].btf : NULL, is_last,
			   &data, &size, err);
	if (ret == 1)
		return add(set, name, data, size, false, err);
	return ret ? ret : -ENOENT;
}

/*
 * Adds BTF from sysfs. If there is a finder, the BTF of vmlinux in @set may be from a file: then
 * BTF of a module is added only if it fits the BTF of vmlinux.
 */
static int add_own(struct fargs_btfs *set, const char *name, struct fargs_error_text *err)
{
	char path[sizeof(FARGS_BTF_SYSFS) + 256];
	size_t size;
	void *data;

	snprintf(path, sizeof(path), FARGS_BTF_SYSFS "/%s", name);
	data = fargs_file_read(path, &size);
	if (!data)
		return errno == ENOENT ? -ENOENT : fargs_fail(err, errno, "cannot read '%s': %s",
							      path, strerror(errno));
	if (set->finder.find && set->nr &&
	    !fargs_btf_split_fits(data, size, set->entries[0].btf)) {
		free(data);
		return fargs_fail(err, EINVAL, "'%s' does not match the BTF of vmlinux given with "
				  "'--btf'",
				  path);
	}
	return add(set, name, data, size, true, err);
}

static int add_live(struct fargs_btfs *set, const char *name, struct fargs_error_text *err)
{
	int ret = add_found(set, name, false, err);

	if (ret == -ENOENT)
		ret = add_own(set, name, err);
	if (ret == -ENOENT)
		ret = add_found(set, name, true, err);
	if (ret != -ENOENT)
		return ret;
	if (!fargs_file_has_sys())
		return fargs_fail(err, ENOENT, "sysfs, which has the kernel's BTF, is not mounted: "
				  "mount -t sysfs none /sys");
	if (!strcmp(name, FARGS_BTF_VMLINUX))
		return fargs_fail(err, ENOENT, "this kernel has no BTF: boot a kernel with "
				  "CONFIG_DEBUG_INFO_BTF, or give BTF with '--btf'");
	return fargs_fail(err, ENOENT, "module '%s' is not loaded, or was built without BTF: give "
			  "its BTF with '--btf'", name);
}

/* Keeps @text for fargs_btfs_complaint(), unless it was kept before or there is no memory. */
static void complain(struct fargs_btfs *set, const char *text)
{
	char **larger;
	size_t i;

	/* Skip duplicates: failed lookups are not cached, so the same complaint can occur again. */
	for (i = 0; i < set->nr_complaints; i++)
		if (!strcmp(set->complaints[i], text))
			return;
	larger = realloc(set->complaints, (set->nr_complaints + 1) * sizeof(*larger));
	if (!larger)
		return;
	set->complaints = larger;
	larger[set->nr_complaints] = strdup(text);
	set->nr_complaints += !!larger[set->nr_complaints];
}

struct fargs_btfs *fargs_btfs_create(void)
{
	/* Silence libbpf: fargs reports errors itself. */
	libbpf_set_print(NULL);
	return calloc(1, sizeof(struct fargs_btfs));
}

struct fargs_btfs *fargs_btfs_load(const struct fargs_btfs_finder *finder,
				   struct fargs_error_text *err)
{
	struct fargs_btfs *set = fargs_btfs_create();

	if (!set) {
		fargs_fail(err, ENOMEM, "no memory for BTF");
		if (finder)
			finder->destroy(finder->arg);
		return NULL;
	}
	if (finder)
		set->finder = *finder;
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
	/* Split BTF must be freed before its base, the first entry. */
	while (set->nr--) {
		btf__free(set->entries[set->nr].btf);
		free(set->entries[set->nr].data);
		free(set->entries[set->nr].name);
	}
	free(set->entries);
	while (set->nr_complaints)
		free(set->complaints[--set->nr_complaints]);
	free(set->complaints);
	if (set->finder.find)
		set->finder.destroy(set->finder.arg);
	free(set);
}

/* Is @data the BTF of the running kernel, byte for byte? */
static bool is_running_kernels(const uint8_t *data, size_t size)
{
	int fd = open(FARGS_BTF_SYSFS "/" FARGS_BTF_VMLINUX, O_RDONLY | O_CLOEXEC);
	uint8_t piece[16384];
	struct stat st;
	size_t at = 0;
	ssize_t n = 1;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || (size_t)st.st_size != size)
		n = 0;
	for (; at < size && n > 0; at += n) {
		n = read(fd, piece, sizeof(piece));
		if (n <= 0 || (size_t)n > size - at || memcmp(piece, data + at, n))
			break;
	}
	close(fd);
	return at == size;
}

int fargs_btfs_add(struct fargs_btfs *set, const char *name, const void *data, size_t size,
		   struct fargs_error_text *err)
{
	void *copy;

	if (find(set, name))
		return fargs_fail(err, EEXIST, "there are two BTFs of %s", name);
	copy = malloc(size ? size : 1);
	if (!copy)
		return fargs_fail(err, ENOMEM, "no memory for BTF of %s", name);
	memcpy(copy, data, size);
	/* A recording is mostly read where it was made: comparing costs a tenth of verifying. */
	return add(set, name, copy, size, !strcmp(name, FARGS_BTF_VMLINUX) &&
		   is_running_kernels(data, size), err);
}

struct btf *fargs_btfs_get(struct fargs_btfs *set, const char *name, struct fargs_error_text *err)
{
	struct entry *e = find(set, name);
	struct fargs_error_text why;
	int ret;

	if (e)
		return e->btf;
	if (!set->is_live || strchr(name, '/')) {
		fargs_fail(err, ENOENT, "there is no BTF of %s", name);
		return NULL;
	}
	ret = add_live(set, name, &why);
	if (!ret)
		return set->entries[set->nr - 1].btf;
	if (err)
		*err = why;
	else if (ret != -ENOENT)
		complain(set, why.text);
	return NULL;
}

const char *fargs_btfs_complaint(const struct fargs_btfs *set, size_t i)
{
	return i < set->nr_complaints ? set->complaints[i] : NULL;
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
