// SPDX-License-Identifier: GPL-2.0-only
/*
 * A dlfilter for tests: prints the result of resolve_address for each address in the file given as
 * argument (hexadecimal, one per line): "address name offset size", or "address -".
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>

/* Copied from perf-dlfilter(1), since the header may not be installed. */
struct al {
	uint32_t size;
	uint32_t symoff;
	const char *sym;
	uint64_t addr, sym_start, sym_end;
	const char *dso;
};

struct {
	void *resolve_ip, *resolve_addr;
	char **(*args)(void *ctx, int *nr);
	int32_t (*resolve_address)(void *ctx, uint64_t addr, struct al *al);
	void *others[124];
} perf_dlfilter_fns;

static FILE *from;

int start(void **data, void *ctx)
{
	int nr = 0;
	char **args = perf_dlfilter_fns.args(ctx, &nr);

	from = nr == 1 ? fopen(args[0], "r") : NULL;
	return from ? 0 : -EINVAL;
}

/*
 * Resolves all addresses at the first event, because addresses can be resolved only during an
 * event.
 */
int filter_event_early(void *data, const void *sample, void *ctx)
{
	unsigned long long addr;

	while (fscanf(from, "%llx", &addr) == 1) {
		struct al al = { .size = sizeof(al) };

		if (perf_dlfilter_fns.resolve_address(ctx, addr, &al))
			return -EIO;
		if (al.sym)
			printf("%llx %s %x %llx\n", addr, al.sym, al.symoff,
			       (unsigned long long)(al.sym_end - al.sym_start));
		else
			printf("%llx -\n", addr);
	}
	return 1;
}
