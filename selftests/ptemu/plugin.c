// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin for QEMU's translating emulator (TCG) that emulates Intel PT on its x86 CPUs.
 *
 *	-plugin ptemu.so,dir=DIR
 *
 * DIR: directory of the log of executed instructions (truth.h).
 *
 * Generated code stores the address of each instruction's description before the instruction is
 * executed, and calls the plugin at each block if a trace is enabled.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>

#include "model.h"
#include "qemu_plugin.h"
#include "trace.h"

#define EXPORTED __attribute__((visibility("default")))

/* Registers of the local APIC, at the same addresses on every CPU. */
#define APIC_ICR	0xfee00300
#define APIC_LVTPC	0xfee00340
#define APIC_MASKED	(1u << 16)
#define APIC_MODE	(7u << 8)
#define APIC_VECTOR	0xffu
#define APIC_SELF	(1u << 18)

#define PAGE_OFFSET	0xfffull

enum { NR_GPRS = 16, RAX = 0, RCX = 1, RDX = 2, RBX = 3, RSP = 4 };

/* Names of the registers, indexed by their numbers in instructions. */
static const char *const gpr_names[NR_GPRS] = {
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
};

enum { RIP, FLAGS, CS, FS_BASE, GS_BASE, K_GS_BASE, CR2, CR3, NR_OTHERS };

static const char *const other_names[NR_OTHERS] = {
	[RIP] = "rip", [FLAGS] = "eflags", [CS] = "cs", [FS_BASE] = "fs_base",
	[GS_BASE] = "gs_base", [K_GS_BASE] = "k_gs_base", [CR2] = "cr2", [CR3] = "cr3",
};

/* Data of a vCPU that generated code reads and writes. */
struct slot {
	/* struct insn * of the last instruction that was started; 0 after an interrupt */
	uint64_t last;
	uint64_t is_kernel_wanted;
	uint64_t is_user_wanted;
	struct trace *trace;
	uint64_t moved;	/* distance of the block from the address at which it was translated */
};

static struct qemu_plugin_scoreboard *slots;
static qemu_plugin_u64 slot_last, slot_kernel, slot_user;
static struct qemu_plugin_register *gprs[NR_GPRS], *others[NR_OTHERS];
static int64_t (*elapsed_ticks)(void);
static const char *truth_dir;
static unsigned int nr_vcpus;

EXPORTED int qemu_plugin_version = PTEMU_PLUGIN_API;
EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
				 char **argv);

static void die(const char *what)
{
	fprintf(stderr, "ptemu: %s\n", what);
	exit(1);
}

/* The following functions give the trace access to the machine. */

static GByteArray *bytes_of(size_t size)
{
	static __thread GByteArray *bytes;

	if (!bytes)
		bytes = g_byte_array_new();
	return g_byte_array_set_size(bytes, (unsigned int)size);
}

static uint64_t read_register(struct qemu_plugin_register *handle)
{
	GByteArray *bytes = bytes_of(0);
	uint64_t value = 0;

	if (!qemu_plugin_read_register(handle, bytes))
		die("a register cannot be read");
	memcpy(&value, bytes->data, bytes->len < 8 ? bytes->len : 8);
	return value;
}

static void write_register(struct qemu_plugin_register *handle, uint64_t value)
{
	GByteArray *bytes = bytes_of(sizeof(value));

	memcpy(bytes->data, &value, sizeof(value));
	if (!qemu_plugin_write_register(handle, bytes))
		die("a register cannot be written");
}

static bool read_memory(void *arg, uint64_t pa, void *to, size_t size)
{
	GByteArray *bytes = bytes_of(0);

	if (qemu_plugin_read_memory_hwaddr(pa, bytes, size) || bytes->len < size)
		return false;
	memcpy(to, bytes->data, size);
	return true;
}

static bool write_memory(void *arg, uint64_t pa, const void *from, size_t size)
{
	GByteArray *bytes = bytes_of(size);

	memcpy(bytes->data, from, size);
	return !qemu_plugin_write_memory_hwaddr(pa, bytes);
}

static uint64_t tsc(void)
{
	return (uint64_t)elapsed_ticks();
}

static uint64_t cr2(void)
{
	return read_register(others[CR2]);
}

static uint64_t cr3(void)
{
	return read_register(others[CR3]);
}

static uint64_t flags(void)
{
	return read_register(others[FLAGS]);
}

static uint64_t code_segment(void)
{
	return read_register(others[CS]);
}

static uint64_t stack(void)
{
	return read_register(gprs[RSP]);
}

/* Before SWAPGS, the kernel's base is the one that is not in use. */
static uint64_t kernel_gs(void)
{
	uint64_t base = read_register(others[GS_BASE]);

	return (int64_t)base < 0 ? base : read_register(others[K_GS_BASE]);
}

static bool read_virtual(uint64_t address, void *to, size_t size)
{
	GByteArray *bytes = bytes_of(0);

	if (!qemu_plugin_read_memory_vaddr(address, bytes, size) || bytes->len < size)
		return false;
	memcpy(to, bytes->data, size);
	return true;
}

static const struct trace_machine machine = {
	.tsc = tsc,
	.cr2 = cr2,
	.cr3 = cr3,
	.flags = flags,
	.code_segment = code_segment,
	.stack = stack,
	.kernel_gs = kernel_gs,
	.read = read_virtual,
	.memory = { .read = read_memory, .write = write_memory },
};

/* Delivers the performance-monitoring interrupt according to the local vector table. */
static void interrupt(struct trace *trace)
{
	uint32_t lvt, icr;

	if (!trace->is_interrupt)
		return;
	trace->is_interrupt = false;
	if (!read_memory(NULL, APIC_LVTPC, &lvt, sizeof(lvt)))
		die("the local APIC cannot be read");
	if (lvt & APIC_MASKED)
		return;
	icr = APIC_SELF | (lvt & (APIC_MODE | APIC_VECTOR));
	/* The interrupt is masked until the guest's handler unmasks it. */
	lvt |= APIC_MASKED;
	if (!write_memory(NULL, APIC_LVTPC, &lvt, sizeof(lvt)) ||
	    !write_memory(NULL, APIC_ICR, &icr, sizeof(icr)))
		die("the local APIC cannot be written");
}

/* The following functions are callbacks of QEMU. */

static void update_wanted(struct slot *slot)
{
	slot->is_kernel_wanted = trace_wants(slot->trace, true);
	slot->is_user_wanted = trace_wants(slot->trace, false);
}

/*
 * QEMU uses a translation wherever the same physical page is mapped, so a block may run at another
 * address. Returns the distance of the executed @insn from the address at which it was translated.
 * RIP is the address of the block's beginning or a later one, and the distance is a multiple of the
 * page size.
 */
static uint64_t moved_by(const struct insn *insn)
{
	uint64_t rip;

	if ((int64_t)insn->pc < 0)
		return 0;
	rip = read_register(others[RIP]);
	return rip + ((insn->pc - rip) & PAGE_OFFSET) - insn->pc;
}

/* Returns the last instruction in @copy, with its actual address; NULL after an interrupt. */
static const struct insn *last_of(const struct slot *slot, struct insn *copy)
{
	if (!slot->last)
		return NULL;
	*copy = *(const struct insn *)slot->last;
	copy->pc += slot->moved;
	copy->target += slot->moved;
	return copy;
}

static void go_on_behind(const struct insn *insn)
{
	qemu_plugin_set_pc(insn_next(insn) + moved_by(insn));
}

static void on_block(unsigned int vcpu, void *userdata)
{
	struct slot *slot = qemu_plugin_scoreboard_find(slots, vcpu);
	const struct insn *first = userdata;
	uint64_t moved = moved_by(first);
	struct insn last;

	trace_block(slot->trace, last_of(slot, &last), first, moved);
	slot->moved = moved;
	update_wanted(slot);
	interrupt(slot->trace);
}

/*
 * Called when an interrupt or exception is delivered. QEMU also calls it when an exception is
 * raised, before the handler is known: then @from equals @to, and nothing is done.
 */
static void on_discontinuity(unsigned int vcpu, enum qemu_plugin_discon_type type, uint64_t from,
			     uint64_t to, void *userdata)
{
	struct slot *slot = qemu_plugin_scoreboard_find(slots, vcpu);
	struct insn last;

	if (from == to)
		return;
	trace_async(slot->trace, last_of(slot, &last), from, to);
	slot->last = 0;
	update_wanted(slot);
}

static void on_wrmsr(unsigned int vcpu, void *userdata)
{
	struct slot *slot = qemu_plugin_scoreboard_find(slots, vcpu);
	const struct insn *insn = userdata;
	uint64_t value = read_register(gprs[RDX]) << 32 | (uint32_t)read_register(gprs[RAX]);

	if (!trace_wrmsr(slot->trace, insn, (uint32_t)read_register(gprs[RCX]), value))
		return;
	update_wanted(slot);
	interrupt(slot->trace);
	go_on_behind(insn);
}

static void on_rdmsr(unsigned int vcpu, void *userdata)
{
	struct slot *slot = qemu_plugin_scoreboard_find(slots, vcpu);
	const struct insn *insn = userdata;
	uint64_t value;

	if (!trace_rdmsr(slot->trace, (uint32_t)read_register(gprs[RCX]), &value))
		return;
	write_register(gprs[RAX], (uint32_t)value);
	write_register(gprs[RDX], value >> 32);
	go_on_behind(insn);
}

static void on_cpuid(unsigned int vcpu, void *userdata)
{
	const struct insn *insn = userdata;
	uint32_t regs[4];

	if (!model_cpuid((uint32_t)read_register(gprs[RAX]), (uint32_t)read_register(gprs[RCX]),
			 regs))
		return;
	write_register(gprs[RAX], regs[0]);
	write_register(gprs[RBX], regs[1]);
	write_register(gprs[RCX], regs[2]);
	write_register(gprs[RDX], regs[3]);
	go_on_behind(insn);
}

/*
 * Reads the operand of a PTWRITE at @here, and sets its size: to QEMU, it is an invalid instruction
 * that ends at its ModRM. Returns false if the operand is in memory that is not mapped.
 */
static bool ptwrite_operand(struct insn *here, uint64_t *value)
{
	bool is_32bit = code_segment() == TRACE_USER32_CS;
	struct insn_address address;
	uint8_t bytes[16] = { 0 };
	uint64_t at;

	if (here->reg != INSN_NO_REGISTER) {
		*value = read_register(gprs[here->reg]);
		return true;
	}
	if (!read_virtual(here->pc, bytes, sizeof(bytes)))
		return false;
	address = insn_address(bytes, is_32bit, &here->size);
	at = (int64_t)address.displacement;
	if (address.base == INSN_RIP)
		at += insn_next(here);
	else if (address.base != INSN_NO_REGISTER)
		at += read_register(gprs[address.base]);
	if (address.index != INSN_NO_REGISTER)
		at += read_register(gprs[address.index]) * address.scale;
	if (is_32bit)
		at = (uint32_t)at;
	if (address.segment != INSN_NO_REGISTER)
		at += read_register(others[address.segment == 4 ? FS_BASE : GS_BASE]);
	*value = 0;
	return read_virtual(at, value, here->operand_size);
}

/*
 * An operand that cannot be read raises no page fault: the guest's programs touch it before, and
 * QEMU, for which the instruction is invalid, raises another exception.
 */
static void on_ptwrite(unsigned int vcpu, void *userdata)
{
	struct slot *slot = qemu_plugin_scoreboard_find(slots, vcpu);
	struct insn *insn = userdata, here = *insn;
	uint64_t value;

	here.pc += moved_by(insn);
	if (!ptwrite_operand(&here, &value))
		return;
	insn->size = here.size;
	trace_ptwrite(slot->trace, &here, value);
	qemu_plugin_set_pc(insn_next(&here));
}

static void on_idle(unsigned int vcpu, void *userdata)
{
	struct slot *slot = qemu_plugin_scoreboard_find(slots, vcpu);

	trace_idle(slot->trace, userdata, (uint32_t)read_register(gprs[RAX]),
		   (uint32_t)read_register(gprs[RCX]));
}

/* Returns what is called before @insn, and executes it instead unless it is INSN_IDLE. */
static qemu_plugin_vcpu_udata_cb_t callback_of(const struct insn *insn)
{
	switch (insn->kind) {
	case INSN_WRMSR:
		return on_wrmsr;
	case INSN_RDMSR:
		return on_rdmsr;
	case INSN_CPUID:
		return on_cpuid;
	case INSN_PTWRITE:
		return on_ptwrite;
	case INSN_IDLE:
		return on_idle;
	}
	return NULL;
}

static void watch_insn(struct qemu_plugin_insn *translated, struct insn *insn, size_t index)
{
	qemu_plugin_vcpu_udata_cb_t callback;
	uint8_t bytes[16] = { 0 };

	insn->pc = qemu_plugin_insn_vaddr(translated);
	insn->size = (uint8_t)qemu_plugin_insn_size(translated);
	insn->index = (uint16_t)index;
	qemu_plugin_insn_data(translated, bytes, sizeof(bytes));
	insn_classify(insn, bytes);
	qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(translated,
							    QEMU_PLUGIN_INLINE_STORE_U64,
							    slot_last, (uintptr_t)insn);
	callback = callback_of(insn);
	if (callback)
		qemu_plugin_register_vcpu_insn_exec_cb(translated, callback,
						       QEMU_PLUGIN_CB_RW_REGS_PC, insn);
}

/*
 * Descriptions of instructions are never freed, because QEMU does not report when it drops a block.
 */
static void on_translation(struct qemu_plugin_tb *block, void *userdata)
{
	size_t nr = qemu_plugin_tb_n_insns(block), i;
	struct insn *insns = calloc(nr, sizeof(*insns));
	qemu_plugin_u64 wanted;

	if (!insns)
		die("out of memory");
	/*
	 * Register the callback before the stores of the instructions, so that it runs before them.
	 */
	insns[0].pc = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0));
	wanted = (int64_t)insns[0].pc < 0 ? slot_kernel : slot_user;
	qemu_plugin_register_vcpu_tb_exec_cond_cb(block, on_block, QEMU_PLUGIN_CB_R_REGS,
						  QEMU_PLUGIN_COND_NE, wanted, 0, insns);
	for (i = 0; i < nr; i++)
		watch_insn(qemu_plugin_tb_get_insn(block, i), &insns[i], i);
}

static void find_registers(void)
{
	GArray *array = qemu_plugin_get_registers();
	qemu_plugin_reg_descriptor *all = (qemu_plugin_reg_descriptor *)array->data;
	unsigned int i, j;

	for (i = 0; i < array->len; i++) {
		for (j = 0; j < NR_OTHERS; j++)
			if (!strcmp(all[i].name, other_names[j]))
				others[j] = all[i].handle;
		for (j = 0; j < NR_GPRS; j++)
			if (!strcmp(all[i].name, gpr_names[j]))
				gprs[j] = all[i].handle;
	}
	for (j = 0; j < NR_GPRS + NR_OTHERS; j++)
		if (!(j < NR_GPRS ? gprs[j] : others[j - NR_GPRS]))
			die("QEMU does not show the registers");
}

static void on_vcpu_init(unsigned int vcpu, void *userdata)
{
	struct slot *slot = qemu_plugin_scoreboard_find(slots, vcpu);

	find_registers();
	slot->trace = calloc(1, sizeof(*slot->trace));
	if (!slot->trace)
		die("out of memory");
	trace_init(slot->trace, &machine);
	if (truth_open(&slot->trace->truth, truth_dir, vcpu))
		die("cannot create the truth log");
	if (vcpu >= nr_vcpus)
		nr_vcpus = vcpu + 1;
}

static void on_exit_of_qemu(void *userdata)
{
	unsigned int i;

	for (i = 0; i < nr_vcpus; i++) {
		struct slot *slot = qemu_plugin_scoreboard_find(slots, i);

		if (slot->trace)
			truth_close(&slot->trace->truth);
	}
}

EXPORTED int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
				 char **argv)
{
	if (argc != 1 || strncmp(argv[0], "dir=", 4) || !info->system_emulation ||
	    strcmp(info->target_name, "x86_64")) {
		fprintf(stderr, "ptemu: it takes dir=DIR, and an x86_64 machine\n");
		return -1;
	}
	truth_dir = strdup(argv[0] + 4);
	/*
	 * This function returns the guest's TSC. The plugin interface has no clock, but QEMU
	 * exports this function.
	 */
	elapsed_ticks = (int64_t (*)(void))dlsym(RTLD_DEFAULT, "cpus_get_elapsed_ticks");
	if (!elapsed_ticks) {
		fprintf(stderr, "ptemu: this QEMU does not tell the TSC\n");
		return -1;
	}
	slots = qemu_plugin_scoreboard_new(sizeof(struct slot));
	slot_last = (qemu_plugin_u64){ slots, offsetof(struct slot, last) };
	slot_kernel = (qemu_plugin_u64){ slots, offsetof(struct slot, is_kernel_wanted) };
	slot_user = (qemu_plugin_u64){ slots, offsetof(struct slot, is_user_wanted) };
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu_init, NULL);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation, NULL);
	qemu_plugin_register_vcpu_discon_cb(id, QEMU_PLUGIN_DISCON_INTERRUPT |
					    QEMU_PLUGIN_DISCON_EXCEPTION, on_discontinuity, NULL);
	qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
	return 0;
}
