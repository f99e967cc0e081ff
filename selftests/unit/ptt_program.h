/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of the program of one of libipt's tests, whose number in a block fargs reports.
 */
#ifndef SELFTESTS_PTT_PROGRAM_H
#define SELFTESTS_PTT_PROGRAM_H

#include "base/buf.h"
#include "unit/ptt.h"

/* Addresses of the instructions of a program, from the listing of its assembler. */
struct program {
	uint64_t org;
	uint64_t ips[65536];
	size_t nr;
};

static void add_ip(struct program *p, uint64_t ip)
{
	if (p->nr < sizeof(p->ips) / sizeof(p->ips[0]))
		p->ips[p->nr++] = ip;
}

/*
 * Reads lines such as " 44 0000000D 4883F801 l4: cmp rax, 0x1". A repeated instruction is listed
 * once, with <rep Nh> after its bytes; an instruction with many bytes continues on the next line
 * after a dash.
 */
static void read_program(struct program *p, const struct ptt_expected *e)
{
	char file[300], bytes[64], *text, *line, *save;
	bool goes_on = false;
	uint64_t at, n;
	unsigned int nr;
	size_t size;

	p->nr = 0;
	p->org = 0;
	snprintf(file, sizeof(file), "%s.lst", e->test);
	text = fargs_file_read(file, &size);
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (strstr(line, "[org "))
			sscanf(strstr(line, "[org ") + 5, "%" SCNi64, &p->org);
		if (sscanf(line, "%u %" SCNx64 " %63s", &nr, &at, bytes) != 3)
			continue;
		if (!goes_on)
			add_ip(p, p->org + at);
		goes_on = bytes[strlen(bytes) - 1] == '-';
		if (strstr(line, "<rep ") && sscanf(strstr(line, "<rep ") + 5, "%" SCNx64, &n) == 1)
			while (--n)
				add_ip(p, p->ips[p->nr - 1] + 1);
	}
	free(text);
}

static size_t find_ip(const struct program *p, uint64_t ip)
{
	size_t i;

	for (i = 0; i < p->nr && p->ips[i] != ip;)
		i++;
	return i;
}

/*
 * Writes the addresses of @nr consecutive instructions from *@ip on. Sets *@ip to the address after
 * them.
 */
static void put_insns(struct fargs_buf *out, const struct program *p, uint64_t *ip, uint32_t nr)
{
	size_t i = find_ip(p, *ip);
	char line[32];

	for (; nr && i < p->nr; nr--, i++) {
		snprintf(line, sizeof(line), "%016" PRIx64 "\n", p->ips[i]);
		fargs_buf_add(out, line, strlen(line));
	}
	if (nr)
		fargs_buf_add(out, "no instruction\n", strlen("no instruction\n"));
	*ip = i < p->nr ? p->ips[i] : 0;
}

#endif
