// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the interface to dlfilters: its layout is compared with Debian's header, and lengths of
 * instructions with those of the assembler. Also tests that faults in a filter are caught.
 */
#include "unit/ktap.h"

#include <signal.h>
#include <stdlib.h>

#include "plugin/dlfilter/api.h"
#include "plugin/dlfilter/guard.h"
#include "source/pt/code/insn.h"

#if __has_include("perf/perf_dlfilter.h")
/* The header perf_dlfilter.h declares its functions as a filter must define them. */
#include <perf/perf_dlfilter.h>

#define SAME(ours, theirs, member)						\
	do {									\
		CHECK_INT(offsetof(struct ours, member), offsetof(struct theirs, member)); \
		CHECK_INT(sizeof(((struct ours *)0)->member),			\
			  sizeof(((struct theirs *)0)->member));		\
	} while (0)

static void sample_is_laid_out_alike(void)
{
#define MEMBER(m)	SAME(fargs_dlfilter_sample, perf_dlfilter_sample, m)
	MEMBER(size);
	MEMBER(ins_lat);
	MEMBER(p_stage_cyc);
	MEMBER(ip);
	MEMBER(pid);
	MEMBER(tid);
	MEMBER(time);
	MEMBER(addr);
	MEMBER(id);
	MEMBER(stream_id);
	MEMBER(period);
	MEMBER(weight);
	MEMBER(transaction);
	MEMBER(insn_cnt);
	MEMBER(cyc_cnt);
	MEMBER(cpu);
	MEMBER(flags);
	MEMBER(data_src);
	MEMBER(phys_addr);
	MEMBER(data_page_size);
	MEMBER(code_page_size);
	MEMBER(cgroup);
	MEMBER(cpumode);
	MEMBER(addr_correlates_sym);
	MEMBER(misc);
	MEMBER(raw_size);
	MEMBER(raw_data);
	MEMBER(brstack_nr);
	MEMBER(brstack);
	MEMBER(raw_callchain_nr);
	MEMBER(raw_callchain);
	MEMBER(event);
#ifdef PERF_DLFILTER_HAS_MACHINE_PID
	MEMBER(machine_pid);
	MEMBER(vcpu);
#endif
#undef MEMBER
	CHECK(sizeof(struct fargs_dlfilter_sample) >= sizeof(struct perf_dlfilter_sample));
}

static void place_is_laid_out_alike(void)
{
#define MEMBER(m)	SAME(fargs_dlfilter_al, perf_dlfilter_al, m)
	MEMBER(size);
	MEMBER(symoff);
	MEMBER(sym);
	MEMBER(addr);
	MEMBER(sym_start);
	MEMBER(sym_end);
	MEMBER(dso);
	MEMBER(sym_binding);
	MEMBER(is_64_bit);
	MEMBER(is_kernel_ip);
	MEMBER(buildid_size);
	MEMBER(buildid);
	MEMBER(filtered);
	MEMBER(comm);
#undef MEMBER
	/* In some versions of the header, the struct has one more member after comm, priv. */
	CHECK_INT(offsetof(struct fargs_dlfilter_al, priv),
		  offsetof(struct perf_dlfilter_al, comm) + sizeof(void *));
}

static void functions_are_at_the_same_places(void)
{
#define MEMBER(m)	SAME(fargs_dlfilter_fns, perf_dlfilter_fns, m)
	MEMBER(resolve_ip);
	MEMBER(resolve_addr);
	MEMBER(args);
	MEMBER(resolve_address);
	MEMBER(insn);
	MEMBER(srcline);
	MEMBER(attr);
	MEMBER(object_code);
#undef MEMBER
	/*
	 * al_cleanup is the ninth function; an older perf_dlfilter.h still counts it as reserved.
	 */
	CHECK_INT(offsetof(struct fargs_dlfilter_fns, al_cleanup), 8 * sizeof(void *));
	CHECK_INT(sizeof(struct fargs_dlfilter_fns), sizeof(struct perf_dlfilter_fns));
}

static void flags_are_the_same(void)
{
	CHECK_INT(FARGS_DLFILTER_BRANCH, PERF_DLFILTER_FLAG_BRANCH);
	CHECK_INT(FARGS_DLFILTER_CALL, PERF_DLFILTER_FLAG_CALL);
	CHECK_INT(FARGS_DLFILTER_RETURN, PERF_DLFILTER_FLAG_RETURN);
	CHECK_INT(FARGS_DLFILTER_CONDITIONAL, PERF_DLFILTER_FLAG_CONDITIONAL);
	CHECK_INT(FARGS_DLFILTER_SYSCALLRET, PERF_DLFILTER_FLAG_SYSCALLRET);
	CHECK_INT(FARGS_DLFILTER_ASYNC, PERF_DLFILTER_FLAG_ASYNC);
	CHECK_INT(FARGS_DLFILTER_INTERRUPT, PERF_DLFILTER_FLAG_INTERRUPT);
	CHECK_INT(FARGS_DLFILTER_TX_ABORT, PERF_DLFILTER_FLAG_TX_ABORT);
	CHECK_INT(FARGS_DLFILTER_TRACE_BEGIN, PERF_DLFILTER_FLAG_TRACE_BEGIN);
	CHECK_INT(FARGS_DLFILTER_TRACE_END, PERF_DLFILTER_FLAG_TRACE_END);
	CHECK_INT(FARGS_DLFILTER_IN_TX, PERF_DLFILTER_FLAG_IN_TX);
	CHECK_INT(FARGS_DLFILTER_VMENTRY, PERF_DLFILTER_FLAG_VMENTRY);
	CHECK_INT(FARGS_DLFILTER_VMEXIT, PERF_DLFILTER_FLAG_VMEXIT);
}
#else
static void skip(void)
{
	ktap_skip("linux-perf is not installed");
}

#define sample_is_laid_out_alike		skip
#define place_is_laid_out_alike			skip
#define functions_are_at_the_same_places	skip
#define flags_are_the_same			skip
#endif

/* Instructions between assembler labels. This code is never executed. */
#define INSNS								\
	INSN("ret") INSN("nop") INSN("mov %rsp, %rbp") INSN("call 0x12345678")	\
	INSN("nopw %cs:0(%rax,%rax,1)") INSN("movabs $0x1122334455667788, %rax")	\
	INSN("vzeroupper") INSN("vmovaps %zmm0, %zmm0") INSN("je .+10") INSN("syscall")	\
	INSN("endbr64") INSN("jmp *%rax") INSN("ud2") INSN("lock cmpxchg16b (%rdi)")	\
	INSN("movw $0x1234, 0x11223344(%r8,%r9,8)") INSN("imul $7, %rax, %rbx")		\
	INSN("rep movsq") INSN("pshufb %xmm1, %xmm2") INSN("mov %cr3, %rax")		\
	INSN("call *%fs:0x28") INSN("enter $16, $1") INSN("xbegin .+100") INSN("iretq")

#define TABLE(text)	".pushsection .data.rel.ro, \"aw\"\n" text "	.popsection\n"
#define INSN(text)	"1:	" text "\n2:\n" TABLE("	.quad 1b, 2b\n")

__asm__(TABLE("	.balign 8\n	.globl insn_bounds\ninsn_bounds:\n")
	".pushsection .text\n" INSNS "	.popsection\n"
	TABLE("	.quad 0, 0\n"));

extern const uint8_t *const insn_bounds[][2];

static unsigned int len_of(const uint8_t *code, size_t bytes)
{
	struct fargs_pt_decoded insn;

	return fargs_pt_insn_decode(code, bytes, FARGS_PT_EXEC_64, &insn) ? insn.size : 0;
}

static void lengths_are_those_of_the_assembler(void)
{
	size_t i;

	for (i = 0; insn_bounds[i][0]; i++) {
		size_t len = insn_bounds[i][1] - insn_bounds[i][0];

		if (len_of(insn_bounds[i][0], 15) != len)
			ktap_fail(__FILE__, __LINE__, "instruction %zu: %u, not %zu", i,
				  len_of(insn_bounds[i][0], 15), len);
		/* With fewer bytes than the instruction has, the length is unknown. */
		CHECK_INT(len_of(insn_bounds[i][0], len), len);
		CHECK_INT(len_of(insn_bounds[i][0], len - 1), 0);
	}
	CHECK(i == 23);
}

static int nr_calls;

static void count(void *arg)
{
	nr_calls += *(int *)arg;
}

/* The division traps, as in a filter, also with UBSan. */
__attribute__((no_sanitize("undefined"))) static void divide(void *arg)
{
	*(volatile int *)arg = 12345 / *(volatile int *)arg;
}

static void call_null(void *arg)
{
	void (*volatile fn)(void) = NULL;

	fn();
}

static void write_low(void *arg)
{
	int *volatile low = (int *)16;

	*low = 1;
}

static void give_up(void *arg)
{
	abort();
}

static void faults_come_back(void)
{
	struct fargs_guard_fault fault;
	int one = 1, zero = 0, i;

	REQUIRE(!fargs_guard_init());
	/* Repeat: a fault must leave no state behind. */
	for (i = 0; i < 3; i++) {
		CHECK(fargs_guard_run(count, &one, &fault));
		CHECK(!fargs_guard_run(divide, &zero, &fault));
		CHECK_INT(fault.signal, SIGFPE);
		CHECK(!fault.is_null_call);
		CHECK(!fargs_guard_run(call_null, NULL, &fault));
		CHECK_INT(fault.signal, SIGSEGV);
		CHECK(fault.is_null_call);
		CHECK(!fargs_guard_run(write_low, NULL, &fault));
		CHECK_INT(fault.signal, SIGSEGV);
		CHECK(!fault.is_null_call);
		CHECK(!fargs_guard_run(give_up, NULL, &fault));
		CHECK_INT(fault.signal, SIGABRT);
		CHECK(!fargs_guard_is_running());
	}
	CHECK_INT(nr_calls, 3);
}

static const struct ktap_test tests[] = {
	{ "struct perf_dlfilter_sample has the layout of Debian's header",
	  sample_is_laid_out_alike },
	{ "struct perf_dlfilter_al has the layout of Debian's header", place_is_laid_out_alike },
	{ "struct perf_dlfilter_fns has the layout of Debian's header",
	  functions_are_at_the_same_places },
	{ "flags have the values of Debian's header", flags_are_the_same },
	{ "instructions have the length that the assembler gave them",
	  lengths_are_those_of_the_assembler },
	{ "faults of a filter are caught", faults_come_back },
};

int main(void)
{
	return KTAP_RUN(tests);
}
