// SPDX-License-Identifier: GPL-2.0-only
#include "file/info.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBBSD_NETBSD_VIS
#include <bsd/vis.h>

#include "file/format.h"

/*
 * Maximum number of CPUs, more than any kernel supports, so that a file cannot make us allocate too
 * much.
 */
#define CPUS_MAX	65536

static void put_text(FILE *f, const char *key, const char *value)
{
	char *escaped;

	if (!value || !*value)
		return;
	escaped = malloc(4 * strlen(value) + 1);
	/* Use VIS_NOLOCALE, because the contents of a file must not depend on the locale. */
	if (escaped &&
	    strvis(escaped, value, VIS_CSTYLE | VIS_NL | VIS_TAB | VIS_NOLOCALE) >= 0)
		fprintf(f, "%s=%s\n", key, escaped);
	free(escaped);
}

static void put_number(FILE *f, const char *key, uint64_t value)
{
	fprintf(f, "%s=%" PRIu64 "\n", key, value);
}

static void put_module_id(FILE *f, const struct fargs_module_id *id)
{
	size_t i;

	if (!id->bytes)
		return;
	fprintf(f, "module_id=");
	for (i = 0; i < id->bytes; i++)
		fprintf(f, "%02x", id->data[i]);
	fprintf(f, "\n");
	put_number(f, "module_id_at", id->addr);
}

static void put_origin(FILE *f, const struct fargs_origin *o)
{
	size_t i;

	put_text(f, "machine_id", o->machine_id);
	put_text(f, "boot_id", o->boot_id);
	if (o->real_ns) {
		put_number(f, "real_ns", o->real_ns);
		put_number(f, "real_tsc", o->real_tsc);
		put_number(f, "real_width", o->real_width);
		put_number(f, "real_cpu", o->real_cpu);
	}
	for (i = 0; i < o->nr_labels; i++)
		put_text(f, "label", o->labels[i]);
}

char *fargs_info_text(const struct fargs_meta *meta, const struct fargs_file_info *about,
		      size_t *size)
{
	const struct fargs_info *info = &meta->info;
	char *text = NULL, key[16];
	FILE *f = open_memstream(&text, size);
	int i;

	if (!f)
		return NULL;
	put_number(f, "version", about->version);
	put_text(f, "writer", about->writer);
	fprintf(f, "date=%" PRId64 "\n", about->date);
	fprintf(f, "id=%010" PRIu32 "\n", about->id);
	if (about->is_recovered)
		put_number(f, "recovered", 1);
	put_text(f, "hostname", meta->hostname);
	put_origin(f, &meta->origin);
	put_text(f, "command", meta->command);
	put_text(f, "release", info->release);
	put_text(f, "module", info->version);
	put_number(f, "abi", info->abi);
	put_number(f, "nr_cpus", info->nr_cpus);
	put_number(f, "features", info->features);
	put_number(f, "tsc_khz", info->tsc_khz);
	put_number(f, "tsc_stable", info->tsc_stable);
	put_number(f, "page_size", info->page_size);
	put_number(f, "ring_bytes", meta->ring_bytes);
	put_number(f, "overwrite", meta->is_overwrite);
	if (meta->is_bare)
		put_number(f, "bare", 1);
	put_number(f, "tif_resched", info->tif_resched);
	put_number(f, "tif_resched_lazy", info->tif_resched_lazy);
	for (i = 0; i < FARGS_META_SITES; i++) {
		snprintf(key, sizeof(key), "seq_site%d", i);
		put_number(f, key, fargs_meta_site(meta, i));
	}
	put_module_id(f, &meta->module_id);
	i = ferror(f);
	if (fclose(f) || i) {
		free(text);
		return NULL;
	}
	return text;
}

/* Copies @value to @dst, truncated if it is too long. */
static void take_text(char *dst, size_t room, const char *value)
{
	snprintf(dst, room, "%s", value);
}

/* Copies an id of hexadecimal digits and '-' to @dst. Leaves it empty if @value is none. */
static void take_id(char *dst, size_t room, const char *value)
{
	if (strlen(value) < room && strspn(value, "0123456789abcdef-") == strlen(value))
		take_text(dst, room, value);
}

static char *take_dup(char *old, const char *value)
{
	free(old);
	return strdup(value);
}

/* Parses a decimal number up to @max: only digits, no sign or space. */
static int take_number(const char *value, uint64_t max, uint64_t *number)
{
	char *end;

	if (*value < '0' || *value > '9')
		return -EIO;
	errno = 0;
	*number = strtoull(value, &end, 10);
	return errno || *end || *number > max ? -EIO : 0;
}

/* Parses an id in hexadecimal digits. Leaves @id empty if @value is anything else. */
static void take_module_id(struct fargs_module_id *id, const char *value)
{
	size_t i, bytes = strlen(value) / 2;
	unsigned int byte;

	if (bytes > sizeof(id->data) || strspn(value, "0123456789abcdef") != 2 * bytes)
		return;
	for (i = 0; i < bytes && sscanf(value + 2 * i, "%2x", &byte) == 1; i++)
		id->data[i] = byte;
	id->bytes = i;
}

static int take_line(const char *key, const char *value, struct fargs_meta *meta,
		     struct fargs_file_info *about, struct fargs_error_text *err)
{
	struct fargs_info *info = &meta->info;
	uint64_t n;
	int i;

	if (!strcmp(key, "writer"))
		take_text(about->writer, sizeof(about->writer), value);
	else if (!strcmp(key, "release"))
		take_text(info->release, sizeof(info->release), value);
	else if (!strcmp(key, "module"))
		take_text(info->version, sizeof(info->version), value);
	else if (!strcmp(key, "hostname"))
		meta->hostname = take_dup(meta->hostname, value);
	else if (!strcmp(key, "command"))
		meta->command = take_dup(meta->command, value);
	else if (!strcmp(key, "module_id"))
		take_module_id(&meta->module_id, value);
	else if (!strcmp(key, "machine_id"))
		take_id(meta->origin.machine_id, sizeof(meta->origin.machine_id), value);
	else if (!strcmp(key, "boot_id"))
		take_id(meta->origin.boot_id, sizeof(meta->origin.boot_id), value);
	else if (!strcmp(key, "label"))
		return fargs_origin_add_label(&meta->origin, value, err) ?
		       fargs_fail(err, EIO, "its labels are invalid") : 0;

#define NUMBER(name, max, field)						\
	else if (!strcmp(key, name)) {						\
		if (take_number(value, max, &n))				\
			return fargs_fail(err, EIO, "its '%s' is invalid", name); \
		field = n;							\
	}
	NUMBER("version", UINT32_MAX, about->version)
	NUMBER("date", INT64_MAX, about->date)
	NUMBER("id", UINT32_MAX, about->id)
	NUMBER("recovered", 1, about->is_recovered)
	NUMBER("abi", UINT32_MAX, info->abi)
	NUMBER("nr_cpus", CPUS_MAX, info->nr_cpus)
	NUMBER("features", UINT64_MAX, info->features)
	NUMBER("tsc_khz", UINT32_MAX, info->tsc_khz)
	NUMBER("tsc_stable", 1, info->tsc_stable)
	NUMBER("page_size", UINT32_MAX, info->page_size)
	NUMBER("ring_bytes", UINT64_MAX, meta->ring_bytes)
	NUMBER("overwrite", 1, meta->is_overwrite)
	NUMBER("bare", 1, meta->is_bare)
	NUMBER("module_id_at", UINT64_MAX, meta->module_id.addr)
	NUMBER("real_ns", INT64_MAX, meta->origin.real_ns)
	NUMBER("real_tsc", UINT64_MAX, meta->origin.real_tsc)
	NUMBER("real_width", UINT64_MAX, meta->origin.real_width)
	NUMBER("real_cpu", CPUS_MAX, meta->origin.real_cpu)
	NUMBER("tif_resched", UINT16_MAX, info->tif_resched)
	NUMBER("tif_resched_lazy", UINT16_MAX, info->tif_resched_lazy)
#undef NUMBER
	else if (!strncmp(key, "seq_site", 8) && key[8] >= '0' && key[8] <= '9' && !key[9]) {
		i = key[8] - '0';
		if (i < FARGS_META_SITES && take_number(value, UINT64_MAX, &n) == 0)
			*(i < FARGS_PATHS ? &info->seq_site[i] :
					    &info->several_site[i - FARGS_PATHS]) = n;
	}
	return 0;
}

/* Ids of files are random, but of 32 bits only: the date makes them unique. */
static void name_recording(struct fargs_origin *o, const struct fargs_file_info *about)
{
	o->date = about->date;
	if (!about->id)
		return;
	snprintf(o->recording, sizeof(o->recording), "%.8s-%08" PRIx64 "-%08" PRIx32,
		 o->boot_id[0] ? o->boot_id : "0", about->date, about->id);
}

int fargs_info_parse(const char *text, size_t size, struct fargs_meta *meta,
		     struct fargs_file_info *about, struct fargs_error_text *err)
{
	char *copy, *line, *next, *value;
	int ret = 0;

	copy = malloc(size + 1);
	if (!copy)
		return fargs_fail(err, ENOMEM, "out of memory");
	memcpy(copy, text, size);
	copy[size] = 0;
	for (line = copy; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		value = strchr(line, '=');
		if (!value)
			continue;
		*value++ = 0;
		/* Unescape in place, since this never lengthens a string. */
		if (strunvis(value, value) < 0) {
			ret = fargs_fail(err, EIO, "its info chunk is corrupt");
			break;
		}
		ret = take_line(line, value, meta, about, err);
		/*
		 * Check "version", which is the first key, since other keys may have a new meaning
		 * in a newer version.
		 */
		if (!ret && about->version > FARGS_FILE_VERSION)
			ret = fargs_fail(err, EPROTO,
					 "its version is %u, but this program reads versions up to "
					 "%u: use a newer fargs",
					 about->version, FARGS_FILE_VERSION);
		if (ret)
			break;
	}
	free(copy);
	if (ret)
		return ret;
	if (!about->version)
		return fargs_fail(err, EIO, "its version is missing");
	name_recording(&meta->origin, about);
	if (!meta->info.nr_cpus || (!meta->info.tsc_khz && !meta->is_bare))
		return fargs_fail(err, EIO, "the number of CPUs or the rate of their clock is "
				  "missing");
	return 0;
}
