// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests KVM entries and exits, as libtraceevent's plugin prints them, with the guest's function
 * after the address. The formats are those of Linux 6.1 and 7.2, with fewer reasons.
 */
#include "unit/ktap.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <event-parse.h>

#include "kernel/sym/ksyms.h"
#include "model/event_record.h"
#include "model/formats.h"
#include "model/kvm_plugin.h"

#define FIELD(type, name, at, size, is_signed)	\
	"\tfield:" type " " name ";\toffset:" #at ";\tsize:" #size ";\tsigned:" #is_signed ";\n"
#define HEAD(name, id)							\
	"name: " name "\nID: " #id "\nformat:\n"			\
	FIELD("unsigned short", "common_type", 0, 2, 0)			\
	FIELD("unsigned char", "common_flags", 2, 1, 0)			\
	FIELD("unsigned char", "common_preempt_count", 3, 1, 0)		\
	FIELD("int", "common_pid", 4, 4, 1) "\n"

#define EXIT_FIELDS							\
	FIELD("unsigned int", "exit_reason", 8, 4, 0)			\
	FIELD("unsigned long", "guest_rip", 16, 8, 0)			\
	FIELD("u32", "isa", 24, 4, 0)					\
	FIELD("u64", "info1", 32, 8, 0)					\
	FIELD("u64", "info2", 40, 8, 0)					\
	FIELD("u32", "intr_info", 48, 4, 0)				\
	FIELD("u32", "error_code", 52, 4, 0)				\
	FIELD("unsigned int", "vcpu_id", 56, 4, 0)

#define EXIT_PRINT(format, svm, args)					\
	"\nprint fmt: \"vcpu %u reason %s%s%s rip 0x%lx info1 0x%016llx info2 0x%016llx "	\
	"intr_info 0x%08x error_code 0x%08x" format "\", REC->vcpu_id, (REC->isa == 1) ? "	\
	"__print_symbolic(REC->exit_reason & 0xffff, { 0, \"EXCEPTION_NMI\" }, "		\
	"{ 33, \"INVALID_STATE\" }, { 34, \"MSR_LOAD_FAIL\" }, { 44, \"APIC_ACCESS\" }, "	\
	"{ 41, \"MCE_DURING_VMENTRY\" }, { 74, \"BUS_LOCK\" }) : "				\
	"__print_symbolic(REC->exit_reason, { 0x040 + 14, \"PF excp\" }, { 0x07b, \"io\" }, "	\
	"{ 0x078, \"hlt\" }, { 0x08f, \"write_efer_trap\" }, " svm "), "			\
	"(REC->isa == 1 && REC->exit_reason & ~0xffff) ? \" \" : \"\", (REC->isa == 1) ? "	\
	"__print_flags(REC->exit_reason & ~0xffff, \" \", { 0x80000000, \"FAILED_VMENTRY\" }) "	\
	": \"\", REC->guest_rip, REC->info1, REC->info2, REC->intr_info, REC->error_code" args "\n"

#define ENTRY_FIELDS							\
	FIELD("unsigned int", "vcpu_id", 8, 4, 0)			\
	FIELD("unsigned long", "rip", 16, 8, 0)				\
	FIELD("bool", "immediate_exit", 24, 1, 0)

/* Formats of kernels, the oldest first. */
static const struct kernel {
	const char *exit, *entry;
} kernels[] = {
	{
		HEAD("kvm_exit", 100) EXIT_FIELDS
		EXIT_PRINT("", "{ -1, \"invalid_guest_state\" }", ""),
		HEAD("kvm_entry", 101) ENTRY_FIELDS
		"\nprint fmt: \"vcpu %u, rip 0x%lx%s\", REC->vcpu_id, REC->rip, "
		"REC->immediate_exit ? \"[immediate exit]\" : \"\"\n",
	}, {
		HEAD("kvm_exit", 100) EXIT_FIELDS FIELD("u64", "requests", 64, 8, 0)
		EXIT_PRINT(" requests 0x%016llx",
			   "{ 0x80000001ull, \"vmgexit_mmio_read\" }, { -1ull, \"invalid_guest_state\" }",
			   ", REC->requests"),
		HEAD("kvm_entry", 101) ENTRY_FIELDS
		FIELD("u32", "intr_info", 28, 4, 0) FIELD("u32", "error_code", 32, 4, 0)
		"\nprint fmt: \"vcpu %u, rip 0x%lx intr_info 0x%08x error_code 0x%08x%s\", "
		"REC->vcpu_id, REC->rip, REC->intr_info, REC->error_code, "
		"REC->immediate_exit ? \"[immediate exit]\" : \"\"\n",
	},
};

#define NR_KERNELS	(sizeof(kernels) / sizeof(kernels[0]))

static const char symbols[] =
	"ffffffff81000000 T startup_64\n"
	"ffffffff8103f2c0 t native_apic_mem_write\n"
	"ffffffff8103f2f0 T native_apic_mem_read\n";

static bool has_plugin(void)
{
	struct tep_handle *tep = tep_alloc();
	struct fargs_kvm_plugin *plugin = tep ? fargs_kvm_plugin_load(tep) : NULL;
	bool is_there = plugin;

	fargs_kvm_plugin_unload(plugin, tep);
	tep_free(tep);
	return is_there;
}

/* Returns an event whose data are the bytes @hex, padded with zeroes to @bytes. */
static struct fargs_formatted formatted_of(const char *hex, unsigned int bytes)
{
	static uint8_t room[FARGS_EVENT_RAW_MAX];
	uint8_t *to = room;
	unsigned int byte;
	int n;

	memset(room, 0, sizeof(room));
	for (; sscanf(hex, " %2x%n", &byte, &n) == 1; hex += n)
		*to++ = byte;
	return (struct fargs_formatted){ .data = room, .bytes = bytes };
}

/*
 * Checks the text of the event with data @hex, according to the formats of kernel @k. @is_live: the
 * formats are trusted; otherwise, they are from a file.
 */
static void check_of(const struct kernel *k, bool is_live, bool has_guest, bool is_raw,
		     const char *hex, const char *expected)
{
	struct fargs_ksyms *guest = has_guest ? fargs_ksyms_parse(symbols, strlen(symbols), NULL) :
						NULL;
	struct fargs_formatted ev;
	struct fargs_formats *f;
	struct fargs_meta meta;
	const char *text;
	char *copy;
	size_t n = 0;

	fargs_meta_init(&meta);
	meta.are_formats_trusted = is_live;
	CHECK(!fargs_meta_add_format(&meta, "kvm", k->exit, strlen(k->exit)));
	CHECK(!fargs_meta_add_format(&meta, "kvm", k->entry, strlen(k->entry)));
	CHECK(!fargs_formats_validate(&meta));
	f = fargs_formats_create(&meta);
	REQUIRE(f);
	/* The data are longer than any event: bytes after the fields do not matter. */
	ev = formatted_of(hex, 72);
	text = fargs_formats_text(f, &ev, guest, is_raw, &n);
	copy = text ? strndup(text, n) : NULL;
	CHECK_STR(copy ? copy : "", expected);
	free(copy);
	fargs_formats_destroy(f);
	fargs_meta_deinit(&meta);
	if (guest)
		fargs_ksyms_destroy(guest);
}

static void check_guest(bool has_guest, const char *hex, const char *expected)
{
	size_t i;

	if (!has_plugin()) {
		ktap_skip("libtraceevent's plugins (libtraceevent1-plugin) are not installed");
		return;
	}
	for (i = 0; i < NR_KERNELS; i++) {
		check_of(&kernels[i], false, has_guest, false, hex, expected);
		check_of(&kernels[i], true, has_guest, false, hex, expected);
	}
}

static void check(const char *hex, const char *expected)
{
	check_guest(true, hex, expected);
}

#define COMMON_EXIT	"6400 01 00 d2040000 "
#define COMMON_ENTRY	"6500 01 00 d2040000 "
#define PAD		"00000000 "
#define INTEL		"01000000 " PAD
#define AMD		"02000000 " PAD
/* Addresses: native_apic_mem_write+0x2, its beginning, and an address in user space. */
#define RIP		"c2f20381ffffffff "
#define RIP_BEGIN	"c0f20381ffffffff "
#define RIP_USER	"78563412007f0000 "
#define INFO		"8101000000000000 00b3000000000000 "

static void names_function_of_exit_on_intel(void)
{
	check(COMMON_EXIT "2c000000 " PAD RIP INTEL INFO,
	      "reason APIC_ACCESS rip 0xffffffff8103f2c2 exit native_apic_mem_write+0x2 "
	      "info 181 b300");
}

static void names_function_of_exit_on_amd(void)
{
	check(COMMON_EXIT "7b000000 " PAD RIP AMD INFO,
	      "reason EXIT_IOIO rip 0xffffffff8103f2c2 exit native_apic_mem_write+0x2 "
	      "info 181 b300");
	check(COMMON_EXIT "ffffffff " PAD RIP AMD INFO,
	      "reason EXIT_ERR rip 0xffffffff8103f2c2 exit native_apic_mem_write+0x2 "
	      "info 181 b300");
}

static void names_function_of_entry(void)
{
	check(COMMON_ENTRY "03000000 " PAD "c8f20381ffffffff 00",
	      "vcpu 3 rip 0xffffffff8103f2c8 enter native_apic_mem_write+0x8");
}

static void has_no_offset_at_the_begin(void)
{
	check(COMMON_EXIT "78000000 " PAD RIP_BEGIN AMD,
	      "reason EXIT_HLT rip 0xffffffff8103f2c0 exit native_apic_mem_write info 0 0");
	check(COMMON_ENTRY "00000000 " PAD RIP_BEGIN "00",
	      "vcpu 0 rip 0xffffffff8103f2c0 enter native_apic_mem_write");
}

static void leaves_unknown_addresses_plain(void)
{
	check(COMMON_EXIT "2c000000 " PAD RIP_USER INTEL INFO,
	      "reason APIC_ACCESS rip 0x7f0012345678 info 181 b300");
	check(COMMON_ENTRY "00000000 " PAD RIP_USER "00", "vcpu 0 rip 0x7f0012345678");
	check_guest(false, COMMON_EXIT "2c000000 " PAD RIP INTEL INFO,
		    "reason APIC_ACCESS rip 0xffffffff8103f2c2 info 181 b300");
	check_guest(false, COMMON_ENTRY "00000000 " PAD RIP "00", "vcpu 0 rip 0xffffffff8103f2c2");
}

/*
 * Tests failed entries: the exit reason has bit 31 set, in addition to the basic reason (Intel SDM
 * 3C, appendix C).
 */
static void names_entries_that_failed(void)
{
	check(COMMON_EXIT "21000080 " PAD RIP INTEL INFO,
	      "reason INVALID_STATE FAILED_VMENTRY rip 0xffffffff8103f2c2 "
	      "exit native_apic_mem_write+0x2 info 181 b300");
	check(COMMON_EXIT "22000080 " PAD RIP INTEL INFO,
	      "reason MSR_LOAD_FAIL FAILED_VMENTRY rip 0xffffffff8103f2c2 "
	      "exit native_apic_mem_write+0x2 info 181 b300");
	/* The plugin has a name for the reason MCE_DURING_VMENTRY. */
	check(COMMON_EXIT "29000080 " PAD RIP_USER INTEL INFO,
	      "reason MCE_DURING_VMENTRY FAILED_VMENTRY rip 0x7f0012345678 info 181 b300");
}

static void names_reasons_by_the_kernel(void)
{
	check(COMMON_EXIT "4a000000 " PAD RIP INTEL INFO,
	      "reason BUS_LOCK rip 0xffffffff8103f2c2 exit native_apic_mem_write+0x2 "
	      "info 181 b300");
	check(COMMON_EXIT "8f000000 " PAD RIP AMD INFO,
	      "reason write_efer_trap rip 0xffffffff8103f2c2 exit native_apic_mem_write+0x2 "
	      "info 181 b300");
	/*
	 * Neither the plugin nor the kernel has a name for the reason 0x999: the kernel prints its
	 * number.
	 */
	check(COMMON_EXIT "99090000 " PAD RIP AMD INFO,
	      "reason 0x999 rip 0xffffffff8103f2c2 exit native_apic_mem_write+0x2 "
	      "info 181 b300");
}

static void shows_fields_where_they_are_asked_for(void)
{
	check_of(&kernels[0], false, true, true, COMMON_ENTRY "03000000 " PAD RIP "01",
		 "vcpu_id=3 rip=0xffffffff8103f2c2 immediate_exit=1");
}

/* Tests events of a forged file, which have kvm's names but other fields. */
static void shows_other_fields_as_the_format_says(void)
{
	static const struct kernel forged = {
		HEAD("kvm_exit", 100) FIELD("u64", "other", 8, 8, 0)
		"\nprint fmt: \"other=%llu\", REC->other\n",
		HEAD("kvm_emulate_insn", 101) FIELD("u64", "rip", 8, 8, 0)
		FIELD("u32", "csbase", 16, 4, 0) FIELD("u64", "len", 24, 8, 0)
		FIELD("u8", "insn[8]", 32, 8, 0) FIELD("u8", "flags", 40, 1, 0)
		FIELD("u8", "failed", 41, 1, 0)
		"\nprint fmt: \"%llx len=%llu\", REC->rip, REC->len\n",
	};

	check_of(&forged, false, true, false, COMMON_EXIT "0900000000000000", "other=9");
	check_of(&forged, false, true, false, COMMON_ENTRY "1000000000000000 00000000" PAD
		 "ffffff7f00000000", "10 len=2147483647");
	check_of(&forged, true, true, false, COMMON_ENTRY "1000000000000000 00000000" PAD
		 "0000000000000000", "10 len=0");
}

/* The interface that tep_plugin_kvm_get_func(3) requires of a program. */
const char *tep_plugin_kvm_get_func(struct tep_event *event, struct tep_record *record,
				    unsigned long long *paddr);
void tep_plugin_kvm_put_func(const char *func);

static void keeps_the_contract(void)
{
	struct fargs_ksyms *guest = fargs_ksyms_parse(symbols, strlen(symbols), NULL);
	struct tep_record rec = { .priv = guest }, none = { };
	struct tep_event event = { .name = (char *)"kvm_exit", .system = (char *)"kvm" };
	unsigned long long addr = 0xffffffff8103f2f4;
	const char *first, *second;

	REQUIRE(guest);
	first = tep_plugin_kvm_get_func(&event, &rec, &addr);
	CHECK_STR(first, "exit native_apic_mem_read");
	CHECK_INT(addr, 0xffffffff8103f2f0);
	/* Each name is a separate string until it is released. */
	event.name = (char *)"kvm_entry";
	addr = 0xffffffff81000000;
	second = tep_plugin_kvm_get_func(&event, &rec, &addr);
	CHECK_STR(second, "enter startup_64");
	CHECK_INT(addr, 0xffffffff81000000);
	CHECK_STR(first, "exit native_apic_mem_read");
	tep_plugin_kvm_put_func(first);
	tep_plugin_kvm_put_func(second);

	addr = 0x1234;
	CHECK(!tep_plugin_kvm_get_func(&event, &rec, &addr));
	CHECK_INT(addr, 0x1234);
	addr = 0xffffffff8103f2f4;
	CHECK(!tep_plugin_kvm_get_func(&event, &none, &addr));
	/* The address belongs to a nested guest. */
	event.name = (char *)"kvm_nested_vmexit";
	CHECK(!tep_plugin_kvm_get_func(&event, &rec, &addr));
	CHECK_INT(addr, 0xffffffff8103f2f4);
	fargs_ksyms_destroy(guest);
}

/*
 * Checks the exported symbols of the program @name, a path relative to the directory of this
 * program.
 */
static void check_exports(const char *name)
{
	char self[PATH_MAX - 64] = "", command[PATH_MAX], line[256];
	int has_get = 0, has_put = 0, n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	FILE *pipe;

	REQUIRE(n > 0);
	*strrchr(self, '/') = '\0';
	snprintf(command, sizeof(command), "nm -D --defined-only '%s/%s'", self, name);
	pipe = popen(command, "r");
	REQUIRE(pipe);
	while (fgets(line, sizeof(line), pipe)) {
		has_get += !!strstr(line, " T tep_plugin_kvm_get_func\n");
		has_put += !!strstr(line, " T tep_plugin_kvm_put_func\n");
	}
	if (pclose(pipe))
		ktap_fail(__FILE__, __LINE__, "%s fails", command);
	CHECK_INT(has_get, 1);
	CHECK_INT(has_put, 1);
}

static void exports_what_the_plugin_asks_for(void)
{
	if (system("nm --version >/dev/null 2>&1")) {
		ktap_skip("nm (binutils) is not installed");
		return;
	}
	check_exports("../../fargs");
	/* fargs_small is built with -fvisibility=hidden, -flto and --gc-sections. */
	check_exports("../fargs_small");
}

/*
 * Tests which plugin is loaded: linux-perf's plugin does not call the program's functions, and the
 * file in the test's home directory is not a plugin.
 */
static void takes_the_librarys_own_plugin(void)
{
	static const char var[] = "TRACEEVENT_PLUGIN_DIR";
	char home[] = "/tmp/fargs-kvm-XXXXXX", command[PATH_MAX];

	REQUIRE(mkdtemp(home));
	snprintf(command, sizeof(command), "mkdir -p %s/.local/lib/traceevent/plugins && "
		 "echo none >%s/.local/lib/traceevent/plugins/plugin_kvm.so", home, home);
	CHECK(!system(command));
	setenv("HOME", home, 1);
	setenv(var, "/usr/lib/traceevent/plugins", 1);
	check(COMMON_EXIT "2c000000 " PAD RIP INTEL INFO,
	      "reason APIC_ACCESS rip 0xffffffff8103f2c2 exit native_apic_mem_write+0x2 "
	      "info 181 b300");
	CHECK_STR(getenv(var), "/usr/lib/traceevent/plugins");
	CHECK_STR(getenv("HOME"), home);
	unsetenv(var);
	snprintf(command, sizeof(command), "rm -r %s", home);
	CHECK(!system(command));
}

static const struct ktap_test tests[] = {
	{ "names the guest's function of an exit on Intel", names_function_of_exit_on_intel },
	{ "names the guest's function of an exit on AMD", names_function_of_exit_on_amd },
	{ "names the guest's function of an entry", names_function_of_entry },
	{ "prints no offset at the beginning of a function", has_no_offset_at_the_begin },
	{ "leaves unknown addresses plain", leaves_unknown_addresses_plain },
	{ "names the function of entries that failed", names_entries_that_failed },
	{ "uses the format's names for reasons that the plugin does not know",
	  names_reasons_by_the_kernel },
	{ "shows raw fields on request", shows_fields_where_they_are_asked_for },
	{ "shows other fields by the format", shows_other_fields_as_the_format_says },
	{ "provides the functions that the plugin requires", keeps_the_contract },
	{ "exports the symbols that the plugin requires", exports_what_the_plugin_asks_for },
	{ "works with the library's own plugin", takes_the_librarys_own_plugin },
};

int main(void)
{
	return KTAP_RUN(tests);
}
