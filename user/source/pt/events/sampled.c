// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/events/sampled.h"

#include <string.h>

#include "source/pt/input/spaces.h"

static void add_value(struct fargs_event *ev, struct fargs_arg *args, const char *name,
		      uint8_t type, const void *data, size_t bytes)
{
	args[ev->nr_args++] = (struct fargs_arg){
		.val = { .name = name, .type = type, .data = data, .bytes = bytes },
	};
}

static void add_text(struct fargs_event *ev, struct fargs_arg *args, const char *name,
		     const char *text)
{
	if (text)
		add_value(ev, args, name, FARGS_TYPE_STR, text, strlen(text));
}

static void find_place(struct fargs_event_place *place, const struct fargs_pt_input *in,
		       const struct fargs_pt_names *names, const struct fargs_pt_sampled *from)
{
	struct fargs_pt_task_space kept = { };
	struct fargs_pt_name name;

	fargs_pt_names_find(names, fargs_pt_task_space(in, &kept, from->tid, from->ns), from->ip,
			    from->ns, &name);
	*place = (struct fargs_event_place){
		.addr = from->ip, .symbol = name.name, .module = name.module,
		.file = fargs_pt_name_file(&name),
		.offset = name.name ? from->ip - name.addr : 0,
	};
}

static void set_comm(struct fargs_event *ev, const struct fargs_pt_input *in)
{
	const char *comm = fargs_pt_input_comm(in, ev->tid, ev->time_ns);

	if (!comm)
		comm = ev->tid ? ":-1" : "swapper";
	memcpy(ev->comm, comm, strnlen(comm, FARGS_COMM_LEN));
}

void fargs_pt_sampled_make(struct fargs_event *ev, struct fargs_pt_sampled_data *data,
			   const struct fargs_pt_input *in, const struct fargs_pt_names *names,
			   const struct fargs_pt_sampled *from)
{
	struct fargs_event_place *place = &data->sample.place;

	data->sample = (struct fargs_event_sample){
		.event = in->sampled_events[from->event], .period = from->period,
		.perf_type = FARGS_PERF_OTHER, .has_place = true,
	};
	*ev = (struct fargs_event){
		.kind = FARGS_EVENT_SAMPLE, .is_event = true, .has_no_time = !from->ns,
		.cpu = from->cpu, .time_ns = from->ns, .estimated_ns = from->ns, .tid = from->tid,
		.tgid = fargs_pt_input_pid(in, from->tid, from->ns), .shown_tid = from->tid,
		.ip = from->ip, .sample = &data->sample, .args = data->args,
	};
	set_comm(ev, in);
	find_place(place, in, names, from);
	add_value(ev, data->args, "ip", FARGS_TYPE_PTR, &from->ip, sizeof(from->ip));
	add_text(ev, data->args, "symbol", place->symbol);
	add_text(ev, data->args, "dso", place->module ? place->module : place->file);
	add_value(ev, data->args, "period", FARGS_TYPE_U64, &from->period, sizeof(from->period));
}
