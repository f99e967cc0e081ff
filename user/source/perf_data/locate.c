// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_data/locate.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/crc32.h"
#include "base/file.h"
#include "source/perf_data/config.h"
#include "source/perf_data/vmlinux.h"

/* Directory of debug files, on Debian and other distributions. */
#define DEBUG_DIR	"/usr/lib/debug"
/* Directory of links to files, named by their build IDs. */
#define BY_ID		".build-id"
/* perf's cache in the home directory, unless configured otherwise. */
#define CACHE		".debug"

/* Keeps the value of buildid.dir. */
static int keep_dir(void *arg, const struct fargs_perf_variable *v)
{
	char **dir = arg;

	if (strcmp(v->section, "buildid") || strcmp(v->name, "dir") || !v->value)
		return 0;
	free(*dir);
	*dir = fargs_perf_config_home(v->value);
	return *dir ? 0 : -ENOMEM;
}

/*
 * Finds the cache as perf does. perf passes PERF_BUILDID_DIR to its commands, and perf archive uses
 * it. Returns NULL if out of memory.
 */
static char *find_cache(void)
{
	const char *dir = getenv("PERF_BUILDID_DIR");
	char *found = NULL;

	if (dir && *dir)
		return strdup(dir);
	if (fargs_perf_config_read(keep_dir, &found)) {
		free(found);
		return NULL;
	}
	return found ? found : fargs_perf_config_home("~/" CACHE);
}

int fargs_locator_init(struct fargs_locator *l, const char *root)
{
	size_t n = root ? strlen(root) : 0;

	/* perf accepts a slash at the end, as in --symfs=/. */
	while (n && root[n - 1] == '/')
		n--;
	*l = (struct fargs_locator){
		.root = strndup(root ? root : "", n), .cache = find_cache(), .vdso_fd = -1,
	};
	return l->root && l->cache ? 0 : -ENOMEM;
}

void fargs_locator_deinit(struct fargs_locator *l)
{
	if (l->vdso_fd >= 0)
		close(l->vdso_fd);
	free(l->root);
	free(l->cache);
	*l = (struct fargs_locator){ .vdso_fd = -1 };
}

/* Writes "xx/yyyy…" to @to, as files are named by their build ID. */
static void put_name(char to[FARGS_BUILD_ID_TEXT + 1], const struct fargs_build_id *id)
{
	char text[FARGS_BUILD_ID_TEXT];

	fargs_build_id_text(id, text);
	sprintf(to, "%.2s/%s", text, text + 2);
}

/*
 * Returns the path of the file @dir/.build-id/xx/yyyy@suffix if it has the build ID @id, else NULL.
 */
static char *find_by_id(const char *root, const char *dir, const struct fargs_build_id *id,
			const char *suffix)
{
	char name[FARGS_BUILD_ID_TEXT + 1], *path;
	struct fargs_build_id found;

	if (id->nr < 2 || !*dir)
		return NULL;
	put_name(name, id);
	if (asprintf(&path, "%s%s/" BY_ID "/%s%s", root, dir, name, suffix) < 0)
		return NULL;
	if (fargs_build_id_of_file(&found, path) && fargs_build_id_is_same(&found, id))
		return path;
	free(path);
	return NULL;
}

/* Returns the size of the ELF image at @image, which includes its section headers. */
static size_t image_bytes(const void *image)
{
	const Elf64_Ehdr *head = image;
	const Elf64_Phdr *segments = (const void *)((const char *)image + head->e_phoff);
	size_t bytes = head->e_shoff + (size_t)head->e_shnum * head->e_shentsize, i;

	for (i = 0; i < head->e_phnum; i++)
		if (segments[i].p_offset + segments[i].p_filesz > bytes)
			bytes = segments[i].p_offset + segments[i].p_filesz;
	return bytes;
}

/* Copies the vdso of this process to a file, which has a path while it is open. */
static char *copy_vdso(struct fargs_locator *l)
{
	const void *image = (const void *)getauxval(AT_SYSINFO_EHDR);
	size_t bytes;
	char *path;

	if (l->vdso_fd < 0 && image) {
		bytes = image_bytes(image);
		l->vdso_fd = memfd_create("vdso", MFD_CLOEXEC);
		if (l->vdso_fd >= 0 && write(l->vdso_fd, image, bytes) != (ssize_t)bytes) {
			close(l->vdso_fd);
			l->vdso_fd = -1;
		}
	}
	if (l->vdso_fd < 0 || asprintf(&path, "/proc/self/fd/%d", l->vdso_fd) < 0)
		return NULL;
	return path;
}

static char *find_vdso(struct fargs_locator *l, const struct fargs_build_id *id)
{
	struct fargs_build_id own;
	char *path = find_by_id("", l->cache, id, "/vdso");

	if (path || !id->nr)
		return path;
	path = copy_vdso(l);
	if (path && fargs_build_id_of_file(&own, path) && fargs_build_id_is_same(&own, id))
		return path;
	free(path);
	return NULL;
}

/*
 * Returns the file at the recorded path. Old versions of perf inject name the file of a function
 * that was moved without the ".so" that it has.
 */
static char *find_by_path(const struct fargs_locator *l, const char *path,
			  struct fargs_build_id *found)
{
	const char *name = strrchr(path, '/');
	char *at;

	if (asprintf(&at, "%s%s", l->root, path) < 0)
		return NULL;
	if (fargs_build_id_of_file(found, at))
		return at;
	free(at);
	if (!name || strncmp(name, "/jitted-", 8) || asprintf(&at, "%s%s.so", l->root, path) < 0)
		return NULL;
	if (fargs_build_id_of_file(found, at))
		return at;
	free(at);
	return NULL;
}

char *fargs_locate(struct fargs_locator *l, const char *path, const struct fargs_build_id *id,
		   struct fargs_build_id *other)
{
	struct fargs_build_id found;
	char *at;

	*other = (struct fargs_build_id){ };
	if (!strcmp(path, FARGS_VDSO))
		return find_vdso(l, id);
	at = find_by_path(l, path, &found);
	if (at && (!id->nr || fargs_build_id_is_same(&found, id)))
		return at;
	if (at)
		*other = found;
	free(at);
	/* In the cache of old versions of perf, the link is one to the file itself. */
	at = find_by_id("", l->cache, id, "/elf");
	at = at ? at : find_by_id("", l->cache, id, "");
	return at ? at : find_by_id(l->root, DEBUG_DIR, id, "");
}

/* Returns the path of a file of the kernel, as fargs_locate_kernel(), which has code if needed. */
static char *find_kernel(const struct fargs_locator *l, const struct fargs_build_id *id,
			 bool needs_code)
{
	/* In the cache, perf gives vmlinux the name of files of programs, too. */
	const struct {
		const char *root, *dir, *suffix;
	} places[] = {
		{ l->root, DEBUG_DIR, ".debug" }, { "", l->cache, "/debug" },
		{ "", l->cache, "/vmlinux" }, { "", l->cache, "/elf" },
	};
	char *path;
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		path = find_by_id(places[i].root, places[i].dir, id, places[i].suffix);
		if (path && (!needs_code || fargs_vmlinux_has_code(path)))
			return path;
		free(path);
	}
	return NULL;
}

char *fargs_locate_kernel(const struct fargs_locator *l, const struct fargs_build_id *id)
{
	return find_kernel(l, id, false);
}

char *fargs_locate_module(const struct fargs_locator *l, const char *path,
			  const struct fargs_build_id *id)
{
	char *found = find_kernel(l, id, false);
	struct fargs_build_id other;

	if (found || path[0] != '/')
		return found;
	found = find_by_path(l, path, &other);
	if (found && fargs_build_id_is_same(&other, id))
		return found;
	free(found);
	return NULL;
}

/* Returns the file vmlinux @dir@release@name, if it has the build ID and code. */
static char *find_vmlinux(const struct fargs_locator *l, const struct fargs_build_id *id,
			  const char *dir, const char *release, const char *name)
{
	struct fargs_build_id found;
	char *path;

	if (asprintf(&path, "%s%s%s%s", l->root, dir, release, name) < 0)
		return NULL;
	if (fargs_build_id_of_file(&found, path) && fargs_build_id_is_same(&found, id) &&
	    fargs_vmlinux_has_code(path))
		return path;
	free(path);
	return NULL;
}

char *fargs_locate_vmlinux(const struct fargs_locator *l, const struct fargs_build_id *id,
			   const char *release)
{
	/* Where distributions install it, and where perf looks, too. */
	static const struct {
		const char *dir, *name;
	} places[] = {
		{ "/boot/vmlinux-", "" }, { DEBUG_DIR "/boot/vmlinux-", "" },
		{ "/lib/modules/", "/build/vmlinux" }, { DEBUG_DIR "/lib/modules/", "/vmlinux" },
	};
	char *path = find_kernel(l, id, true);
	size_t i;

	for (i = 0; !path && release && !strchr(release, '/') &&
	     i < sizeof(places) / sizeof(*places); i++)
		path = find_vmlinux(l, id, places[i].dir, release, places[i].name);
	return path;
}

static int open_file(const char *path)
{
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int open_by_id(const char *root, const char *dir, const struct fargs_build_id *id,
		      const char *suffix)
{
	__cleanup_free char *path = find_by_id(root, dir, id, suffix);

	return open_file(path);
}

/* Does the file contain bytes with this CRC? */
static bool has_crc(int fd, uint32_t crc)
{
	struct stat st;
	uint32_t found;
	void *bytes;

	if (fstat(fd, &st) || !st.st_size)
		return false;
	bytes = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	found = fargs_crc32(0, bytes, st.st_size);
	munmap(bytes, st.st_size);
	return found == crc;
}

/* Opens the file whose path consists of four parts, if it has this CRC. */
static int open_link(const char *root, const char *dir, const char *sub, const char *name,
		     uint32_t crc)
{
	__cleanup_free char *path = NULL;
	int fd = asprintf(&path, "%s%s/%s%s", root, dir, sub, name) < 0 ? -1 : open_file(path);

	if (fd < 0 || has_crc(fd, crc))
		return fd;
	close(fd);
	return -1;
}

/* Opens the file that .gnu_debuglink names, in the directories where gdb looks for it. */
static int open_by_link(const struct fargs_locator *l, const char *path, Elf *elf)
{
	GElf_Word crc = 0;
	const char *name = dwelf_elf_gnu_debuglink(elf, &crc), *slash = strrchr(path, '/');
	__cleanup_free char *dir = NULL, *debug_dir = NULL;
	int fd;

	if (!name || !*name || strchr(name, '/') || !slash)
		return -1;
	dir = strndup(path, slash - path);
	if (!dir || asprintf(&debug_dir, DEBUG_DIR "%s", dir) < 0)
		return -1;
	fd = open_link(l->root, dir, "", name, crc);
	if (fd < 0)
		fd = open_link(l->root, dir, ".debug/", name, crc);
	return fd >= 0 ? fd : open_link(l->root, debug_dir, "", name, crc);
}

int fargs_locate_debug(const struct fargs_locator *l, const char *path,
		       const struct fargs_build_id *id, Elf *elf)
{
	int fd = open_by_id("", l->cache, id, "/debug");

	if (fd < 0)
		fd = open_by_id(l->root, DEBUG_DIR, id, ".debug");
	return fd >= 0 ? fd : open_by_link(l, path, elf);
}
