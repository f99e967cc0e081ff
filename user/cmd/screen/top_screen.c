// SPDX-License-Identifier: GPL-2.0-only
#include "cmd/screen/top_screen.h"

#include <errno.h>
#include <ncurses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sink/summary/busiest.h"

/* Rows above the table: title, settings, an empty line, column titles. */
#define HEAD_ROWS	4
#define ESCAPE		27

struct fargs_top_screen {
	SCREEN *terminal;
	char filter[64];
	char typed[64];		/* text of the filter while it is being typed */
	bool is_typing;
	bool is_paused;
	bool is_help;
};

struct fargs_top_screen *fargs_top_screen_create(void)
{
	struct fargs_top_screen *screen = calloc(1, sizeof(*screen));

	if (!screen)
		return NULL;
	screen->terminal = newterm(NULL, stdout, stdin);
	if (!screen->terminal) {
		free(screen);
		return NULL;
	}
	cbreak();
	noecho();
	nodelay(stdscr, TRUE);
	keypad(stdscr, TRUE);
	/* Wait only 25 ms for the rest of an escape sequence: the Escape key must act promptly. */
	set_escdelay(25);
	curs_set(0);
	return screen;
}

void fargs_top_screen_destroy(struct fargs_top_screen *screen)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen->terminal);
	free(screen);
}

/* Copies the name of @order from fargs_summary_order_words to @name. */
static void order_name(enum fargs_summary_order order, char *name, size_t size)
{
	const char *word = fargs_summary_order_words;
	unsigned int n = order;

	for (; n && *word; n--) {
		word += strcspn(word, " ");
		word += *word == ' ';
	}
	snprintf(name, size, "%.*s", (int)strcspn(word, " "), word);
}

static void draw_head(const struct fargs_top_screen *screen, const char *title,
		      enum fargs_summary_order order)
{
	char name[16], line[256];

	order_name(order, name, sizeof(name));
	mvaddnstr(0, 0, title, COLS);
	if (screen->is_typing)
		snprintf(line, sizeof(line), "functions (a glob or a substring): "
			 "%s_", screen->typed);
	else
		snprintf(line, sizeof(line), "by %s%s%s%s; h: keys", name,
			 *screen->filter ? ", only " : "", screen->filter,
			 screen->is_paused ? ", paused" : "");
	mvaddnstr(1, 0, line, COLS);
}

static void draw_help(void)
{
	static const char *const lines[] = {
		"s S   sort by the next or previous column",
		"c n e t m   sort by count, name, errors, total time, max",
		"/     show only matching functions: a glob or a substring; empty: all",
		"space pause and resume",
		"h ?   this help",
		"q     end",
	};
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]) && (int)i + 3 < LINES; i++)
		mvaddnstr(3 + i, 2, lines[i], COLS - 2);
}

static int draw_table(const struct fargs_top_screen *screen, const struct fargs_summary *s,
		      uint64_t ms)
{
	size_t rows = LINES > HEAD_ROWS ? LINES - HEAD_ROWS : 0, n;
	struct fargs_buf out = { };
	int row = HEAD_ROWS - 1;
	const char *at;

	fargs_busiest_put_head(&out, s);
	fargs_buf_add_char(&out, '\n');
	fargs_busiest_put(&out, s, ms, screen->filter, rows);
	fargs_buf_add_char(&out, '\0');
	if (out.is_short) {
		fargs_buf_deinit(&out);
		return -ENOMEM;
	}
	for (at = out.text; *at && row < LINES; at += n + (at[n] == '\n'), row++) {
		n = strcspn(at, "\n");
		if (row == HEAD_ROWS - 1)
			attron(A_REVERSE);
		mvaddnstr(row, 0, at, n < (size_t)COLS ? (int)n : COLS);
		attroff(A_REVERSE);
	}
	fargs_buf_deinit(&out);
	return 0;
}

int fargs_top_screen_draw(struct fargs_top_screen *screen, const char *title,
			  const struct fargs_summary *s, uint64_t ms,
			  enum fargs_summary_order order)
{
	int ret = 0;

	erase();
	draw_head(screen, title, order);
	if (screen->is_help)
		draw_help();
	else
		ret = draw_table(screen, s, ms);
	/* Redraw everything, in case another process has written to the terminal. */
	redrawwin(stdscr);
	refresh();
	return ret;
}

static void type_filter(struct fargs_top_screen *screen, int key)
{
	size_t n = strlen(screen->typed);

	if (key == '\n' || key == '\r' || key == KEY_ENTER) {
		memcpy(screen->filter, screen->typed, sizeof(screen->filter));
		screen->is_typing = false;
	} else if (key == ESCAPE) {
		screen->is_typing = false;
	} else if (key == KEY_BACKSPACE || key == 127 || key == '\b') {
		screen->typed[n ? n - 1 : 0] = '\0';
	} else if (key > ' ' && key < 127 && n + 1 < sizeof(screen->typed)) {
		screen->typed[n] = key;
		screen->typed[n + 1] = '\0';
	}
}

static enum fargs_summary_order step(enum fargs_summary_order order, int by)
{
	const int nr = FARGS_SUMMARY_BY_MAX + 1;

	return (order + by + nr) % nr;
}

/* Handles a key. Returns true to quit. */
static bool take_key(struct fargs_top_screen *screen, int key, enum fargs_summary_order *order)
{
	switch (key) {
	case 'q':
		return true;
	case 's':
	case '>':
	case KEY_RIGHT:
		*order = step(*order, 1);
		break;
	case 'S':
	case '<':
	case KEY_LEFT:
		*order = step(*order, -1);
		break;
	case 'c':
		*order = FARGS_SUMMARY_BY_COUNT;
		break;
	case 'n':
		*order = FARGS_SUMMARY_BY_NAME;
		break;
	case 'e':
		*order = FARGS_SUMMARY_BY_ERRORS;
		break;
	case 't':
		*order = FARGS_SUMMARY_BY_TOTAL;
		break;
	case 'm':
		*order = FARGS_SUMMARY_BY_MAX;
		break;
	case '/':
		screen->typed[0] = '\0';
		screen->is_typing = true;
		break;
	case ' ':
		screen->is_paused = !screen->is_paused;
		break;
	case 'h':
	case '?':
		screen->is_help = !screen->is_help;
		break;
	default:
		break;
	}
	return false;
}

bool fargs_top_screen_keys(struct fargs_top_screen *screen, enum fargs_summary_order *order,
			   bool *is_changed)
{
	int key;

	while ((key = getch()) != ERR) {
		*is_changed = true;
		if (screen->is_typing)
			type_filter(screen, key);
		else if (take_key(screen, key, order))
			return true;
	}
	return false;
}

bool fargs_top_screen_is_paused(const struct fargs_top_screen *screen)
{
	return screen->is_paused;
}
