// SPDX-License-Identifier: GPL-2.0-only
/* Compares the errata of all CPUs with those in libipt. */
#include "source/pt/packet/errata.h"

#include <intel-pt.h>

#include "source/pt/decode/libipt/version.h"
#include "source/pt/input/input.h"
#include "unit/ktap.h"

static uint16_t errata_of(unsigned int family, unsigned int model, unsigned int stepping)
{
	return fargs_pt_errata(&(struct fargs_pt_config){
		.is_intel = true, .family = family, .model = model, .stepping = stepping });
}

/* Returns false if libipt does not know the CPU. */
static bool libipt_errata_of(unsigned int family, unsigned int model, unsigned int stepping,
			     uint16_t *errata)
{
	struct pt_cpu cpu = { .vendor = pcv_intel, .family = family, .model = model,
			      .stepping = stepping };
	struct pt_errata e;

	if (pt_cpu_errata(&e, &cpu) < 0)
		return false;
	*errata = (e.bdm64 ? FARGS_PT_BDM64 : 0) | (e.bdm70 ? FARGS_PT_BDM70 : 0) |
		  (e.skd007 ? FARGS_PT_SKD007 : 0) | (e.skd010 ? FARGS_PT_SKD010 : 0) |
		  (e.skd022 ? FARGS_PT_SKD022 : 0) | (e.skl014 ? FARGS_PT_SKL014 : 0) |
		  (e.skl168 ? FARGS_PT_SKL168 : 0) | (e.apl11 ? FARGS_PT_APL11 : 0) |
		  (e.apl12 ? FARGS_PT_APL12 : 0) | (e.skz84 ? FARGS_PT_SKZ84 : 0);
	return true;
}

/*
 * libipt 2.0.5 says that Sapphire Rapids and Alder Lake have SKL014, as their predecessors; 2.1.2
 * has corrected that.
 */
static uint16_t not_in_ours(unsigned int family, unsigned int model)
{
	if (fargs_pt_libipt_is(2, 1) || family != 6)
		return 0;
	return model == 0x8f || model == 0x97 || model == 0x9a || model == 0xbf ?
	       FARGS_PT_SKL014 : 0;
}

static void as_libipt(void)
{
	unsigned int family, model, stepping, nr_known = 0, nr_ours = 0;
	uint16_t ours, theirs;

	for (family = 0; family < 256; family++) {
		for (model = 0; model < 256; model++) {
			for (stepping = 0; stepping < 16; stepping++) {
				ours = errata_of(family, model, stepping);
				nr_ours += !!ours;
				if (!libipt_errata_of(family, model, stepping, &theirs))
					continue;
				nr_known++;
				if (theirs == (ours | not_in_ours(family, model)))
					continue;
				ktap_fail(__FILE__, __LINE__, "%u/0x%x/%u: 0x%x, libipt 0x%x",
					  family, model, stepping, ours, theirs);
			}
		}
	}
	/* 2.0.5 does not know the newest CPUs; 2.1.2 knows those that we know. */
	printf("# libipt knows %u CPUs, we %u\n", nr_known, nr_ours);
	CHECK(nr_known >= 28 * 16);
	CHECK(nr_known == nr_ours || (nr_known < nr_ours && !fargs_pt_libipt_is(2, 1)));
}

static void not_intel(void)
{
	CHECK_INT(fargs_pt_errata(&(struct fargs_pt_config){ .family = 6, .model = 0x5e }), 0);
}

static const struct ktap_test tests[] = {
	{ "all CPUs have the errata that libipt knows", as_libipt },
	{ "CPUs of other vendors have no errata", not_intel },
};

int main(void)
{
	return KTAP_RUN(tests);
}
