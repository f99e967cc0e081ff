// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests the synthetic streams by perf's packet decoder, which has packets that libipt lacks: it
 * must read the same packets as libipt, and those of PEBS, power states and events as described.
 */
#include <intel-pt.h>

#include "ptemu/synth/libipt.h"
#include "ptemu/synth/parse.h"
#include "unit/ktap.h"
#include "unit/perf_world.h"
#include "unit/temp_file.h"

#define CASES	"selftests/ptemu/synth/cases/"

static bool run_case(struct machine *m, const char *name)
{
	struct parse parse = { .m = m };
	static char text[8192];
	char path[256];
	size_t size = 0;
	FILE *file;

	snprintf(path, sizeof(path), CASES "%s", name);
	file = fopen(path, "r");
	if (file) {
		size = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	text[size] = '\0';
	machine_init(m);
	if (size && parse_text(&parse, text))
		return true;
	ktap_fail(__FILE__, __LINE__, "%s: %s", name, parse.error);
	machine_deinit(m);
	return false;
}

/*
 * Appends the packets that perf prints to @text, one a line. A line of packets has an offset of
 * eight digits, 16 columns of bytes, and the packet.
 */
static bool read_perf(const struct machine *m, char *text, size_t size)
{
	static struct world w;
	char command[128], line[512];
	size_t data = begin_file(&w), at = 0;
	FILE *pipe;

	put_auxtrace_info(&w, true);
	put_auxtrace(&w, 0, 0, m->order.stream.bytes, m->order.stream.nr_bytes);
	finish_file(&w, data);
	if (!temp_write(w.bytes, w.n))
		return false;
	snprintf(command, sizeof(command), "perf script -D -F tid -i %s 2>/dev/null", temp_path);
	pipe = popen(command, "r");
	if (!pipe)
		return false;
	text[0] = '\0';
	while (fgets(line, sizeof(line), pipe)) {
		if (strlen(line) < 62 || strncmp(line, ".  ", 3) || line[11] != ':')
			continue;
		at += (size_t)snprintf(text + at, size - at, "%s", line + 62);
		if (at >= size)
			break;
	}
	return !pclose(pipe) && at < size;
}

static bool has_perf(void)
{
	static int status = -1;

	if (status < 0)
		status = system("perf version >/dev/null 2>&1");
	if (status)
		ktap_skip("there is no perf");
	return !status;
}

/* The first words of perf's names. */
static const char *const names[] = {
	[ppt_pad] = "PAD", [ppt_psb] = "PSB", [ppt_psbend] = "PSBEND", [ppt_fup] = "FUP",
	[ppt_tip] = "TIP", [ppt_tip_pge] = "TIP.PGE", [ppt_tip_pgd] = "TIP.PGD",
	[ppt_tnt_8] = "TNT", [ppt_tnt_64] = "TNT", [ppt_mode] = "MODE", [ppt_pip] = "PIP",
	[ppt_vmcs] = "VMCS", [ppt_cbr] = "CBR", [ppt_tsc] = "TSC", [ppt_tma] = "TMA",
	[ppt_mtc] = "MTC", [ppt_cyc] = "CYC", [ppt_stop] = "TraceSTOP", [ppt_ovf] = "OVF",
	[ppt_mnt] = "MNT", [ppt_exstop] = "EXSTOP", [ppt_mwait] = "MWAIT", [ppt_pwre] = "PWRE",
	[ppt_pwrx] = "PWRX", [ppt_ptw] = "PTWRITE",
};

/* Writes libipt's packets by their names. */
static bool read_libipt(const struct machine *m, char *text, size_t size)
{
	struct pt_packet_decoder *decoder;
	struct pt_packet packet;
	struct pt_config config;
	size_t at = 0;
	int status;

	pt_config_init(&config);
	config.begin = m->order.stream.bytes;
	config.end = m->order.stream.bytes + m->order.stream.nr_bytes;
	decoder = pt_pkt_alloc_decoder(&config);
	if (!decoder)
		return false;
	status = pt_pkt_sync_forward(decoder);
	while (status >= 0 && at < size) {
		status = pt_pkt_next(decoder, &packet, sizeof(packet));
		if (status >= 0)
			at += (size_t)snprintf(text + at, size - at, "%s\n", names[packet.type]);
	}
	pt_pkt_free_decoder(decoder);
	return status == -pte_eos && at < size;
}

/* Leaves the first word of each line, without what follows the name of a MODE. */
static void keep_names(char *text)
{
	char *to = text, *from, *next;
	size_t size;

	for (from = text; *from; from = next) {
		next = from + strcspn(from, "\n");
		next += *next == '\n';
		/* The padding of the recording. */
		if (!strncmp(from, "PAD", 3))
			continue;
		size = !strncmp(from, "MODE", 4) ? 4 : strcspn(from, "\n ");
		memmove(to, from, size);
		to += size;
		*to++ = '\n';
	}
	*to = '\0';
}

static void same_packets(void)
{
	static const char *const cases[] = {
		"flow", "modes", "contexts", "cr3_filter", "filters", "overflow", "tsx", "ptwrite",
		"power", "mwait_hidden", "vmx", "notnt", "nobranch", "apl11", "apl12", "bdm64",
		"bdm70", "skd010", "skd022", "skl014", "skl168", NULL
	};
	static char perf[65536], libipt[65536];
	const char *const *name;
	struct machine m;

	if (!has_perf())
		return;
	for (name = cases; *name; name++) {
		if (!run_case(&m, *name))
			continue;
		CHECK(read_perf(&m, perf, sizeof(perf)));
		CHECK(read_libipt(&m, libipt, sizeof(libipt)));
		keep_names(perf);
		if (strcmp(perf, libipt))
			ktap_fail(__FILE__, __LINE__, "%s: perf reads\n%s, libipt\n%s", *name, perf,
				  libipt);
		machine_deinit(&m);
	}
}

/* Checks that perf prints these packets, in this order; others may be between them. */
static void check_perf(const char *name, const char *const *want)
{
	static char text[65536];
	const char *at = text, *found;
	struct machine m;

	if (!has_perf() || !run_case(&m, name))
		return;
	CHECK(read_perf(&m, text, sizeof(text)));
	for (; *want; want++) {
		found = strstr(at, *want);
		if (!found) {
			ktap_fail(__FILE__, __LINE__, "%s: no %s in\n%s", name, *want, text);
			break;
		}
		at = found + 1;
	}
	CHECK(!strstr(text, "Bad packet"));
	machine_deinit(&m);
}

static void pebs(void)
{
	static const char *const packets[] = {
		"BBP SZ 8-byte Type 0x4\nBIP ID 0x00 Value 0x401000\n"
		"BIP ID 0x01 Value 0x1122334455667788\n"
		"BBP SZ 4-byte Type 0x1\nBIP ID 0x02 Value 0x11223344\n"
		"BEP IP:1\nFUP 0x1000\nTIP.PGD 0x500000\n"
		"BBP SZ 8-byte Type 0x4\nBIP ID 0x00 Value 0x500000\nBEP IP:0\n"
		"TIP.PGE 0x401007\n", NULL
	};

	check_perf("pebs", packets);
}

static void power(void)
{
	static const char *const packets[] = {
		"MWAIT 0x100000060 Hints 0x60 Extensions 0x1\n",
		"PWRE 0x6100 HW:0 CState:6 Sub-CState:1\n", "EXSTOP IP:1\nFUP ",
		"PWRX 0x136 Last CState:3 Deepest CState:6 Wake Reason 0x1\n",
		"PWRE 0x2080 HW:1 CState:2 Sub-CState:0\n",
		"PWRX 0x811 Last CState:1 Deepest CState:1 Wake Reason 0x8\n", "EXSTOP IP:0\n",
		NULL
	};

	check_perf("power", packets);
}

static void events(void)
{
	static const char *const packets[] = {
		"MODE.Exec IF:1 64\nTIP.PGE 0x401000\nMODE.Exec IF:0 64\nFUP ",
		"EVD Type 0x00 Payload 0x7000\nCFE IP:0 Type 0x01 Vector 0xe\nFUP ",
		"CFE IP:0 Type 0x02 Vector 0x0\nTIP ", "CFE IP:0 Type 0x01 Vector 0x80\nFUP ",
		"CFE IP:0 Type 0x0c Vector 0x9\nFUP ", "CFE IP:0 Type 0x0d Vector 0x0\nTIP ",
		"CFE IP:0 Type 0x03 Vector 0x0\nFUP ", NULL
	};
	static const char *const guest[] = {
		"CFE IP:0 Type 0x07 Vector 0x0\nPIP 0x100 (NR=1)\n",
		"EVD Type 0x02 Payload 0xa\nCFE IP:0 Type 0x08 Vector 0x0\nFUP ",
		"EVD Type 0x01 Payload 0xf00baa\nEVD Type 0x02 Payload 0x0\n"
		"CFE IP:0 Type 0x09 Vector 0xe\nFUP ", "PIP 0x80 (NR=0)\n", NULL
	};

	check_perf("event", packets);
	check_perf("event_vmx", guest);
}

int main(void)
{
	static const struct ktap_test tests[] = {
		{ "perf reads the same packets as libipt", same_packets },
		{ "perf reads PEBS records", pebs },
		{ "perf reads power events", power },
		{ "perf reads event trace", events },
	};

	return TEMP_RUN(tests);
}
