// SPDX-License-Identifier: GPL-2.0-only
#include "source/pt/join/align.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * Records are assigned to tokens in order. A place is the index of the first token that is still
 * free after some records were assigned; often several places are possible. A forward pass over the
 * records finds the places that are reachable from the beginning, and a backward pass finds the
 * places from which the end is reachable. A record may belong to a token if both passes find the
 * token's place.
 *
 * If only one place is possible after a record, this record and all earlier ones can be decided. A
 * stretch consists of the records after the last such record.
 *
 * If no place is possible, the trace contradicts the records: the tokens between the holes around
 * this record become holes, and both passes start again.
 */

/*
 * Maximum number of places of a record, and of all records of a stretch. More places are handled
 * like a contradiction.
 */
#define PLACES_MAX	(1u << 20)
#define STRETCH_MAX	(32u << 20)
/* Maximum number of contradictions; if there are more, no record of the CPU is joined. */
#define CONTRADICTIONS_MAX	64

struct places {
	uint32_t *at;		/* sorted */
	size_t nr, room;
};

/*
 * Result of the forward pass for a record: the possible places before and after the record's gap.
 */
struct row {
	size_t before;		/* index in @kept of the first place before the gap */
	size_t nr_before;
	size_t after;		/* index in @kept of the first place after the gap */
	size_t nr_after;
};

struct span {
	uint32_t first, last;
};

struct state {
	struct fargs_pt_alignment *a;
	/*
	 * For each place, the number of tokens before it: @nr_seq_sites counts tokens that are not
	 * holes, @nr_own counts tokens that are neither holes nor optional.
	 */
	uint32_t *nr_own, *nr_seq_sites;
	/* For each place: index of the first hole at or after it; above a->nr_tokens: none. */
	uint32_t *next_hole;
	/* For each record: latest time at which its sequence number may have been allocated. */
	uint64_t *until_tsc;
	/* The following members are the state of the current stretch. */
	struct places kept;
	struct row *rows;
	size_t first, nr_rows;	/* @first: index in a->seqs of the first record of the stretch */
	size_t rows_room;
	struct places now, good, back;
	size_t failed;		/* index of the record for which no place is left */
	uint32_t failed_from, failed_to;	/* range of places that were tried for the record */
};

static int add_place(struct places *p, size_t place)
{
	size_t room;
	uint32_t *larger;

	if (p->nr && p->at[p->nr - 1] == place)
		return 0;
	if (p->nr == p->room) {
		room = p->room ? 2 * p->room : 64;
		larger = realloc(p->at, room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		p->at = larger;
		p->room = room;
	}
	p->at[p->nr++] = (uint32_t)place;
	return 0;
}

static int add_places(struct places *p, const struct places *from)
{
	size_t i;

	for (i = 0; i < from->nr; i++)
		if (add_place(p, from->at[i]))
			return -ENOMEM;
	return 0;
}

/*
 * Appends the list @from to s->kept, and sets *@begin to its index there. Each appended list is
 * sorted, but s->kept as a whole is not.
 */
static int keep_places(struct state *s, const struct places *from, size_t *begin)
{
	size_t room = s->kept.room ? s->kept.room : 1024;
	uint32_t *larger;

	while (room < s->kept.nr + from->nr)
		room *= 2;
	if (room != s->kept.room) {
		larger = realloc(s->kept.at, room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		s->kept.at = larger;
		s->kept.room = room;
	}
	*begin = s->kept.nr;
	if (from->nr)
		memcpy(s->kept.at + s->kept.nr, from->at, from->nr * sizeof(*from->at));
	s->kept.nr += from->nr;
	return 0;
}

/*
 * Returns the first place from @low to @high with @counts[place] above @nr; @high + 1 if there is
 * none.
 */
static size_t first_above(const uint32_t *counts, size_t low, size_t high, uint64_t nr)
{
	size_t mid;

	high++;
	while (low < high) {
		mid = low + (high - low) / 2;
		if (counts[mid] > nr)
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

/*
 * Returns the range of places, up to @limit, that are possible after the tokens starting at @place
 * allocated @gap sequence numbers. A hole may allocate any number of them, an optional token none
 * or one; every other token allocates exactly one.
 */
static struct span span_gap(const struct state *s, size_t place, uint64_t gap, size_t limit)
{
	size_t hole = s->next_hole[place], last, first;

	if (place > limit)
		return (struct span){ 1, 0 };
	/*
	 * Limit @gap so that the sums below cannot overflow: there are always fewer tokens than
	 * UINT32_MAX.
	 */
	if (gap > UINT32_MAX)
		gap = UINT32_MAX;
	/* The last place: the tokens from @place to it must allocate at most @gap numbers. */
	last = first_above(s->nr_own, place, limit, s->nr_own[place] + gap) - 1;
	/* The first place: the tokens from @place to it, or a hole, can allocate @gap numbers. */
	first = gap ? first_above(s->nr_seq_sites, place, limit,
				  s->nr_seq_sites[place] + gap - 1) : place;
	if (hole <= last && hole < first)
		first = hole;
	return (struct span){ (uint32_t)first, (uint32_t)last };
}

/* Returns the place after the last token that may have allocated the number of record @nr. */
static size_t limit_of(const struct state *s, size_t nr)
{
	const struct fargs_pt_alignment *a = s->a;
	size_t low = 0, high = a->nr_tokens, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (a->tokens[mid].first_tsc > s->until_tsc[nr])
			high = mid;
		else
			low = mid + 1;
	}
	return low;
}

static bool is_within(const struct fargs_pt_token *t, const struct fargs_pt_seq *n)
{
	return t->first_tsc <= n->tsc && n->tsc <= t->last_tsc;
}

/* Returns whether @t, which is not a hole, may have written record @n; *@node is the call. */
static bool fits_token(const struct fargs_pt_alignment *a, const struct fargs_pt_token *t,
		       const struct fargs_pt_seq *n, uint64_t *node)
{
	const struct fargs_pt_caller *c = a->callers + t->caller, *end = c + t->nr_callers;
	bool is_found = false;

	*node = FARGS_PT_NODE_UNKNOWN;
	if (!(t->makers & n->maker) || !is_within(t, n))
		return false;
	if (c == end)
		return true;
	for (; c < end; c++) {
		if (c->ip && c->ip != n->ip)
			continue;
		/* If the ip of several callers matches, it is unknown which of them is the call. */
		*node = is_found ? FARGS_PT_NODE_UNKNOWN : c->node;
		is_found = true;
	}
	return is_found;
}

/*
 * Forward pass: replaces the places in s->now, before record @nr and its gap, by the places after
 * the record. Returns 0, 1 if no place is left, or -ENOMEM.
 */
static int go_forth(struct state *s, size_t nr)
{
	struct fargs_pt_alignment *a = s->a;
	const struct fargs_pt_seq *n = &a->seqs[nr];
	struct row *row = &s->rows[s->nr_rows];
	size_t limit = limit_of(s, nr), next = 0, at, i;
	uint64_t node;

	s->failed_from = s->now.at[0];
	s->failed_to = (uint32_t)(limit > s->failed_from ? limit : s->failed_from);
	/* Since the places are sorted, their spans are sorted, too. */
	s->good.nr = 0;
	for (i = 0; i < s->now.nr; i++) {
		struct span span = span_gap(s, s->now.at[i], n->nr_gap, limit);

		for (at = span.first > next ? span.first : next; at <= span.last; at++)
			if (add_place(&s->good, at))
				return -ENOMEM;
		next = at > next ? at : next;
		if (s->good.nr > PLACES_MAX)
			return 1;
	}
	if (keep_places(s, &s->now, &row->before) || keep_places(s, &s->good, &row->after))
		return -ENOMEM;
	row->nr_before = s->now.nr;
	row->nr_after = s->good.nr;
	s->now.nr = 0;
	for (i = 0; i < s->good.nr; i++) {
		const struct fargs_pt_token *t = &a->tokens[s->good.at[i]];

		if (s->good.at[i] == a->nr_tokens)
			break;
		if (t->is_hole ? is_within(t, n) && add_place(&s->now, s->good.at[i]) :
		    fits_token(a, t, n, &node) && add_place(&s->now, s->good.at[i] + 1))
			return -ENOMEM;
	}
	s->nr_rows++;
	return !s->now.nr || s->kept.nr > STRETCH_MAX;
}

static bool has_place(const struct places *p, size_t place)
{
	size_t low = 0, high = p->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (p->at[mid] < place)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->nr && p->at[low] == place;
}

static bool has_any(const struct places *p, struct span span)
{
	size_t low = 0, high = p->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (p->at[mid] < span.first)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->nr && p->at[low] <= span.last;
}

/* How the possible solutions assign one record. */
struct verdict {
	uint64_t node;
	uint32_t token;
	bool has_node;		/* a solution assigns the record to an execution */
	bool is_ambiguous;	/* solutions differ in the call, or the call is unknown */
	bool has_hole;		/* a solution assigns the record to a hole */
};

static void take_answer(struct verdict *v, uint64_t node, uint32_t token)
{
	if (node == FARGS_PT_NODE_UNKNOWN || (v->has_node && v->node != node))
		v->is_ambiguous = true;
	v->node = node;
	v->token = token;
	v->has_node = true;
}

static void decide_record(struct fargs_pt_seq *n, const struct verdict *v)
{
	if (v->is_ambiguous || (v->has_node && v->has_hole && v->node))
		n->state = FARGS_PT_UNMATCHED;
	else if (v->has_node && v->node)
		n->state = FARGS_PT_JOINED;
	else
		n->state = FARGS_PT_UNTRACED;
	n->node = n->state == FARGS_PT_JOINED ? v->node : 0;
	n->token = v->token;
}

/*
 * Backward pass: decides the record of row @i. Before the call, s->back contains the places after
 * the record from which the end is reachable; after the call, those before the record and its gap.
 * Returns 0 or -ENOMEM.
 */
static int go_back(struct state *s, size_t i)
{
	struct fargs_pt_alignment *a = s->a;
	struct fargs_pt_seq *n = &a->seqs[s->first + i];
	const struct row *row = &s->rows[i];
	const uint32_t *after = s->kept.at + row->after, *before = s->kept.at + row->before;
	size_t limit = limit_of(s, s->first + i);
	struct verdict v = { };
	struct span span;
	uint64_t node;
	size_t j;

	s->good.nr = 0;
	for (j = 0; j < row->nr_after && after[j] < a->nr_tokens; j++) {
		const struct fargs_pt_token *t = &a->tokens[after[j]];

		if (t->is_hole) {
			if (!is_within(t, n) || !has_place(&s->back, after[j]))
				continue;
			v.has_hole = true;
			v.is_ambiguous |= t->is_left_out;
		} else {
			if (!fits_token(a, t, n, &node) || !has_place(&s->back, after[j] + 1ul))
				continue;
			take_answer(&v, node, after[j]);
		}
		if (add_place(&s->good, after[j]))
			return -ENOMEM;
	}
	decide_record(n, &v);
	s->back.nr = 0;
	for (j = 0; j < row->nr_before; j++) {
		span = span_gap(s, before[j], n->nr_gap, limit);
		if (has_any(&s->good, span) && add_place(&s->back, before[j]))
			return -ENOMEM;
	}
	return 0;
}

/* Decides all records of the stretch, from the places in s->back, and begins the next stretch. */
static int finish_stretch(struct state *s)
{
	size_t i;

	for (i = s->nr_rows; i; i--)
		if (go_back(s, i - 1))
			return -ENOMEM;
	s->first += s->nr_rows;
	s->nr_rows = 0;
	s->kept.nr = 0;
	return 0;
}

/*
 * Sets s->back to the places after the last record from which the end is reachable. Returns 0, 1 if
 * there are none, or -ENOMEM.
 */
static int reach_end(struct state *s)
{
	const struct fargs_pt_alignment *a = s->a;
	size_t i;

	s->back.nr = 0;
	for (i = 0; i < s->now.nr; i++) {
		struct span span = span_gap(s, s->now.at[i], a->nr_rest, a->nr_tokens);

		/* If nr_rest is unknown, it may be enough for all remaining tokens. */
		if ((a->nr_rest == FARGS_PT_GAP_UNKNOWN ||
		     (span.first <= span.last && span.last == a->nr_tokens)) &&
		    add_place(&s->back, s->now.at[i]))
			return -ENOMEM;
	}
	s->failed_from = s->now.at[0];
	s->failed_to = (uint32_t)a->nr_tokens;
	return !s->back.nr;
}

static int room_for_row(struct state *s)
{
	size_t room = s->rows_room ? 2 * s->rows_room : 1024;
	struct row *larger;

	if (s->nr_rows < s->rows_room)
		return 0;
	larger = realloc(s->rows, room * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	s->rows = larger;
	s->rows_room = room;
	return 0;
}

/*
 * Runs both passes. Returns 0, 1 with s->failed, s->failed_from and s->failed_to set if there is
 * no solution, or -ENOMEM.
 */
static int run_passes(struct state *s)
{
	size_t nr;
	int ret;

	s->first = 0;
	s->nr_rows = 0;
	s->kept.nr = 0;
	s->now.nr = 0;
	if (add_place(&s->now, 0))
		return -ENOMEM;
	for (nr = 0; nr < s->a->nr_seqs; nr++) {
		s->failed = nr;
		if (room_for_row(s))
			return -ENOMEM;
		ret = go_forth(s, nr);
		if (ret)
			return ret;
		if (s->now.nr > 1)
			continue;
		s->back.nr = 0;
		if (add_places(&s->back, &s->now) || finish_stretch(s))
			return -ENOMEM;
	}
	ret = reach_end(s);
	return ret ? ret : finish_stretch(s);
}

/* Turns all tokens between the holes around the failure into holes. */
static void leave_out(struct state *s)
{
	struct fargs_pt_alignment *a = s->a;
	size_t from = s->failed_from, to = s->failed_to;

	/* The cause of the failure may be anywhere since the last hole. */
	while (from && !a->tokens[from - 1].is_hole)
		from--;
	if (from)
		from--;
	while (to < a->nr_tokens && !a->tokens[to].is_hole)
		to++;
	/*
	 * Each new hole may hide any later record. Since first_tsc must not decrease, all new holes
	 * get the first_tsc of the token before them.
	 */
	for (; from < a->nr_tokens && from <= to; from++) {
		a->tokens[from].is_hole = true;
		a->tokens[from].is_left_out = true;
		a->tokens[from].last_tsc = UINT64_MAX;
		a->tokens[from].first_tsc = from ? a->tokens[from - 1].first_tsc : 0;
	}
	a->nr_contradictions++;
}

static void leave_all_out(struct fargs_pt_alignment *a)
{
	size_t i;

	for (i = 0; i < a->nr_seqs; i++) {
		a->seqs[i].state = FARGS_PT_UNMATCHED;
		a->seqs[i].node = 0;
	}
}

static void count_tokens(struct state *s)
{
	const struct fargs_pt_alignment *a = s->a;
	size_t i, n = a->nr_tokens;

	for (i = 0; i < n; i++) {
		const struct fargs_pt_token *t = &a->tokens[i];

		s->nr_seq_sites[i + 1] = s->nr_seq_sites[i] + !t->is_hole;
		s->nr_own[i + 1] = s->nr_own[i] + (!t->is_hole && !t->is_optional);
	}
	s->next_hole[n] = (uint32_t)n + 1;
	for (i = n; i; i--)
		s->next_hole[i - 1] = a->tokens[i - 1].is_hole ? (uint32_t)i - 1 :
				      s->next_hole[i];
}

static int set_up(struct state *s)
{
	const struct fargs_pt_alignment *a = s->a;
	uint64_t until = UINT64_MAX;
	size_t i;

	s->nr_own = calloc(a->nr_tokens + 1, sizeof(*s->nr_own));
	s->nr_seq_sites = calloc(a->nr_tokens + 1, sizeof(*s->nr_seq_sites));
	s->next_hole = calloc(a->nr_tokens + 1, sizeof(*s->next_hole));
	s->until_tsc = calloc(a->nr_seqs + 1, sizeof(*s->until_tsc));
	if (!s->nr_own || !s->nr_seq_sites || !s->next_hole || !s->until_tsc)
		return -ENOMEM;
	/*
	 * Numbers are allocated in order, so a number is allocated before the times of all later
	 * records.
	 */
	for (i = a->nr_seqs; i; i--) {
		if (a->seqs[i - 1].tsc < until)
			until = a->seqs[i - 1].tsc;
		s->until_tsc[i - 1] = until;
	}
	return 0;
}

int fargs_pt_align(struct fargs_pt_alignment *a)
{
	struct state s = { .a = a };
	int ret = set_up(&s);

	a->nr_contradictions = 0;
	while (!ret) {
		count_tokens(&s);
		ret = run_passes(&s);
		if (ret != 1)
			break;
		ret = 0;
		if (a->nr_contradictions == CONTRADICTIONS_MAX) {
			leave_all_out(a);
			break;
		}
		leave_out(&s);
	}
	free(s.nr_own);
	free(s.nr_seq_sites);
	free(s.next_hole);
	free(s.until_tsc);
	free(s.kept.at);
	free(s.rows);
	free(s.now.at);
	free(s.good.at);
	free(s.back.at);
	return ret;
}
