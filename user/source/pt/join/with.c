// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/with.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/reader.h"
#include "kernel/sym/ksyms.h"
#include "source/perf_data/file.h"
#include "source/pt/input/guests.h"

/* The first byte of a near call, and the size of the call or nop at a function's entry. */
#define CALL		0xe8
#define ENTRY_BYTES	5
/*
 * Maximum difference between the times that perf's conversion and a clock sample give for a TSC, in
 * ns, besides the width of the sample. The kernel recomputes the conversion when the TSC's rate is
 * refined, once after booting. Two boots differ by more: the kernel's clock starts at 0, but the
 * TSC starts before the firmware, whose time varies by milliseconds.
 */
#define CLOCK_ERROR_NS	20000

/* Reads @bytes of the kernel's code at @addr, as it was copied. Returns false if it was not. */
static bool read_code(const struct fargs_pt_input *in, uint64_t addr, uint8_t *to, size_t bytes)
{
	const struct fargs_pt_code *code;
	ssize_t nr;
	size_t i;
	int fd;

	for (i = in->nr_codes; i; i--) {
		code = &in->codes[i - 1];
		if (code->pid >= 0 || addr < code->addr || addr - code->addr > code->bytes ||
		    code->bytes - (addr - code->addr) < bytes)
			continue;
		fd = open(code->path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return false;
		nr = pread(fd, to, bytes, (off_t)(code->at + (addr - code->addr)));
		close(fd);
		return nr == (ssize_t)bytes;
	}
	return false;
}

static int check_trace(const struct fargs_pt_input *in, struct fargs_error_text *err)
{
	size_t i;

	if (!in->config.has_kernel)
		return fargs_fail(err, EINVAL, "the trace has no kernel code paths: record with "
				  "'perf record --kcore -a -e intel_pt//k'");
	for (i = 0; i < in->nr_streams && in->streams[i].cpu == UINT32_MAX; i++)
		;
	if (i == in->nr_streams)
		return fargs_fail(err, EINVAL, "records are kept by CPU, but perf traced single "
				  "threads: record with 'perf record -a' or '-C'");
	if (!in->nr_codes || !in->ksyms)
		return fargs_fail(err, EINVAL, "the trace has no copy of the kernel's code and "
				  "symbols: record with 'perf record --kcore'");
	return 0;
}

/* The same for a guest, whose code is in @code. */
static int check_guest(const struct fargs_pt_input *in, const struct fargs_pt_input *code,
		       struct fargs_error_text *err)
{
	size_t i;

	if (!in->config.has_kernel)
		return fargs_fail(err, EINVAL, "the trace has no kernel code paths: record with "
				  "'perf kvm --host --guest record -e intel_pt//k'");
	if (!code->nr_codes || !code->ksyms)
		return fargs_fail(err, EINVAL, "there is no copy of the guest's code and symbols: "
				  "give its kallsyms, with a copy of its /proc/kcore beside it");
	for (i = 0; i < in->nr_streams; i++)
		if (in->streams[i].cpu != UINT32_MAX && in->nr_lost_records)
			return fargs_fail(err, EINVAL, "perf lost records, perhaps of task "
					  "switches, so that which CPU of the guest was executed "
					  "is not known: record with '--per-thread'");
	return 0;
}

/*
 * Compares perf's conversion of TSC to time with the clock samples in the file of records. No
 * perf.data file has the kernel's boot id, but two boots do not have the same clock.
 */
static int check_clock(const struct fargs_pt_input *in, const struct fargs_meta *meta,
		       struct fargs_error_text *err)
{
	const struct fargs_clock_sample *s;
	uint64_t ns, error, i;
	unsigned int cpu;

	if (!in->config.has_time || !meta->info.tsc_khz)
		return 0;
	for (i = 0; i < meta->nr_clocks; i++) {
		for (cpu = 0; cpu < meta->info.nr_cpus; cpu++) {
			s = &meta->clocks[i].cpus[cpu];
			if (!(s->is_valid & FARGS_CLOCK_VALID) ||
			    s->is_valid & FARGS_CLOCK_UNSTABLE)
				continue;
			/* A TSC from before the conversion's zero gives a negative time. */
			ns = fargs_pt_input_ns(&in->config, s->tsc) - s->perf_ns;
			error = ns > INT64_MAX ? -ns : ns;
			if (error > CLOCK_ERROR_NS + s->width_tsc * 1000000ull / meta->info.tsc_khz)
				return fargs_fail(err, EINVAL, "the two were not recorded during "
						  "the same boot: their clocks differ by "
						  "%" PRIu64 ".%09" PRIu64 " s",
						  error / 1000000000, error % 1000000000);
		}
	}
	return 0;
}

/*
 * Checks that the two recordings overlap. The trace is as long as its task switches show; without
 * any, its time is not known before it is decoded.
 */
static int check_overlap(const struct fargs_pt_input *in, const struct fargs_meta *meta,
			 struct fargs_error_text *err)
{
	uint64_t first = UINT64_MAX, last = 0, begin = UINT64_MAX, end = 0;
	const struct fargs_clock_sample *s;
	unsigned int cpu;
	size_t i;

	for (i = 0; i < in->nr_switches; i++) {
		first = in->switches[i].ns < first ? in->switches[i].ns : first;
		last = in->switches[i].ns > last ? in->switches[i].ns : last;
	}
	for (i = 0; i < meta->nr_clocks; i++) {
		for (cpu = 0; cpu < meta->info.nr_cpus; cpu++) {
			s = &meta->clocks[i].cpus[cpu];
			if (!(s->is_valid & FARGS_CLOCK_VALID))
				continue;
			begin = s->perf_ns < begin ? s->perf_ns : begin;
			end = s->perf_ns > end ? s->perf_ns : end;
		}
	}
	if (first > last || begin > end || (first <= end && begin <= last))
		return 0;
	return fargs_fail(err, EINVAL, "the two were not recorded at the same time: the trace "
			  "begins %s the records end", first > end ? "after" : "before");
}

/* Is @addr the address of a symbol @name, or is there no such symbol? */
static bool may_be_at(const struct fargs_ksyms *ksyms, const char *name, uint64_t addr)
{
	const struct fargs_ksym *const *syms;
	size_t nr = fargs_ksyms_find_name(ksyms, name, &syms), i;

	for (i = 0; i < nr; i++)
		if (syms[i]->addr == addr)
			return true;
	return !nr;
}

/* Checks that traced functions have the same addresses in both files. */
static int check_functions(const struct fargs_pt_input *in, const struct fargs_meta *meta,
			   struct fargs_error_text *err)
{
	const struct fargs_func *func;
	size_t i;

	for (i = 0; i < meta->nr_funcs; i++) {
		func = &meta->funcs[i];
		/* Tracepoints have no address, and modules may be loaded again elsewhere. */
		if (func->addr && !func->module && !may_be_at(in->ksyms, func->name, func->addr))
			return fargs_fail(err, EINVAL, "the two are not of the same kernel and "
					  "boot: the records have function '%s' at %#" PRIx64
					  ", the trace has it elsewhere", func->name, func->addr);
	}
	return 0;
}

/* Returns before what the tracer must have been loaded or started. */
static const char *before(const struct fargs_pt_input *code)
{
	return code->is_guest ? "/proc/kcore is copied" : "perf starts";
}

/* xadd %reg64, memory: REX.W 0F C1 (fargs_arch_next_seq() in the module). */
static bool is_xadd(const uint8_t *code)
{
	return (code[0] & 0xf8) == 0x48 && code[1] == 0x0f && code[2] == 0xc1;
}

static int check_site(const struct fargs_pt_input *in, uint64_t site, struct fargs_error_text *err)
{
	const struct fargs_ksym *sym = fargs_ksyms_find_addr(in->ksyms, site);
	uint8_t code[3];

	if (!sym || !sym->module || strcmp(sym->module, "fargs"))
		return fargs_fail(err, EINVAL, "when the kernel's symbols were copied, the module "
				  "fargs was not loaded, or at another address: load it before "
				  "%s", before(in));
	if (!read_code(in, site, code, sizeof(code)))
		return fargs_fail(err, EINVAL, "the copy of the kernel has no code of the module "
				  "fargs: load it before %s", before(in));
	return is_xadd(code) ? 0 :
	       fargs_fail(err, EINVAL, "the code of the module fargs that was copied is not "
			  "the code that wrote the records: the module was loaded again");
}

/* Compares the build id of the module that wrote the records with the one that perf copied. */
static int check_build(const struct fargs_pt_input *in, const struct fargs_meta *meta,
		       struct fargs_error_text *err)
{
	const struct fargs_module_id *id = &meta->module_id;
	uint8_t copied[FARGS_MODULE_ID_MAX];

	if (!id->bytes || !id->addr || !read_code(in, id->addr, copied, id->bytes) ||
	    !memcmp(copied, id->data, id->bytes))
		return 0;
	return fargs_fail(err, EINVAL, "when the kernel's code was copied, another build of the "
			  "module fargs was loaded than the one that wrote the records");
}

static int check_module(const struct fargs_pt_input *in, const struct fargs_meta *meta,
			struct fargs_error_text *err)
{
	size_t i, nr = 0;
	int ret;

	for (i = 0; i < FARGS_PT_SITES; i++) {
		if (!fargs_meta_site(meta, i))
			continue;
		nr++;
		ret = check_site(in, fargs_meta_site(meta, i), err);
		if (ret)
			return ret;
	}
	if (!nr)
		return fargs_fail(err, EINVAL, "the records do not say where the module fargs "
				  "numbered them: record with this version of fargs");
	return check_build(in, meta, err);
}

static int compare_addrs(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Returns the sorted addresses of all changes of code, or NULL if out of memory. */
static uint64_t *sort_pokes(const struct fargs_pt_input *in)
{
	uint64_t *addrs = calloc(in->nr_pokes + 1, sizeof(*addrs));
	size_t i;

	for (i = 0; addrs && i < in->nr_pokes; i++)
		addrs[i] = in->pokes[i].addr;
	if (addrs)
		qsort(addrs, in->nr_pokes, sizeof(*addrs), compare_addrs);
	return addrs;
}

/*
 * Checks that the trace shows where traced functions called the tracer: either they were already
 * traced when perf copied the code, or perf recorded the change (PERF_RECORD_TEXT_POKE).
 */
static int check_armed(const struct fargs_pt_input *in, const struct fargs_meta *meta,
		       struct fargs_error_text *err)
{
	uint64_t *pokes = sort_pokes(in);
	const struct fargs_func *func;
	uint8_t code[ENTRY_BYTES];
	int ret = 0;
	size_t i;

	if (!pokes)
		return fargs_fail(err, ENOMEM, "out of memory");
	for (i = 0; i < meta->nr_funcs && !ret; i++) {
		func = &meta->funcs[i];
		if (!func->addr || func->from_tsc ||
		    !read_code(in, func->ip, code, sizeof(code)) || code[0] == CALL ||
		    bsearch(&func->ip, pokes, in->nr_pokes, sizeof(*pokes), compare_addrs))
			continue;
		ret = fargs_fail(err, EINVAL, "the kernel's code was copied before fargs traced "
				 "'%s'%s", func->name, in->is_guest ?
				 ": copy /proc/kcore while 'fargs record' runs" :
				 ", and perf did not record the change: start 'fargs record' "
				 "first, or use a perf that records text pokes");
	}
	free(pokes);
	return ret;
}

int fargs_pt_with_check(struct fargs_pt_input *in, const struct fargs_meta *meta,
			const struct fargs_pt_join_guest *guest, struct fargs_error_text *err)
{
	struct fargs_pt_input *code = guest ? &in->guests[guest->guest].in : in;
	size_t i;
	int ret = guest ? check_guest(in, code, err) : check_trace(in, err);

	if (!ret && (meta->is_bare || !meta->nr_funcs))
		ret = fargs_fail(err, EINVAL, "there are no records of calls: record with "
				 "'fargs record -f' or '-t'");
	/* A guest has clocks of its own. */
	if (!ret && !guest)
		ret = check_clock(in, meta, err);
	if (!ret)
		ret = check_functions(code, meta, err);
	if (!ret && !guest)
		ret = check_overlap(in, meta, err);
	if (!ret)
		ret = check_module(code, meta, err);
	if (!ret)
		ret = check_armed(code, meta, err);
	if (ret)
		return ret;
	for (i = 0; i < FARGS_PT_SITES; i++)
		code->seq_sites[i] = fargs_meta_site(meta, i);
	return 0;
}

int fargs_pt_with_read(struct fargs_pt_input *in, const char *path, const char *with,
		       const struct fargs_pt_join_guest *guest, struct fargs_error_text *err)
{
	struct fargs_error_text why = { "" };
	struct fargs_reader *reader;
	struct fargs_meta meta;
	int ret;

	if (!fargs_perf_file_is(path))
		return fargs_fail(err, EINVAL, "'--with' is for perf.data files: a fargs file has "
				  "records of its own");
	fargs_meta_init(&meta);
	reader = fargs_reader_open(with, &meta, err);
	ret = reader ? fargs_pt_with_check(in, &meta, guest, &why) : -EINVAL;
	if (reader && ret)
		fargs_fail(err, -ret, "the records of '%s' cannot be shown on its calls: %s", with,
			   why.text);
	fargs_reader_destroy(reader);
	fargs_meta_deinit(&meta);
	return ret;
}
