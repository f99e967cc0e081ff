// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/packet/errata.h"

#include <stddef.h>

#include "source/pt/packet/config.h"

enum {
	BROADWELL = FARGS_PT_BDM64 | FARGS_PT_BDM70,
	SKYLAKE = FARGS_PT_BDM70 | FARGS_PT_SKD007 | FARGS_PT_SKD010 | FARGS_PT_SKD022 |
		  FARGS_PT_SKL014 | FARGS_PT_SKL168,
	ICE_LAKE = FARGS_PT_BDM70 | FARGS_PT_SKD022 | FARGS_PT_SKL014,
	SKYLAKE_SERVER = ICE_LAKE | FARGS_PT_SKZ84,
	SAPPHIRE_RAPIDS = FARGS_PT_BDM70 | FARGS_PT_SKD022 | FARGS_PT_SKZ84,
	ALDER_LAKE = FARGS_PT_BDM70 | FARGS_PT_SKD022 | FARGS_PT_APL11,
	GOLDMONT = FARGS_PT_APL11 | FARGS_PT_APL12,
	GOLDMONT_PLUS = FARGS_PT_APL11,
};

/* Models of family 6. */
static const uint16_t family_6[256] = {
	/* Broadwell: mobile, desktop, server, server with integrated devices */
	[0x3d] = BROADWELL, [0x47] = BROADWELL, [0x4f] = BROADWELL, [0x56] = BROADWELL,
	/* Skylake, Kaby Lake and Coffee Lake, Comet Lake */
	[0x4e] = SKYLAKE, [0x5e] = SKYLAKE, [0x8e] = SKYLAKE, [0x9e] = SKYLAKE,
	[0xa5] = SKYLAKE, [0xa6] = SKYLAKE,
	/* Skylake, Cascade Lake and Cooper Lake servers; Ice Lake servers */
	[0x55] = SKYLAKE_SERVER, [0x6a] = SKYLAKE_SERVER, [0x6c] = SKYLAKE_SERVER,
	/* Sapphire Rapids, Granite Rapids, Emerald Rapids */
	[0x8f] = SAPPHIRE_RAPIDS, [0xad] = SAPPHIRE_RAPIDS, [0xae] = SAPPHIRE_RAPIDS,
	[0xcf] = SAPPHIRE_RAPIDS,
	/* Cannon Lake, Ice Lake, Tiger Lake, Rocket Lake */
	[0x66] = ICE_LAKE, [0x7d] = ICE_LAKE, [0x7e] = ICE_LAKE, [0x8c] = ICE_LAKE,
	[0x8d] = ICE_LAKE, [0xa7] = ICE_LAKE, [0xa8] = ICE_LAKE,
	/* Alder Lake, Raptor Lake */
	[0x97] = ALDER_LAKE, [0x9a] = ALDER_LAKE, [0xb7] = ALDER_LAKE, [0xba] = ALDER_LAKE,
	[0xbf] = ALDER_LAKE,
	/* Meteor Lake, Arrow Lake, Lunar Lake, Panther Lake */
	[0xaa] = ALDER_LAKE, [0xac] = ALDER_LAKE, [0xb5] = ALDER_LAKE, [0xbd] = ALDER_LAKE,
	[0xc5] = ALDER_LAKE, [0xc6] = ALDER_LAKE, [0xcc] = ALDER_LAKE,
	/* Apollo Lake, Denverton */
	[0x5c] = GOLDMONT, [0x5f] = GOLDMONT,
	/* Gemini Lake; Snow Ridge, Elkhart Lake, Jasper Lake */
	[0x7a] = GOLDMONT_PLUS, [0x86] = GOLDMONT_PLUS, [0x96] = GOLDMONT_PLUS,
	[0x9c] = GOLDMONT_PLUS,
	/* Sierra Forest, Grand Ridge, Clearwater Forest */
	[0xaf] = GOLDMONT_PLUS, [0xb6] = GOLDMONT_PLUS, [0xdd] = GOLDMONT_PLUS,
};

uint16_t fargs_pt_errata(const struct fargs_pt_config *config)
{
	if (!config->is_intel)
		return 0;
	if (config->family == 6)
		return family_6[config->model];
	/* Diamond Rapids */
	if (config->family == 0x13 && config->model == 1)
		return SAPPHIRE_RAPIDS;
	return 0;
}
