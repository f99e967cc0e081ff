// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/pmu.h"

#include <cpuid.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

/* Bit of EBX in CPUID leaf 7, subleaf 0. */
#define CPUID_PT	(1u << 25)

static bool has_cpu_pt(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & CPUID_PT;
}

static int fail_none(struct fargs_error_text *err)
{
	if (has_cpu_pt())
		return fargs_fail(err, ENODEV, "the CPU has Intel PT, but the kernel has no PMU "
				  "intel_pt: boot a kernel with CONFIG_PERF_EVENTS and "
				  "CONFIG_CPU_SUP_INTEL; a guest also needs a hypervisor that "
				  "exposes Intel PT");
	return fargs_fail(err, ENODEV, "this machine has no Intel PT (Intel CPUs since Broadwell "
			  "have it, most virtual machines do not): record without '--pt'");
}

static int read_number(const char *dir, const char *name, int base, uint32_t *value)
{
	char path[512], text[64], *end;
	unsigned long long number;
	int ret;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	ret = fargs_file_line(path, text, sizeof(text));
	if (ret)
		return ret;
	errno = 0;
	number = strtoull(text, &end, base);
	if (end == text || *end || errno || number > UINT32_MAX)
		return -EINVAL;
	*value = number;
	return 0;
}

/* Reads a capability, a hexadecimal number. Returns 0 if the kernel does not list it. */
static uint32_t read_cap(const char *dir, const char *name)
{
	char path[64];
	uint32_t value;

	snprintf(path, sizeof(path), "caps/%s", name);
	return read_number(dir, path, 16, &value) ? 0 : value;
}

static void read_caps(struct fargs_pt_caps *caps, const char *dir)
{
	*caps = (struct fargs_pt_caps){
		.has_psb_cyc = read_cap(dir, "psb_cyc"),
		.has_mtc = read_cap(dir, "mtc"),
		.has_ptwrite = read_cap(dir, "ptwrite"),
		.has_power_events = read_cap(dir, "power_event_trace"),
		.has_event_trace = read_cap(dir, "event_trace"),
		.has_tnt_disable = read_cap(dir, "tnt_disable"),
		.mtc_periods = read_cap(dir, "mtc_periods"),
		.cyc_thresholds = read_cap(dir, "cycle_thresholds"),
		.psb_periods = read_cap(dir, "psb_periods"),
		.nr_address_ranges = read_cap(dir, "num_address_ranges"),
	};
}

/* Parses "config:14-17" or "config:1". Terms in other fields, such as config1, are not used. */
static bool parse_bits(const char *text, struct fargs_pt_format *format)
{
	static const char field[] = "config:";
	unsigned long low, high;
	char *end;

	if (strncmp(text, field, strlen(field)))
		return false;
	text += strlen(field);
	low = strtoul(text, &end, 10);
	high = low;
	if (end != text && *end == '-')
		high = strtoul(end + 1, &end, 10);
	if (end == text || *end || low > high || high > 63)
		return false;
	format->low = low;
	format->high = high;
	return true;
}

static void read_format(struct fargs_pt_pmu *pmu, const char *dir, const char *name)
{
	struct fargs_pt_format *format = &pmu->formats[pmu->nr_formats];
	char path[768], text[64];

	if (pmu->nr_formats == FARGS_PT_FORMATS_MAX || strlen(name) >= sizeof(format->name))
		return;
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (fargs_file_line(path, text, sizeof(text)) || !parse_bits(text, format))
		return;
	snprintf(format->name, sizeof(format->name), "%s", name);
	pmu->nr_formats++;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct fargs_pt_format *)a)->name,
		      ((const struct fargs_pt_format *)b)->name);
}

static int read_formats(struct fargs_pt_pmu *pmu, const char *dir)
{
	struct dirent *entry;
	char path[512];
	DIR *formats;

	snprintf(path, sizeof(path), "%s/format", dir);
	formats = opendir(path);
	if (!formats)
		return -errno;
	while ((entry = readdir(formats)))
		if (entry->d_name[0] != '.')
			read_format(pmu, path, entry->d_name);
	closedir(formats);
	qsort(pmu->formats, pmu->nr_formats, sizeof(*pmu->formats), compare_names);
	return 0;
}

int fargs_pt_pmu_load(struct fargs_pt_pmu *pmu, const char *dir, struct fargs_error_text *err)
{
	int ret;

	memset(pmu, 0, sizeof(*pmu));
	ret = read_number(dir, "type", 10, &pmu->type);
	if (ret == -ENOENT)
		return fail_none(err);
	if (!ret)
		ret = read_formats(pmu, dir);
	if (ret)
		return fargs_fail(err, -ret, "cannot read the Intel PT capabilities ('%s'): "
				  "%s", dir,
				  strerror(-ret));
	read_caps(&pmu->caps, dir);
	if (read_number(dir, "max_nonturbo_ratio", 10, &pmu->nonturbo_ratio))
		pmu->nonturbo_ratio = 0;
	return 0;
}

const struct fargs_pt_format *fargs_pt_pmu_format(const struct fargs_pt_pmu *pmu,
						  const char *name)
{
	size_t i;

	for (i = 0; i < pmu->nr_formats; i++)
		if (!strcmp(pmu->formats[i].name, name))
			return &pmu->formats[i];
	return NULL;
}
