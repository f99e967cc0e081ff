# SPDX-License-Identifier: GPL-2.0-only
"""What the screen shows of the timeline where it is taller than its panel.

Two things say what must be there, neither of them the scrolled page itself: the trace, in which each
task has one call, later than that of the task above; and the same page in a window so tall that nothing
scrolls, shifted by as much as was scrolled.
"""
NR_TASKS = 60
START, STEP, LENGTH = 1000, 1000, 800   # of the calls, in ns
# Of the page: the names' width, and the height of the overview and ruler, which stay at the top.
NAMES, HEAD = 150, 52
TALL = 2800


def description():
    """For assemble: task number n makes one call, after START + n * STEP ns."""
    lines = ['info version=4 nr_cpus=1 tsc_khz=1000000 tsc_stable=1', 'func 1004 1000 f 0']
    lines += [f'known {n + 100} {n + 100} t{n:02}' for n in range(NR_TASKS)]
    lines += ['clock 1000:1000', 'records 0']
    for n in range(NR_TASKS):
        at = 1000 + START + n * STEP
        lines.append(f'return tid={n + 100} tsc={at + LENGTH} ip=0x1004 seq={n} $entry:u64={at}')
    return '\n'.join(lines + [f'stats {NR_TASKS},0,0,0', 'end']) + '\n'


def is_coloured(pixel):
    """As calls are; all else below the ruler is grey."""
    return max(pixel[:3]) - min(pixel[:3]) > 30


def runs(rows, x, ratio):
    """Where in the column @x of the screen calls begin, from top to bottom."""
    column = [is_coloured(row[4 * x:4 * x + 4]) for row in rows]
    head = HEAD * ratio
    return [y for y in range(head, len(column)) if column[y] and (y == head or not column[y - 1])]


class Timeline:
    def __init__(self, b, check):
        self.b, self.check = b, check
        self.width = self.height = 0
        self.ratio = 1
        self.tall, self.tops = [], {}

    def columns(self, width, view):
        """Of each task that is in view: where in the drawing its call is, near its end."""
        seen = {}
        for n in range(NR_TASKS):
            at = 1000 + START + n * STEP + 0.8 * LENGTH
            x = NAMES + (at - view[0]) / (view[1] - view[0]) * (width - NAMES)
            if NAMES + 2 < x < width - 2:
                seen[n] = int(x * self.ratio)
        return seen

    def shot(self):
        box = self.b.evaluate('(() => { const s = document.getElementById("timeline"), '
                              'r = s.getBoundingClientRect(); '
                              'return [r.left, r.top, s.clientWidth, s.clientHeight]; })()')
        return self.b.screenshot(*box)

    def view(self):
        """From when to when is in view, in ns."""
        return self.b.evaluate('[view.from, view.to].map((v) => v + Number(trace.base))')

    def resize(self, width, height, ratio=1):
        self.width, self.height, self.ratio = width, height, ratio
        self.b.resize(width, height, ratio)

    def draw_tall(self, what):
        """The whole drawing; each task's call must be in it, once below that of its CPU."""
        scrolled = self.b.evaluate('document.getElementById("timeline").scrollTop')
        self.b.resize(self.width, TALL, self.ratio)
        self.tall = self.shot()
        fits = self.b.evaluate('(() => { const s = document.getElementById("timeline"); '
                               'return s.scrollHeight === s.clientHeight; })()')
        columns = self.columns(len(self.tall[0]) // 4 // self.ratio, self.view())
        found = {n: runs(self.tall, x, self.ratio) for n, x in columns.items()}
        self.tops = {n: ys[1] for n, ys in found.items() if len(ys) == 2}
        order = [self.tops[n] for n in sorted(self.tops)]
        pitch = {b - a for a, b in zip(order, order[1:])}
        self.check(f'browser: {what}: each call is where and when the trace has it', fits and columns and
                   len(self.tops) == len(columns) and len(pitch) == 1 and min(pitch) > 0, (found, pitch))
        self.b.resize(self.width, self.height, self.ratio)
        self.b.evaluate(f'document.getElementById("timeline").scrollTop = {scrolled}')

    def compare(self, what):
        """What is on the screen with what must be there, as far as it is scrolled."""
        rows = self.shot()
        by = self.b.evaluate('document.getElementById("timeline").scrollTop') * self.ratio
        head, width = HEAD * self.ratio, len(rows[0]) // 4
        columns = self.columns(width // self.ratio, self.view())
        bad = []
        for n, top in self.tops.items():
            # Only whole ones: of others the ruler, or the end, hides a part.
            if head <= top - by < len(rows) - 20 * self.ratio and top - by not in runs(rows, columns[n], self.ratio):
                bad.append(f'task {n}: not at {top - by}, only at {runs(rows, columns[n], self.ratio)}')
        nr = sum(head <= top - by < len(rows) for top in self.tops.values())
        self.check(f'browser: {what}: {nr} calls are shown, each in its row', nr and not bad, '\n'.join(bad))
        # Byte by byte, below the ruler.
        other = [y for y in range(head, len(rows)) if rows[y] != self.tall[y + by][:4 * width]]
        self.check(f'browser: {what}: as in a window that need not scroll', not other and len(rows) > 2 * head,
                   f'scrolled by {by}: {len(other)} of {len(rows)} rows differ, the first {other[:3]}')

    def scroll(self, y):
        self.b.evaluate(f'document.getElementById("timeline").scrollTop = {y}')
        self.b.settle()


def test(b, check, path):
    """@path: the page of description()."""
    t = Timeline(b, check)
    t.resize(800, 600)
    b.open(path)
    total = b.evaluate('document.getElementById("timeline").scrollHeight')
    check('browser: all rows can be scrolled to', total > NR_TASKS * 17 + HEAD, total)
    t.draw_tall('all of it')
    for y in (0, 137, 1000, total):
        t.scroll(y)
        t.compare(f'scrolled by {y}')
    # With the wheel, over the names.
    t.scroll(0)
    b.mouse('mouseWheel', 60, 200, deltaX=0, deltaY=240)
    check('browser: the wheel scrolls', b.wait_for('document.getElementById("timeline").scrollTop === 240'))
    t.compare('the wheel')
    # Zoomed, made smaller and larger, on a screen with finer pixels: while it is scrolled.
    b.evaluate('setView(parseTime("0.000008"), parseTime("0.000030"))')
    t.draw_tall('zoomed')
    t.compare('zoomed while it is scrolled')
    b.evaluate('showWhole()')
    t.resize(700, 420)
    t.draw_tall('smaller')
    t.compare('a smaller window')
    t.resize(1000, 900)
    t.draw_tall('larger')
    t.compare('a larger window')
    t.resize(700, 600, 2)
    t.draw_tall('two pixels in one')
    t.scroll(300)
    t.compare('a screen with finer pixels')
    # More than fits becomes less.
    b.evaluate('groups[1].isOpen = false; layOutTracks(); drawTimeline()')
    b.settle()
    check('browser: without its rows it does not scroll', b.evaluate(
        '(() => { const s = document.getElementById("timeline"); return [s.scrollTop, s.scrollHeight - s.clientHeight]; })()'
    ) == [0, 0])
    b.call('Emulation.clearDeviceMetricsOverride')
