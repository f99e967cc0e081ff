/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * perf's configuration files: see perf-config(1).
 */
#ifndef FARGS_SOURCE_PERF_DATA_CONFIG_H
#define FARGS_SOURCE_PERF_DATA_CONFIG_H

/* A variable in a configuration file. */
struct fargs_perf_variable {
	const char *path;	/* of the file */
	const char *section, *name;	/* in lower case */
	const char *value;	/* without quotation marks; NULL: the variable has no '=' */
};

/* Returns nonzero to stop. */
typedef int (*fargs_perf_config_fn)(void *arg, const struct fargs_perf_variable *v);

/*
 * Calls @fn for each variable of the file that PERF_CONFIG names or, without it, of the machine's
 * file, and then of the user's: the last value of a variable is the one that counts. Files that
 * cannot be read have no variables. Returns the first nonzero result of @fn, -ENOMEM or 0.
 */
int fargs_perf_config_read(fargs_perf_config_fn fn, void *arg);

/* Returns @name, where "~/" at the beginning is the home directory; to be freed with free(). */
char *fargs_perf_config_home(const char *name);

#endif
