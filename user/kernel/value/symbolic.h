/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the numbers of a traced kernel are shown. Flags that only the kernel knows have the names and
 * values of that kernel: of its BTF, and of its tracepoints' formats.
 */
#ifndef FARGS_KERNEL_VALUE_SYMBOLIC_H
#define FARGS_KERNEL_VALUE_SYMBOLIC_H

#include <stdint.h>

#include <bpf/btf.h>

#include "base/near.h"
#include "kernel/value/flags.h"

/* An event whose format has the names of flags that are not in BTF. */
struct fargs_symbolic_event {
	const char *system;
	const char *name;
	const char *field;
};

/* The events of which one, the first that the kernel has, is to be kept for a recording. */
extern const struct fargs_symbolic_event fargs_symbolic_events[];
extern const size_t fargs_nr_symbolic_events;

/*
 * Returns the format of @event, and sets *@bytes; NULL: there is none. The text must live as long
 * as the struct fargs_symbolic, except if *@to_free, which is then freed, is set.
 */
typedef const char *(*fargs_symbolic_format_fn)(void *arg,
						const struct fargs_symbolic_event *event,
						size_t *bytes, char **to_free);

struct fargs_symbolic;

/* Formats are read when they are needed, with @format. Returns NULL if there is no memory. */
struct fargs_symbolic *fargs_symbolic_create(fargs_symbolic_format_fn format, void *arg);
void fargs_symbolic_destroy(struct fargs_symbolic *symbolic);

/* Reads the format from the running kernel's tracefs, for fargs_symbolic_create(). */
const char *fargs_symbolic_read_format(void *arg, const struct fargs_symbolic_event *event,
				       size_t *bytes, char **to_free);

/*
 * These return how a number is shown, or NULL: by its C type. The result is valid as long as
 * @symbolic. @btf: the BTF of the number's type. A number that BTF describes as another type than
 * an integer has no naming.
 *
 * fargs_symbolic_of_type(): a number of type @type_id.
 */
const struct fargs_naming *fargs_symbolic_of_type(struct fargs_symbolic *symbolic,
						  const struct btf *btf, uint32_t type_id);
/* The member @name, of type @type_id, of the struct @of. */
const struct fargs_naming *fargs_symbolic_of_member(struct fargs_symbolic *symbolic,
						    const struct btf *btf, uint32_t type_id,
						    const char *of, const char *name);
/* The parameter @name, of type @type_id, of the function or tracepoint @func. */
const struct fargs_naming *fargs_symbolic_of_param(struct fargs_symbolic *symbolic,
						   const struct btf *btf, uint32_t type_id,
						   const char *func, const char *name);

/* Finds a constant of the traced kernel by its name. Returns false if it has none of this name. */
bool fargs_symbolic_find(struct fargs_symbolic *symbolic, const struct btf *btf, const char *name,
			 uint64_t *value);
/* Offers the names that fargs_symbolic_find() finds to @near. */
void fargs_symbolic_offer(struct fargs_symbolic *symbolic, const struct btf *btf,
			  struct fargs_near *near);

#endif
