// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/capture/config.h"

#include <cpuid.h>
#include <string.h>

#include "source/pt/capture/attr.h"

/* Sets family, model and stepping as Intel's manual defines them (volume 2, CPUID, leaf 1). */
static void set_model(struct fargs_file_pt_config *config)
{
	unsigned int a, b, c, d, family;

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return;
	family = a >> 8 & 15;
	config->family = family == 15 ? family + (a >> 20 & 255) : family;
	config->model = a >> 4 & 15;
	if (family == 6 || family == 15)
		config->model |= a >> 12 & 0xf0;
	config->stepping = a & 15;
}

static void set_vendor(struct fargs_file_pt_config *config)
{
	unsigned int a, b, c, d;

	config->is_intel = __get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx &&
			   d == signature_INTEL_edx && c == signature_INTEL_ecx;
}

/* Reads CPUID leaf 15H: TSC frequency = crystal clock * EBX / EAX; ECX: crystal clock in Hz. */
static void set_clock(struct fargs_file_pt_config *config)
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(0x15, &a, &b, &c, &d))
		return;
	config->cpuid_0x15_eax = a;
	config->cpuid_0x15_ebx = b;
	config->cpuid_0x15_ecx = c;
}

void fargs_pt_config_init(struct fargs_file_pt_config *config, const struct fargs_pt_pmu *pmu,
			  const struct fargs_pt_terms *terms, const char *filter,
			  uint64_t aux_bytes)
{
	size_t i;

	memset(config, 0, sizeof(*config));
	config->bytes = sizeof(*config);
	config->flags = (terms->is_kernel ? FARGS_PT_KERNEL : 0) |
			(terms->is_user ? FARGS_PT_USER : 0);
	config->config = terms->config;
	config->aux_bytes = aux_bytes;
	for (i = 0; i < FARGS_PT_RINGS; i++)
		config->events[i].sample_type = FARGS_PT_SAMPLE_TYPE;
	config->nom_freq = pmu->nonturbo_ratio;
	config->nr_address_ranges = pmu->caps.nr_address_ranges;
	config->terms_bytes = strlen(terms->text) + 1;
	config->filter_bytes = filter ? strlen(filter) + 1 : 0;
	set_model(config);
	set_vendor(config);
	set_clock(config);
}
