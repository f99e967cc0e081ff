// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets the code that libipt decodes (the kernel's and a program's), and applies changes of this
 * code.
 */
#include "source/pt/decode/libipt/state.h"

#include <errno.h>

/* Sets d->poke_tsc to the time of the next change of the code in use. */
static void set_poke_tsc(struct fargs_pt_libipt *d)
{
	uint64_t until = fargs_pt_image_until(d->image);

	d->poke_tsc = UINT64_MAX;
	/* If TSCs cannot be converted to times, the TSC of the change is unknown. */
	if (until != UINT64_MAX && d->in->config.has_time)
		d->poke_tsc = fargs_pt_input_tsc(&d->in->config, until);
}

void fargs_pt_use_code(struct fargs_pt_libipt *d, const struct fargs_pt_code_now *now)
{
	d->image = now->image;
	d->user_epoch = now->stamp;
	set_poke_tsc(d);
}

int fargs_pt_advance_code(struct fargs_pt_libipt *d, uint64_t tsc)
{
	uint64_t ns = fargs_pt_input_ns(&d->in->config, tsc);
	int nr = fargs_pt_images_advance(d->images, ns, &d->user_epoch);

	if (nr < 0)
		return -ENOMEM;
	d->epoch++;
	set_poke_tsc(d);
	/*
	 * @nr does not count new mappings of a program: they do not change code that the program
	 * was executing.
	 */
	if (nr)
		fargs_pt_add_item(d, FARGS_PT_POKED, 0, (uint64_t)nr);
	return 0;
}

void fargs_pt_enter_program(struct fargs_pt_libipt *d, uint64_t ip)
{
	struct fargs_pt_code_now now;
	int ret = fargs_pt_images_enter(d->images, ip, d->tsc, &now);

	if (ret > 0 && fargs_pt_stepper_set_image(&d->stepper, now.libipt) >= 0)
		fargs_pt_use_code(d, &now);
	else if (ret)
		d->is_short = true;
}

void fargs_pt_enter_after_hole(struct fargs_pt_libipt *d, uint64_t ip)
{
	/*
	 * If the kernel is not traced, d->tsc may be too early by up to d->tick, but code that was
	 * mapped during the gap in the trace is already in use. So apply the changes up to
	 * d->tsc + d->tick.
	 */
	uint64_t ahead = d->in->config.has_kernel ? 0 : d->tick;

	if (d->has_programs) {
		fargs_pt_programs_hole(d->programs);
		if (fargs_pt_is_user(ip))
			fargs_pt_enter_program(d, ip);
	}
	if (d->poke_tsc != UINT64_MAX && d->tsc + ahead >= d->poke_tsc &&
	    fargs_pt_advance_code(d, d->tsc + ahead))
		d->is_short = true;
}
