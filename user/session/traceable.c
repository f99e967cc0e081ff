// SPDX-License-Identifier: GPL-2.0-only
#include "session/traceable.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "session/device.h"
#include "uapi/fargs_layout.h"

/*
 * Maximum number of functions that the module checks. For this, the module calls ftrace once for
 * every 1024 functions, plus up to 20 times for each function that ftrace rejects.
 */
#define ASK_MAX		2048

/* A layout without arguments. The body consists only of its terminator, an empty name. */
struct bare {
	struct fargs_layout layout;
	uint8_t body[8];
};

static struct bare *make_layouts(const uint64_t *addrs, size_t nr)
{
	struct bare *bare = calloc(nr, sizeof(*bare));
	size_t i;

	for (i = 0; bare && i < nr; i++) {
		bare[i].layout.size = sizeof(*bare);
		bare[i].layout.addr = addrs[i];
		bare[i].layout.body_len = sizeof(bare->body);
	}
	return bare;
}

/*
 * Removes the addresses of functions that ftrace cannot trace. Returns -errno if the ioctl fails,
 * or if the module skips a function for another reason.
 */
static int ask(uint64_t *addrs, size_t *nr)
{
	struct bare *bare = make_layouts(addrs, *nr);
	size_t nr_added, i, nr_left = 0;
	struct fargs_error_text err;
	struct fargs_info info;
	int fd, ret;

	if (!bare)
		return -ENOMEM;
	/* Opens a temporary session, which is never started. */
	fd = fargs_device_open(&err);
	ret = fd < 0 ? fd : fargs_device_info(fd, &info, &err);
	if (!ret)
		ret = fargs_device_add(fd, bare, *nr * sizeof(*bare), *nr, 0, &nr_added, &err);
	if (fd >= 0)
		close(fd);
	for (i = 0; !ret && i < *nr; i++) {
		if (!bare[i].layout.status)
			addrs[nr_left++] = addrs[i];
		else if (bare[i].layout.status != -EINVAL)
			ret = bare[i].layout.status;
	}
	free(bare);
	*nr = nr_left;
	return ret;
}

static struct fargs_avail *ask_of(const struct fargs_kernel *kernel,
				  const struct fargs_rules *rules)
{
	struct fargs_avail *avail = NULL;
	struct fargs_error_text err;
	uint64_t *addrs;
	size_t nr;

	if (fargs_select_candidates(rules, kernel->ksyms, ASK_MAX, &addrs, &nr, &err))
		return NULL;
	if (nr && !ask(addrs, &nr))
		avail = fargs_avail_create(addrs, nr);
	free(addrs);
	return avail;
}

static struct fargs_select *make(const struct fargs_kernel *kernel,
				 const struct fargs_rules *rules, bool is_survey,
				 struct fargs_error_text *err)
{
	return fargs_select_by_rules(rules, kernel->ksyms, kernel->btfs, kernel->avail, is_survey,
				     err);
}

struct fargs_select *fargs_traceable_select(struct fargs_kernel *kernel,
					    const struct fargs_rules *rules, bool is_survey,
					    struct fargs_error_text *err)
{
	struct fargs_select *sel;

	kernel->avail = ask_of(kernel, rules);
	if (kernel->avail) {
		sel = make(kernel, rules, is_survey, err);
		if (sel)
			return sel;
		fargs_avail_destroy(kernel->avail);
	}
	kernel->avail = fargs_avail_load(&kernel->avail_err);
	return make(kernel, rules, is_survey, err);
}
