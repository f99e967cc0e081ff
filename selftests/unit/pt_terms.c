// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the terms of --pt with a PMU like that in the kernel's sysfs, written by hand: formats
 * follow arch/x86/events/intel/pt.c, and their meaning follows IA32_RTIT_CTL in the SDM, volume 3,
 * "Intel Processor Trace".
 */
#include "ktap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "source/pt/capture/pmu.h"
#include "source/pt/capture/terms.h"

/* Bits of IA32_RTIT_CTL. */
#define CYC_EN		(1ull << 1)
#define PWR_EVT_EN	(1ull << 4)
#define FUP_ON_PTW	(1ull << 5)
#define MTC_EN		(1ull << 9)
#define TSC_EN		(1ull << 10)
#define DIS_RETC	(1ull << 11)
#define PTW_EN		(1ull << 12)
#define BRANCH_EN	(1ull << 13)
#define MTC_FREQ(n)	((uint64_t)(n) << 14)
#define CYC_THRESH(n)	((uint64_t)(n) << 19)
#define PSB_FREQ(n)	((uint64_t)(n) << 24)
/*
 * The term pt: without this bit of attr.config, the kernel ignores the value of the term branch.
 * The kernel does not write the bit to IA32_RTIT_CTL.
 */
#define PASS_THROUGH	(1ull << 0)

#define USUAL	(PASS_THROUGH | BRANCH_EN | TSC_EN | MTC_EN | MTC_FREQ(3) | PSB_FREQ(3))

static char dir[64];
static struct fargs_pt_pmu pmu;
static struct fargs_pt_terms terms;
static struct fargs_error_text err;
static bool is_sampled;

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (!f || fprintf(f, "%s\n", text) < 0 || fclose(f))
		abort();
}

static void put_formats(void)
{
	put("format/cyc", "config:1");
	put("format/pt", "config:0");
	put("format/pwr_evt", "config:4");
	put("format/fup_on_ptw", "config:5");
	put("format/mtc", "config:9");
	put("format/tsc", "config:10");
	put("format/noretcomp", "config:11");
	put("format/ptw", "config:12");
	put("format/branch", "config:13");
	put("format/mtc_period", "config:14-17");
	put("format/cyc_thresh", "config:19-22");
	put("format/psb_period", "config:24-27");
	put("format/event", "config:31");
	put("format/notnt", "config:55");
	/* The term "elsewhere" is in attr.config1, not in attr.config. */
	put("format/elsewhere", "config1:0-3");
}

/*
 * Writes the capabilities of a Skylake, which lacks power events. The arguments replace some
 * values.
 */
static void put_caps(const char *has_ptwrite, const char *mtc_periods, const char *psb_cyc)
{
	put("caps/psb_cyc", psb_cyc);
	put("caps/mtc", strcmp(mtc_periods, "0") ? "1" : "0");
	put("caps/ptwrite", has_ptwrite);
	put("caps/power_event_trace", "0");
	put("caps/mtc_periods", mtc_periods);
	put("caps/cycle_thresholds", "3fff");
	put("caps/psb_periods", "3f");
	put("caps/num_address_ranges", "2");
}

static void load(void)
{
	err.text[0] = '\0';
	CHECK_INT(fargs_pt_pmu_load(&pmu, dir, &err), 0);
	CHECK_STR(err.text, "");
}

static void reads_the_pmu(void)
{
	put("type", "8");
	put("max_nonturbo_ratio", "24");
	put_formats();
	put_caps("1", "249", "1");
	load();
	CHECK_INT(pmu.type, 8);
	CHECK_INT(pmu.nonturbo_ratio, 24);
	CHECK_INT(pmu.nr_formats, 14);
	CHECK_INT(pmu.caps.mtc_periods, 0x249);
	CHECK_INT(pmu.caps.cyc_thresholds, 0x3fff);
	CHECK_INT(pmu.caps.nr_address_ranges, 2);
	CHECK_INT(pmu.caps.has_ptwrite, true);
	CHECK_INT(pmu.caps.has_power_events, false);
	/* The kernel has no file for a capability that it does not support. */
	CHECK_INT(pmu.caps.has_tnt_disable, false);
	CHECK_INT(fargs_pt_pmu_format(&pmu, "mtc_period")->low, 14);
	CHECK_INT(fargs_pt_pmu_format(&pmu, "mtc_period")->high, 17);
	CHECK_INT(fargs_pt_pmu_format(&pmu, "elsewhere") == NULL, true);
}

static void says_that_there_is_none(void)
{
	struct fargs_pt_pmu none;

	CHECK_INT(fargs_pt_pmu_load(&none, "/nowhere", &err), -ENODEV);
	CHECK_INT(strchr(err.text, '\n') == NULL && strlen(err.text) > 40, true);
}

static uint64_t parse(const char *text)
{
	err.text[0] = '\0';
	CHECK_INT(fargs_pt_terms_parse(&terms, text, &pmu, is_sampled, &err), 0);
	CHECK_STR(err.text, "");
	return terms.config;
}

static const char *refusal(const char *text)
{
	snprintf(err.text, sizeof(err.text), "none");
	CHECK_INT(fargs_pt_terms_parse(&terms, text, &pmu, is_sampled, &err), -EINVAL);
	return err.text;
}

static void has_usual_terms(void)
{
	CHECK_INT(parse(NULL), USUAL);
	CHECK_INT(parse(""), USUAL);
	CHECK_INT(terms.is_kernel, true);
	CHECK_INT(terms.is_user, false);
	CHECK_STR(terms.text, "branch,mtc,mtc_period=3,psb_period=3,pt,tsc/k");
}

/* psb_period=0 is a PSB in 2 KiB, as the SDM has it, unless the terms give another one. */
static void has_psbs_for_samples(void)
{
	is_sampled = true;
	CHECK_INT(parse(NULL), USUAL & ~PSB_FREQ(15));
	CHECK_INT(fargs_pt_terms_psb_bytes(&terms, &pmu), 2048);
	CHECK_INT(parse("psb_period=2"), (USUAL & ~PSB_FREQ(15)) | PSB_FREQ(2));
	CHECK_INT(fargs_pt_terms_psb_bytes(&terms, &pmu), 8192);
	is_sampled = false;
}

static void sets_terms(void)
{
	CHECK_INT(parse("cyc"), USUAL | CYC_EN);
	CHECK_INT(parse("cyc=0"), USUAL);
	CHECK_INT(parse("noretcomp"), USUAL | DIS_RETC);
	CHECK_INT(parse("tsc=0"), USUAL & ~TSC_EN);
	CHECK_INT(parse("mtc=0"), USUAL & ~MTC_EN);
	CHECK_INT(parse("branch=0"), USUAL & ~BRANCH_EN);
	CHECK_INT(parse("ptw,fup_on_ptw"), USUAL | PTW_EN | FUP_ON_PTW);
	CHECK_INT(parse("fup_on_ptw,ptw"), USUAL | PTW_EN | FUP_ON_PTW);
	CHECK_INT(parse("mtc_period=9"), (USUAL & ~MTC_FREQ(15)) | MTC_FREQ(9));
	CHECK_INT(parse("mtc_period=0x6"), (USUAL & ~MTC_FREQ(15)) | MTC_FREQ(6));
	CHECK_INT(parse("psb_period=0"), USUAL & ~PSB_FREQ(15));
	CHECK_INT(parse("cyc,cyc_thresh=13"), USUAL | CYC_EN | CYC_THRESH(13));
	CHECK_STR(terms.text,
		  "branch,cyc,cyc_thresh=13,mtc,mtc_period=3,psb_period=3,pt,tsc/k");
}

static void has_modifiers(void)
{
	CHECK_INT(parse("/u"), USUAL);
	CHECK_INT(terms.is_user, true);
	CHECK_INT(terms.is_kernel, false);
	CHECK_INT(parse("cyc/uk"), USUAL | CYC_EN);
	CHECK_INT(terms.is_user && terms.is_kernel, true);
	CHECK_STR(terms.text + strlen(terms.text) - 3, "/uk");
	CHECK_INT(parse("cyc/"), USUAL | CYC_EN);
	CHECK_INT(terms.is_kernel && !terms.is_user, true);
	CHECK_STR(refusal("cyc/h"),
		  "'h' is not a modifier: give k for the kernel, u for user space, or uk for both");
}

static void refuses_what_there_is_not(void)
{
	CHECK_STR(refusal("mtc_perod=3"),
		  "'mtc_perod' is not a term of this machine's Intel PT: the terms are branch, "
		  "cyc, cyc_thresh, fup_on_ptw, mtc, mtc_period, noretcomp, psb_period, pt, ptw "
		  "and tsc");
	CHECK_STR(refusal("pwr_evt"),
		  "this CPU has no 'pwr_evt': the terms are branch, cyc, cyc_thresh, fup_on_ptw, "
		  "mtc, mtc_period, noretcomp, psb_period, pt, ptw and tsc");
	/* The value 0 is valid for a term that the CPU does not support. */
	CHECK_INT(parse("pwr_evt=0"), USUAL);
}

static void refuses_values(void)
{
	CHECK_STR(refusal("mtc_period=1"),
		  "'mtc_period=1' is not supported by this CPU: the values are 0, 3, 6 and 9");
	CHECK_STR(refusal("cyc,psb_period=6"),
		  "'psb_period=6' is not supported by this CPU: the values are 0, 1, 2, 3, 4 and "
		  "5");
	CHECK_STR(refusal("mtc_period=16"), "'mtc_period=16' is too large: the maximum is 15");
	CHECK_STR(refusal("cyc=2"), "'cyc=2' is too large: the maximum is 1");
	CHECK_STR(refusal("mtc_period=x"), "'mtc_period': 'x' is not a number");
	CHECK_STR(refusal("mtc_period=-1"), "'mtc_period': '-1' is not a number");
	CHECK_STR(refusal("mtc_period="), "'mtc_period': '' is not a number");
	CHECK_STR(refusal("mtc_period=3x"), "'mtc_period': '3x' is not a number");
	CHECK_STR(refusal("mtc_period=99999999999999999999"),
		  "'mtc_period': '99999999999999999999' is not a number");
}

static void refuses_what_does_nothing(void)
{
	CHECK_STR(refusal("cyc_thresh=2"), "'cyc_thresh' has no effect without 'cyc': add it");
	CHECK_STR(refusal("fup_on_ptw"), "'fup_on_ptw' has no effect without 'ptw': add it");
	CHECK_STR(refusal("mtc=0,mtc_period=6"),
		  "'mtc_period' has no effect without 'mtc': add it");
	CHECK_STR(refusal("cyc,,mtc"), "a term is empty: remove a comma");
	CHECK_STR(refusal("cyc,"), "a term is empty: remove a comma");
	CHECK_STR(refusal(",cyc"), "a term is empty: remove a comma");
}

/* Tests a Broadwell: it supports neither MTC nor CYC, and its PSB period cannot be set. */
static void goes_without(void)
{
	put_caps("0", "0", "0");
	load();
	CHECK_INT(parse(""), PASS_THROUGH | BRANCH_EN | TSC_EN);
	CHECK_STR(terms.text, "branch,pt,tsc/k");
	CHECK_STR(refusal("cyc"), "this CPU has no 'cyc': the terms are branch, noretcomp, pt and "
		  "tsc");
	CHECK_STR(refusal("psb_period=2"),
		  "this CPU has no 'psb_period': the terms are branch, noretcomp, pt and tsc");
}

/*
 * Tests the rule of perf's document: 3, or the nearest lower value that is supported. Where there
 * is none, perf's intel_pt_pick_bit() takes the lowest value.
 */
static void chooses_the_next_period(void)
{
	put_caps("0", "210", "1");
	load();
	CHECK_INT(parse("") & MTC_FREQ(15), MTC_FREQ(4));
	put_caps("0", "5", "1");
	load();
	CHECK_INT(parse("") & MTC_FREQ(15), MTC_FREQ(2));
	put_caps("0", "44", "1");
	put("caps/psb_periods", "32");
	load();
	CHECK_INT(parse("") & MTC_FREQ(15), MTC_FREQ(2));
	CHECK_INT(parse("") & PSB_FREQ(15), PSB_FREQ(1));
}

/* Tests attr.config as a whole: named terms change it, wherever they stand. */
static void takes_a_raw_config(void)
{
	put_caps("1", "249", "1");
	load();
	CHECK_INT(parse("config=0x400"), TSC_EN);
	CHECK_STR(terms.text, "tsc/k");
	CHECK_INT(parse("config=0"), 0);
	CHECK_INT(parse("config=1025/u"), TSC_EN | PASS_THROUGH);
	CHECK_INT(terms.is_user, true);
	CHECK_INT(parse("config=0x400,cyc,tsc=0"), CYC_EN);
	CHECK_INT(parse("cyc,tsc=0,config=0x400"), CYC_EN);
	CHECK_INT(parse("config=0x300e601"), USUAL);
	CHECK_STR(terms.text, "branch,mtc,mtc_period=3,psb_period=3,pt,tsc/k");
	CHECK_STR(refusal("config"), "'config' needs a value, as in config=0x400");
	CHECK_STR(refusal("config=x"), "'config': 'x' is not a number");
	CHECK_STR(refusal("config=0x40400"),
		  "'config=0x40400' sets bits that belong to no term (0x40000): those of terms are "
		  "0x8000008f7bfe33");
	CHECK_STR(refusal("config=0x10000000400"),
		  "'config=0x10000000400' sets bits that belong to no term (0x10000000000): those "
		  "of terms are 0x8000008f7bfe33");
	CHECK_STR(refusal("config=0x4200"),
		  "'mtc_period=1' is not supported by this CPU: the values are 0, 3, 6 and 9");
	CHECK_STR(refusal("config=0x6000400"),
		  "'psb_period=6' is not supported by this CPU: the values are 0, 1, 2, 3, 4 and "
		  "5");
	CHECK_STR(refusal("config=0x400,cyc_thresh=2"),
		  "'cyc_thresh' has no effect without 'cyc': add it");
	/* A Broadwell has no MTC, whose period is then 0. */
	put_caps("0", "0", "0");
	load();
	CHECK_INT(parse("config=0x400"), TSC_EN);
	CHECK_STR(refusal("config=0x2"), "this CPU has no 'cyc': the terms are branch, noretcomp, "
		  "pt and tsc");
}

static void clear(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -r %s", dir);
	if (system(command))
		abort();
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "reads the PMU", reads_the_pmu },
		{ "reports that there is no PMU", says_that_there_is_none },
		{ "has default terms", has_usual_terms },
		{ "a PSB is in small samples", has_psbs_for_samples },
	{ "sets terms", sets_terms },
		{ "accepts modifiers", has_modifiers },
		{ "refuses unknown terms", refuses_what_there_is_not },
		{ "refuses invalid values", refuses_values },
		{ "refuses terms without effect", refuses_what_does_nothing },
		{ "works without MTC and CYC", goes_without },
		{ "chooses the nearest supported period", chooses_the_next_period },
		{ "takes attr.config as a whole", takes_a_raw_config },
	};
	char sub[128];
	int status;

	snprintf(dir, sizeof(dir), "/tmp/fargs-pmu-XXXXXX");
	if (!mkdtemp(dir))
		abort();
	snprintf(sub, sizeof(sub), "%s/format", dir);
	mkdir(sub, 0700);
	snprintf(sub, sizeof(sub), "%s/caps", dir);
	mkdir(sub, 0700);
	status = KTAP_RUN(tests);
	clear();
	return status;
}
