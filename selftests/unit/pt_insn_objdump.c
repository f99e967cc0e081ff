// SPDX-License-Identifier: GPL-2.0-only
/* Compares sizes, classes and targets of the instructions in libraries with those of objdump. */
#include "unit/ktap.h"

#include <stdlib.h>
#include <unistd.h>

#include "source/pt/code/insn.h"

#define NR(array)	(sizeof(array) / sizeof((array)[0]))

/* A line of objdump: "  1234:\t48 8b 05 00 00 00 00 \tmov    0x0(%rip),%rax". */
struct line {
	uint64_t ip;
	uint8_t code[FARGS_PT_INSN_MAX];
	size_t size;
	char mnemonic[32];
	char operand[64];
};

static bool is_prefix(const char *word)
{
	static const char *const prefixes[] = {
		"bnd", "notrack", "rep", "repz", "repnz", "lock", "data16", "addr32", "cs", "ds",
		"es", "ss", "fs", "gs", "xacquire", "xrelease",
	};
	size_t i;

	for (i = 0; i < NR(prefixes); i++)
		if (!strcmp(word, prefixes[i]))
			return true;
	return !strncmp(word, "rex", 3);
}

static bool parse(const char *text, struct line *line)
{
	unsigned int byte;
	int nr = 0;

	memset(line, 0, sizeof(*line));
	if (sscanf(text, " %" SCNx64 ":%n", &line->ip, &nr) != 1 || !nr || text[nr] != '\t')
		return false;
	text += nr + 1;
	while (line->size < FARGS_PT_INSN_MAX && sscanf(text, "%2x%n", &byte, &nr) == 1 &&
	       nr == 2) {
		line->code[line->size++] = byte;
		text += nr + (text[nr] == ' ');
	}
	text = strchr(text, '\t');
	if (!text)
		return false;
	do {
		if (sscanf(text, " %31s%n", line->mnemonic, &nr) != 1)
			return false;
		text += nr;
	} while (is_prefix(line->mnemonic));
	sscanf(text, " %63s", line->operand);
	return true;
}

static bool starts(const char *text, const char *start)
{
	return !strncmp(text, start, strlen(start));
}

/* Those of objdump's AT&T syntax. A suffix may follow the mnemonic; j... are conditional. */
static enum fargs_pt_class class_of(const struct line *line)
{
	static const struct {
		const char *mnemonic;
		enum fargs_pt_class class;
	} classes[] = {
		{ "lcall", FARGS_PT_CLASS_FAR_CALL }, { "ljmp", FARGS_PT_CLASS_FAR_JUMP },
		{ "lret", FARGS_PT_CLASS_FAR_RETURN }, { "iret", FARGS_PT_CLASS_IRET },
		{ "ret", FARGS_PT_CLASS_RETURN }, { "int1", FARGS_PT_CLASS_INT },
		{ "int3", FARGS_PT_CLASS_INT }, { "syscall", FARGS_PT_CLASS_SYSCALL },
		{ "sysenter", FARGS_PT_CLASS_SYSCALL }, { "sysret", FARGS_PT_CLASS_SYSRET },
		{ "sysexit", FARGS_PT_CLASS_SYSRET }, { "loop", FARGS_PT_CLASS_COND },
		{ "uiret", FARGS_PT_CLASS_UIRET }, { "vmcall", FARGS_PT_CLASS_VMCALL },
		{ "vmlaunch", FARGS_PT_CLASS_VMENTRY }, { "vmresume", FARGS_PT_CLASS_VMENTRY },
		{ "vmptrld", FARGS_PT_CLASS_VMPTRLD }, { "ptwrite", FARGS_PT_CLASS_PTWRITE },
	};
	bool is_indirect = line->operand[0] == '*';
	size_t i;

	if (starts(line->mnemonic, "call"))
		return is_indirect ? FARGS_PT_CLASS_CALL_INDIRECT : FARGS_PT_CLASS_CALL;
	if (starts(line->mnemonic, "jmp"))
		return is_indirect ? FARGS_PT_CLASS_JUMP_INDIRECT : FARGS_PT_CLASS_JUMP;
	if (line->mnemonic[0] == 'j')
		return FARGS_PT_CLASS_COND;
	if (!strcmp(line->mnemonic, "int"))
		return FARGS_PT_CLASS_INT;
	if (starts(line->mnemonic, "mov") && strstr(line->operand, ",%cr3"))
		return FARGS_PT_CLASS_MOV_CR3;
	for (i = 0; i < NR(classes); i++)
		if (starts(line->mnemonic, classes[i].mnemonic))
			return classes[i].class;
	return FARGS_PT_CLASS_OTHER;
}

static void compare(const struct line *line)
{
	struct fargs_pt_decoded insn;
	uint64_t target;

	/*
	 * What is not code, such as a table between functions; and WAIT, which objdump joins with
	 * the instruction of the x87 that follows.
	 */
	if (!strcmp(line->mnemonic, "(bad)") || starts(line->mnemonic, ".") ||
	    line->code[0] == 0x9b)
		return;
	if (!fargs_pt_insn_decode(line->code, line->size, FARGS_PT_EXEC_64, &insn)) {
		ktap_fail(__FILE__, __LINE__, "%" PRIx64 ": %s %s: is not decoded", line->ip,
			  line->mnemonic, line->operand);
		return;
	}
	if (insn.size != line->size || insn.class != class_of(line))
		ktap_fail(__FILE__, __LINE__,
			  "%" PRIx64 ": %s %s: size %u, not %zu; class %u, not %u", line->ip,
			  line->mnemonic, line->operand, insn.size, line->size, insn.class,
			  class_of(line));
	if (insn.class < FARGS_PT_CLASS_CALL || insn.class > FARGS_PT_CLASS_COND)
		return;
	target = strtoull(line->operand, NULL, 16);
	if (fargs_pt_insn_target(&insn, line->ip, FARGS_PT_EXEC_64) != target)
		ktap_fail(__FILE__, __LINE__, "%" PRIx64 ": %s %s: another target", line->ip,
			  line->mnemonic, line->operand);
}

static void compare_file(const char *path, unsigned long min)
{
	char command[256], *text = NULL;
	unsigned long nr = 0;
	struct line line;
	size_t room = 0;
	FILE *f;

	if (access(path, R_OK) || system("command -v objdump >/dev/null")) {
		ktap_skip("there is no %s, or no objdump", path);
		return;
	}
	snprintf(command, sizeof(command), "objdump -dw -M suffix %s", path);
	f = popen(command, "r");
	REQUIRE(f);
	while (getline(&text, &room, f) > 0) {
		if (!parse(text, &line))
			continue;
		compare(&line);
		nr++;
	}
	free(text);
	pclose(f);
	printf("# %lu instructions\n", nr);
	CHECK(nr > min);
}

static void loader(void)
{
	compare_file("/lib64/ld-linux-x86-64.so.2", 20000);
}

/* It has vector instructions of all sizes. */
static void mathematics(void)
{
	compare_file("/lib/x86_64-linux-gnu/libm.so.6", 50000);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "the loader's code is the same for objdump", loader },
		{ "libm's code is the same for objdump", mathematics },
	};

	return KTAP_RUN(tests);
}
