// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/decode/libipt/config.h"

#include <string.h>

#include "source/pt/packet/packet.h"

void fargs_pt_libipt_configure(struct pt_config *config, const struct fargs_pt_config *from,
				const uint8_t *bytes, uint64_t size)
{
	pt_config_init(config);
	config->begin = (uint8_t *)bytes;	/* libipt only reads @bytes */
	config->end = (uint8_t *)bytes + size;
	config->cpuid_0x15_eax = from->cpuid_0x15_eax;
	config->cpuid_0x15_ebx = from->cpuid_0x15_ebx;
	config->mtc_freq = from->mtc_freq;
	config->nom_freq = from->nom_freq;
	if (!from->is_intel)
		return;
	config->cpu = (struct pt_cpu){ .vendor = pcv_intel, .family = from->family,
				       .model = from->model, .stepping = from->stepping };
	/* If libipt does not support the CPU yet, decode without workarounds for errata. */
	if (pt_cpu_errata(&config->errata, &config->cpu) < 0)
		memset(&config->errata, 0, sizeof(config->errata));
}

static int skip_unknown(struct pt_packet_unknown *unknown, const struct pt_config *config,
			const uint8_t *pos, void *context)
{
	struct fargs_pt_reader r = { .at = pos, .end = config->end };
	struct fargs_pt_packet p;

	fargs_pt_packet_read(&r, &p);
	switch (p.kind) {
	case FARGS_PT_PACKET_CUT:
		return -pte_eos;
	case FARGS_PT_PACKET_CFE:
	case FARGS_PT_PACKET_EVD:
		return p.size;
	default:
		return -pte_bad_opc;
	}
}

void fargs_pt_libipt_extend(struct pt_config *config)
{
	config->decode.callback = skip_unknown;
}
