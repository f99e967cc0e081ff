// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the argument of --pt-sample, and the attributes of the event. The numbers of events are
 * those of linux/perf_event.h.
 */
#include "source/pt/capture/sample_rule.h"
#include "source/pt/capture/sampler.h"

#include <errno.h>
#include <string.h>

#include "unit/ktap.h"

static struct fargs_pt_sample_rule rule;
static struct fargs_error_text err;

static int parse(const char *text)
{
	err.text[0] = '\0';
	return fargs_pt_sample_rule_parse(&rule, text, &err);
}

static const char *refusal(const char *text)
{
	CHECK_INT(parse(text), -EINVAL);
	return err.text;
}

static void is_named(void)
{
	CHECK_INT(parse("cpu-clock"), 0);
	CHECK_STR(rule.name, "cpu-clock");
	CHECK_INT(rule.type, 1);
	CHECK_INT(rule.config, 0);
	CHECK_INT(rule.period + rule.freq + rule.aux_bytes, 0);
	CHECK(!rule.is_kernel && !rule.is_user);
	CHECK_INT(parse("branch-misses"), 0);
	CHECK_INT(rule.type, 0);
	CHECK_INT(rule.config, 5);
	CHECK_INT(parse("cs"), 0);
	CHECK_INT(rule.type, 1);
	CHECK_INT(rule.config, 3);
	CHECK_INT(parse("sched:sched_switch"), 0);
	CHECK_STR(rule.name, "sched:sched_switch");
	CHECK_INT(rule.type, 2);
}

static void has_modifiers(void)
{
	CHECK_INT(parse("page-faults:u"), 0);
	CHECK_STR(rule.name, "page-faults");
	CHECK(rule.is_user && !rule.is_kernel);
	CHECK_INT(parse("sched:sched_switch:k"), 0);
	CHECK_STR(rule.name, "sched:sched_switch");
	CHECK(!rule.is_user && rule.is_kernel);
	CHECK_INT(parse("cpu-clock//uk"), 0);
	CHECK(rule.is_user && rule.is_kernel);
	CHECK_STR(refusal("cpu-clock:x"), "'x' is not a modifier: give k for the kernel, u for "
		  "user space, or uk for both, and up to three p for precise samples");
	CHECK_INT(parse("branch-misses:upp"), 0);
	CHECK_INT(rule.precise, 2);
	CHECK(rule.is_user && !rule.is_kernel && !rule.is_output);
	CHECK_STR(refusal("cycles:pppp"), "'p' is not a modifier: give k for the kernel, u for "
		  "user space, or uk for both, and up to three p for precise samples");
	CHECK_STR(refusal("cpu-clock:p"), "'cpu-clock' is not an event of the hardware, as the "
		  "modifier p requires: give one like cycles or branch-misses");
}

static void has_terms(void)
{
	CHECK_INT(parse("cpu-clock/period=1000000,aux-sample-size=8192/u"), 0);
	CHECK_INT(rule.period, 1000000);
	CHECK_INT(rule.freq, 0);
	CHECK_INT(rule.aux_bytes, 8192);
	CHECK(rule.is_user);
	CHECK_INT(parse("sched:sched_switch/aux-sample-size=60K,freq=0x10/"), 0);
	CHECK_INT(rule.freq, 16);
	CHECK_INT(rule.aux_bytes, 61440);
	CHECK_STR(refusal("cpu-clock/period=1,freq=1/"),
		  "'period' and 'freq' exclude each other: remove one");
	CHECK_STR(refusal("cpu-clock/period=-1/"), "'period': '-1' is not a number from 1 on");
	CHECK_STR(refusal("cpu-clock/freq=0/"), "'freq': '0' is not a number from 1 on");
	CHECK_STR(refusal("cpu-clock/freq/"), "'freq' is not a term of 'cpu-clock': the terms are "
		  "period=N, freq=N, aux-sample-size=SIZE and aux-output");
	CHECK_STR(refusal("cpu-clock/aux-sample-size=61441/"),
		  "a sample of '61441' bytes is invalid: give a size from 8 to 60K");
	CHECK_STR(refusal("cpu-clock/freq=1"), "'cpu-clock/freq=1' lacks a '/' after its terms");
}

static void has_output(void)
{
	CHECK_INT(parse("cycles/aux-output,period=10000/"), 0);
	CHECK(rule.is_output);
	CHECK_INT(rule.precise, 3);
	CHECK_INT(parse("cycles/period=10000,aux-output/up"), 0);
	CHECK(rule.is_output && rule.is_user);
	CHECK_INT(rule.precise, 1);
	CHECK_STR(refusal("cycles/aux-output/"), "'aux-output' needs 'period=N': the CPU takes "
		  "these samples by itself, and the kernel cannot adapt their period");
	CHECK_INT(parse("cycles/aux-output,freq=100/"), -EINVAL);
	CHECK_STR(refusal("cycles/aux-output,period=1,aux-sample-size=4K/"),
		  "'aux-output' and 'aux-sample-size' exclude each other: remove one");
	CHECK_STR(refusal("page-faults/aux-output,period=1/"), "'page-faults' is not an event of "
		  "the hardware, as 'aux-output' requires: give one like cycles or branch-misses");
	CHECK_INT(parse("sched:sched_switch/aux-output,period=1/"), -EINVAL);
	CHECK_INT(parse("cycles/aux-output=1,period=1/"), -EINVAL);
}

static void is_unknown(void)
{
	static const char why[] = "'nothing' is not an event: give one like cpu-clock, "
				  "page-faults, branch-misses or SYSTEM:EVENT";
	char text[300] = "";

	CHECK_STR(refusal("nothing"), why);
	CHECK_STR(refusal("nothing/period=1/"), why);
	CHECK_INT(parse(""), -EINVAL);
	memset(text, 'x', sizeof(text) - 1);
	CHECK_INT(parse(text), -EINVAL);
	text[2] = ':';
	CHECK_INT(parse(text), -EINVAL);
}

static void has_size(void)
{
	uint32_t bytes = 0;

	CHECK_INT(fargs_pt_sample_size_parse("4096", &bytes, &err), 0);
	CHECK_INT(bytes, 4096);
	CHECK_INT(fargs_pt_sample_size_parse("60K", &bytes, &err), 0);
	CHECK_INT(bytes, 61440);
	CHECK_INT(fargs_pt_sample_size_parse("8", &bytes, &err), 0);
	CHECK_INT(fargs_pt_sample_size_parse("7", &bytes, &err), -EINVAL);
	CHECK_INT(fargs_pt_sample_size_parse("0", &bytes, &err), -EINVAL);
	CHECK_INT(fargs_pt_sample_size_parse("61K", &bytes, &err), -EINVAL);
	CHECK_STR(err.text, "a sample of '61K' bytes is invalid: give a size from 8 to 60K");
	CHECK_INT(fargs_pt_sample_size_parse("many", &bytes, &err), -EINVAL);
}

static struct fargs_pt_sampler sampler;

static const struct perf_event_attr *attr_of(const char *text)
{
	CHECK_INT(parse(text), 0);
	fargs_pt_sampler_init(&sampler, &rule, 4096, 4000, 77);
	return &sampler.attr;
}

static void makes_attributes(void)
{
	const struct perf_event_attr *attr = attr_of("cpu-clock");

	CHECK_INT(attr->type, 1);
	CHECK(attr->freq && !attr->disabled && !attr->exclude_kernel && !attr->exclude_user);
	CHECK_INT(attr->sample_freq, 4000);
	CHECK_INT(attr->aux_sample_size, 4096);
	CHECK(attr->sample_type & PERF_SAMPLE_AUX && attr->sample_type & PERF_SAMPLE_IDENTIFIER);
	CHECK(sampler.may_omit_kernel);
	attr = attr_of("cpu-clock/period=5,aux-sample-size=512/u");
	CHECK_STR(sampler.name, "cpu-clock:u");
	CHECK(!attr->freq && attr->exclude_kernel && !attr->exclude_user);
	CHECK_INT(attr->sample_period, 5);
	CHECK_INT(attr->aux_sample_size, 512);
	CHECK(!sampler.may_omit_kernel);
	/* Without a period, each one is sampled. */
	attr = attr_of("sched:sched_switch");
	CHECK_INT(attr->type, 2);
	CHECK(!attr->precise_ip && !attr->aux_output);
	CHECK_INT(attr->config, 77);
	CHECK(!attr->freq);
	CHECK_INT(attr->sample_period, 1);
	attr = attr_of("branch-misses/freq=100/kpp");
	CHECK_STR(sampler.name, "branch-misses:kpp");
	CHECK_INT(attr->precise_ip, 2);
	CHECK_INT(attr->aux_sample_size, 4096);
	/* The kernel refuses both a copy of the trace and records in it. */
	attr = attr_of("branch-misses/aux-output,period=77/");
	CHECK_STR(sampler.name, "branch-misses:ppp");
	CHECK_INT(attr->type, 0);
	CHECK_INT(attr->config, 5);
	CHECK(attr->aux_output && !attr->freq && !attr->disabled);
	CHECK_INT(attr->sample_period, 77);
	CHECK_INT(attr->precise_ip, 3);
	CHECK_INT(attr->aux_sample_size, 0);
	CHECK(!(attr->sample_type & PERF_SAMPLE_AUX) && attr->sample_type & PERF_SAMPLE_IDENTIFIER);
}

static const struct ktap_test tests[] = {
	{ "names of events", is_named },
	{ "modifiers", has_modifiers },
	{ "terms", has_terms },
	{ "PEBS records in the trace", has_output },
	{ "unknown events", is_unknown },
	{ "sizes", has_size },
	{ "attributes", makes_attributes },
};

int main(void)
{
	return KTAP_RUN(tests);
}
