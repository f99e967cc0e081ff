// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/report/pt_line.h"

#include "source/pt/decode/error.h"

static struct fargs_pt_line line_of(struct fargs_pt_context *c)
{
	return (struct fargs_pt_line){
		.comm = fargs_pt_context_comm(c), .tid = fargs_pt_context_tid(c),
		.cpu = c->stream->cpu, .has_time = c->has_time, .ns = c->ns,
	};
}

void fargs_pt_put_head(struct fargs_buf *out, struct fargs_pt_context *c)
{
	const struct fargs_pt_line line = line_of(c);

	fargs_pt_line_head(out, &line);
}

void fargs_pt_head_make(struct fargs_pt_head *head, struct fargs_pt_context *c)
{
	const struct fargs_pt_line line = line_of(c);

	/* Tasks of a guest change without the host's. */
	if (head->stream != c->stream || head->tid != c->tid || head->comm != line.comm ||
	    c->is_guest) {
		head->text.n = 0;
		fargs_pt_line_task(&head->text, &line);
		head->task_bytes = head->text.n;
	}
	head->text.n = head->task_bytes;
	fargs_pt_line_time(&head->text, &line);
	head->version++;
	head->stream = c->stream;
	head->comm = line.comm;
	head->ns = c->ns;
	head->tid = c->tid;
	head->has_time = c->has_time;
	head->is_guest = c->is_guest;
}

void fargs_pt_put_error(struct fargs_buf *out, struct fargs_pt_context *c,
			const struct fargs_pt_item *item)
{
	const struct fargs_pt_line line = line_of(c);
	struct fargs_event_error error;

	fargs_pt_error_describe(&error, item);
	fargs_pt_line_error(out, &line, item->from, &error);
}
