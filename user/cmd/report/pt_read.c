// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_options.h"

#include "cmd/report/pt_guests.h"
#include "cmd/report/pt_notes.h"
#include "source/pt/input/read.h"
#include "source/pt/input/settings.h"

int fargs_pt_report_read(const struct fargs_pt_report_options *o, struct fargs_pt_input *in,
			 const char *path, struct fargs_error_text *err)
{
	struct fargs_pt_report_guests guests = { };
	int ret = fargs_pt_settings_read(in, err);

	if (!ret)
		ret = fargs_pt_report_guests_find(&guests, o, err);
	in->guest_options = &guests.options;
	in->root = o->symfs;
	in->is_timeless = o->itrace.is_timeless;
	if (!ret)
		ret = fargs_pt_read(in, path, o->kcore, err);
	in->guest_options = NULL;
	fargs_pt_report_guests_deinit(&guests);
	if (!ret)
		fargs_pt_print_notes(in);
	return ret;
}
