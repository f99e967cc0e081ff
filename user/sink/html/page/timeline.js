// SPDX-License-Identifier: GPL-2.0-only
// The timeline: overview, ruler and tracks, of which only the visible ones are drawn. Events
// narrower than a pixel are drawn once per pixel and skipped by bisection, so that drawing time
// depends on the width, not on the number of events.

const NAMES_WIDTH = 150, OVERVIEW_HEIGHT = 30, RULER_HEIGHT = 22;
const HEAD_HEIGHT = OVERVIEW_HEIGHT + RULER_HEIGHT;
const GROUP_HEIGHT = 20, LANE_HEIGHT = 17, RUNNING_HEIGHT = 5, TRACK_GAP = 5;
const ZOOM_MIN = 10;	// ns in view

const view = { from: 0, to: 1 };
const timeline = {
	scroller: null, canvas: null, spacer: null, width: 0, height: 0,
	rows: [],		// {y, height, track} or {y, height, group}
	overview: null,		// number of events per pixel
	selected: -1, hovered: -1,
	drag: null,
};
let selectEvent = () => {};
let viewChanged = () => {};

const plotWidth = () => Math.max(1, timeline.width - NAMES_WIDTH);
const xOf = (ns) => NAMES_WIDTH + (ns - view.from) / (view.to - view.from) * plotWidth();
const timeAt = (x) => view.from + (x - NAMES_WIDTH) / plotWidth() * (view.to - view.from);

function trackHeight(track)
{
	return Math.max(1, track.lanes.length) * LANE_HEIGHT + (track.running ? RUNNING_HEIGHT : 0) +
	       TRACK_GAP;
}

function layOutTracks()
{
	let y = HEAD_HEIGHT;

	timeline.rows = [];
	groups.forEach((group, n) => {
		timeline.rows.push({ y, height: GROUP_HEIGHT, group });
		y += GROUP_HEIGHT;
		for (const track of tracks) {
			if (track.group !== n || !group.isOpen)
				continue;
			timeline.rows.push({ y, height: trackHeight(track), track });
			y += trackHeight(track);
		}
	});
	timeline.total = y;
}

function setView(from, to)
{
	const whole = trace.to - trace.from, room = whole * 0.02;
	let length = Math.min(Math.max(to - from, ZOOM_MIN), whole + 2 * room);

	length = Math.max(length, ZOOM_MIN);
	from = (from + to - length) / 2;
	from = Math.min(Math.max(from, trace.from - room), trace.to + room - length);
	if (length >= whole + 2 * room)
		from = trace.from - room - (length - whole - 2 * room) / 2;
	view.from = from;
	view.to = from + length;
	drawTimeline();
	viewChanged();
}

const showWhole = () => setView(-Infinity < trace.from ? trace.from - (trace.to - trace.from) : 0,
				trace.to + (trace.to - trace.from));

function zoomAt(time, factor)
{
	setView(time - (time - view.from) * factor, time + (view.to - time) * factor);
}

function moveBy(part)
{
	const by = (view.to - view.from) * part;

	setView(view.from + by, view.to + by);
}

// Zooms so that the event takes a fifth of the view.
function zoomToEvent(i)
{
	const length = Math.max(endOf[i] - startOf[i], 100), middle = (startOf[i] + endOf[i]) / 2;

	setView(middle - 2.5 * length, middle + 2.5 * length);
}

// The event that is drawn: for a call with two events, the return.
function drawnOf(i)
{
	return isDrawn(i) || partnerOf[i] < 0 ? i : partnerOf[i];
}

// Scrolls to the event, keeping the zoom if possible.
function bringIntoView(i)
{
	const length = view.to - view.from, { scroller } = timeline;

	if (endOf[i] < view.from || startOf[i] > view.to) {
		const middle = (startOf[i] + endOf[i]) / 2;

		setView(middle - length / 2, middle + length / 2);
	}
	const rows = timeline.rows.filter((row) => row.track &&
		(row.track.losses.includes(i) || row.track.lanes.some((lane) => laneHas(lane, i))));
	const last = rows[rows.length - 1];

	// An event is on two tracks: its CPU's and its task's.
	if (last && !rows.some((row) => row.y >= scroller.scrollTop + HEAD_HEIGHT &&
				row.y + row.height <= scroller.scrollTop + scroller.clientHeight))
		scroller.scrollTop = Math.max(0, last.y - HEAD_HEIGHT - GROUP_HEIGHT);
	drawTimeline();
}

function laneHas(lane, i)
{
	let n = firstAt(lane, startOf[i]);

	for (; n < lane.events.length && lane.starts[n] <= startOf[i]; n++)
		if (lane.events[n] === i)
			return true;
	return false;
}

/* Drawing. */

const labels = new Map();

function labelOf(i)
{
	let text = labels.get(i);

	if (text !== undefined)
		return text;
	if (labels.size > 20000)
		labels.clear();
	text = eventText(eventOf(i));
	// For a call with two events, the arguments are in the call event.
	if (partnerOf[i] >= 0 && hasDuration[i]) {
		const call = eventOf(partnerOf[i]), e = eventOf(i);

		text = `${eventText(call)}${e.result ? ` = ${resultText(e.result)}` : ''}`;
	}
	labels.set(i, text);
	return text;
}

function drawEvent(c, i, x0, x1, y)
{
	const height = LANE_HEIGHT - 2, name = trace.functions[functionOf[i]].name;
	const isDim = search.isHit && !isFound(i);

	c.globalAlpha = isDim ? 0.3 : 1;
	c.fillStyle = colorOf(name);
	if (endOf[i] > startOf[i]) {
		c.fillRect(x0, y, Math.max(1, x1 - x0 - (x1 - x0 > 3 ? 0.5 : 0)), height);
	} else {
		// An instant is drawn as a flag.
		c.fillRect(x0, y, 1.5, height);
		c.beginPath();
		c.moveTo(x0, y);
		c.lineTo(x0 + 6, y + 3);
		c.lineTo(x0, y + 6);
		c.fill();
	}
	if (isError[i]) {
		c.fillStyle = colors.error;
		c.fillRect(x0, y + height - 2, Math.max(1, x1 - x0), 2);
	}
	if (search.isHit && !isDim) {
		c.strokeStyle = colors.hit;
		c.strokeRect(x0 + 0.5, y + 0.5, Math.max(1, x1 - x0 - 1), height - 1);
	}
	if (i === timeline.selected || i === timeline.hovered) {
		c.strokeStyle = i === timeline.selected ? colors.accent : colors.text;
		c.lineWidth = i === timeline.selected ? 2 : 1;
		c.strokeRect(x0 - 0.5, y - 0.5, Math.max(3, x1 - x0 + 1), height + 1);
		c.lineWidth = 1;
	}
	c.globalAlpha = 1;
}

function drawLabel(c, i, x0, x1, y, room)
{
	const from = Math.max(x0, NAMES_WIDTH) + 3;
	const isMoment = !(endOf[i] > startOf[i]);
	const to = isMoment ? Math.min(room, from + 60 * charWidth) : Math.min(x1, timeline.width);
	const text = to - from > 3 * charWidth ? fitText(labelOf(i), to - from - 4) : '';

	if (!text)
		return;
	c.globalAlpha = search.isHit && !isFound(i) ? 0.5 : 1;
	c.fillStyle = isMoment ? colors.dim : colors['slice-text'];
	c.fillText(text, from + (isMoment ? 5 : 0), y + LANE_HEIGHT / 2 - 0.5);
	c.globalAlpha = 1;
}

function drawLane(c, lane, y)
{
	const { starts, ends, events } = lane, pixel = (view.to - view.from) / plotWidth();
	let n = firstAt(lane, view.from);

	while (n < events.length && starts[n] <= view.to) {
		const i = events[n], x0 = xOf(starts[n]), x1 = xOf(ends[n]);

		drawEvent(c, i, Math.max(x0, NAMES_WIDTH - 10), Math.min(x1, timeline.width + 10), y);
		if (x1 - x0 >= 1) {
			drawLabel(c, i, x0, x1, y, 0);
			n++;
			continue;
		}
		// Skip events that start in the same pixel.
		let next = n + 1;

		if (next < events.length && starts[next] < starts[n] + pixel)
			next = Math.max(next, above(starts, starts[n] + pixel));
		if (!(ends[n] > starts[n]))
			drawLabel(c, i, x0, x1, y, next < events.length ? xOf(starts[next]) : timeline.width);
		n = next;
	}
}

function drawRunning(c, track, y)
{
	const { starts, ends, tasks, tids } = track.running;
	const pixel = (view.to - view.from) / plotWidth();
	let n = above(ends, view.from);

	while (n < starts.length && starts[n] <= view.to) {
		const x0 = Math.max(xOf(starts[n]), NAMES_WIDTH), x1 = Math.min(xOf(ends[n]), timeline.width);
		const task = tasks[n] === undefined ? `tid ${tids[n]}` : taskTitle(trace.tasks[tasks[n]]);

		c.fillStyle = track.group === 0 ? colorOf(task) : colors.accent;
		c.fillRect(x0, y, Math.max(1, x1 - x0), RUNNING_HEIGHT - 2);
		n = x1 - x0 >= 1 ? n + 1 : Math.max(n + 1, above(ends, ends[n] + pixel));
	}
}

// Draws vertical lines at times, at most one per pixel.
function drawMarks(c, times, y, height, width)
{
	const pixel = (view.to - view.from) / plotWidth();
	let n = above(times, view.from - pixel);

	while (n < times.length && times[n] <= view.to) {
		c.fillRect(xOf(times[n]) - (width - 1) / 2, y, width, height);
		n = Math.max(n + 1, above(times, times[n] + pixel));
	}
}

function drawTrack(c, track, y)
{
	const top = y;

	if (track.running) {
		drawRunning(c, track, y);
		y += RUNNING_HEIGHT;
	}
	for (const lane of track.lanes) {
		if (y > HEAD_HEIGHT - LANE_HEIGHT && y < timeline.height)
			drawLane(c, lane, y);
		y += LANE_HEIGHT;
	}
	if (track.losses.length) {
		c.fillStyle = colors.lost;
		c.globalAlpha = 0.75;
		drawMarks(c, track.losses.map((i) => startOf[i]), top, trackHeight(track) - TRACK_GAP, 3);
		c.globalAlpha = 1;
	}
	if (track.hits.length) {
		c.fillStyle = colors.hit;
		drawMarks(c, track.hits, top - 3, 3, 2);
	}
}

function drawRow(c, row)
{
	const y = row.y - timeline.scroller.scrollTop;

	if (y > timeline.height || y + row.height < HEAD_HEIGHT)
		return;
	if (row.group) {
		c.fillStyle = colors.panel;
		c.fillRect(0, y, timeline.width, GROUP_HEIGHT);
		c.fillStyle = colors.text;
		c.fillText(`${row.group.isOpen ? '▾' : '▸'} ${row.group.name}`, 6, y + GROUP_HEIGHT / 2);
		return;
	}
	c.save();
	c.beginPath();
	c.rect(NAMES_WIDTH, y - 3, plotWidth(), row.height + 3);
	c.clip();
	drawTrack(c, row.track, y);
	c.restore();
	c.fillStyle = colors.text;
	c.fillText(fitText(row.track.title, NAMES_WIDTH - 14), 10, y + LANE_HEIGHT / 2);
	c.fillStyle = colors.line;
	c.fillRect(0, y + row.height - 3, timeline.width, 1);
}

// The smallest step of 1, 2 or 5 times a power of ten that gives at most nr steps.
function stepFor(length, nr)
{
	const power = 10 ** Math.floor(Math.log10(length / nr));

	return [1, 2, 5, 10].map((m) => m * power).find((step) => length / step <= nr);
}

function drawRuler(c)
{
	const length = view.to - view.from;
	const step = Math.max(1, stepFor(length, plotWidth() / 130));
	const digits = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(step))));
	// Steps are aligned to the clock, not to trace.base.
	const offset = Number(trace.base % BigInt(Math.round(step)));
	let at = Math.ceil((view.from + offset) / step) * step - offset;

	c.fillStyle = colors.back;
	c.fillRect(0, 0, timeline.width, HEAD_HEIGHT);
	c.fillStyle = colors.dim;
	c.fillText(durationText(length), 6, OVERVIEW_HEIGHT + RULER_HEIGHT / 2);
	c.fillRect(0, HEAD_HEIGHT - 1, timeline.width, 1);
	for (; at <= view.to; at += step) {
		const x = xOf(at);

		if (x < NAMES_WIDTH)
			continue;
		c.fillRect(x, HEAD_HEIGHT - 6, 1, 5);
		c.fillText(`${timeText(at, digits)} s`, x + 3, OVERVIEW_HEIGHT + RULER_HEIGHT / 2);
	}
}

// Counts the events that start in each pixel of the overview; repeated when its width changes.
function countOverview()
{
	const width = Math.ceil(plotWidth()), scale = width / (trace.to - trace.from);
	const counts = new Float64Array(width + 1);

	for (let i = 0; i < nrEvents; i++)
		counts[Math.floor((startOf[i] - trace.from) * scale)]++;
	timeline.overview = { width, counts, max: counts.reduce((a, b) => Math.max(a, b), 1) };
}

const overviewX = (ns) => NAMES_WIDTH + (ns - trace.from) / (trace.to - trace.from) * plotWidth();
const overviewTime = (x) => trace.from + (x - NAMES_WIDTH) / plotWidth() * (trace.to - trace.from);

function drawOverview(c)
{
	const height = OVERVIEW_HEIGHT - 6;

	if (!timeline.overview || timeline.overview.width !== Math.ceil(plotWidth()))
		countOverview();
	const { counts, max } = timeline.overview;

	c.fillStyle = colors.dim;
	c.fillText('overview', 6, OVERVIEW_HEIGHT / 2);
	counts.forEach((n, x) => {
		const h = n ? Math.max(2, Math.log1p(n) / Math.log1p(max) * height) : 0;

		c.fillRect(NAMES_WIDTH + x, 2 + height - h, 1, h);
	});
	// Mark search results and losses, at most once per pixel.
	c.fillStyle = colors.hit;
	markOverview(c, search.hits, height);
	c.fillStyle = colors.lost;
	for (const track of tracks)
		markOverview(c, track.losses, height);
	const x0 = Math.max(overviewX(view.from), NAMES_WIDTH), x1 = Math.min(overviewX(view.to), timeline.width);

	c.fillStyle = colors.view;
	c.fillRect(x0, 0, Math.max(2, x1 - x0), OVERVIEW_HEIGHT - 2);
	c.strokeStyle = colors.accent;
	c.strokeRect(x0 + 0.5, 0.5, Math.max(2, x1 - x0 - 1), OVERVIEW_HEIGHT - 3);
}

// Cached marks: they rarely change and may be many.
const overviewMarks = new WeakMap();

function markOverview(c, events, height)
{
	let marks = overviewMarks.get(events);

	if (!marks || marks.width !== timeline.width) {
		marks = { width: timeline.width, pixels: new Set() };
		for (const i of events)
			marks.pixels.add(Math.floor(overviewX(startOf[i])));
		overviewMarks.set(events, marks);
	}
	marks.pixels.forEach((x) => c.fillRect(x, height - 2, 2, 5));
}

function drawDrag(c)
{
	const { drag } = timeline;

	if (!drag || drag.kind !== 'mark')
		return;
	c.fillStyle = colors.view;
	c.fillRect(Math.min(drag.x, drag.now), OVERVIEW_HEIGHT, Math.abs(drag.now - drag.x), timeline.height);
	c.fillStyle = colors.text;
	c.fillText(durationText(Math.abs(timeAt(drag.now) - timeAt(drag.x))), Math.min(drag.x, drag.now) + 4,
		   HEAD_HEIGHT + 10);
}

function drawTimelineNow()
{
	const { scroller, canvas } = timeline;

	timeline.width = scroller.clientWidth;
	timeline.height = scroller.clientHeight;
	// Not a margin: it would be part of the sticky box, which then could not move.
	timeline.spacer.style.height = `${Math.max(0, timeline.total - timeline.height)}px`;
	const c = beginCanvas(canvas, timeline.width, timeline.height);

	timeline.rows.forEach((row) => drawRow(c, row));
	drawRuler(c);
	drawOverview(c);
	drawDrag(c);
}

const drawTimeline = oncePerFrame(drawTimelineNow);

/* The mouse. */

function rowAt(y)
{
	const at = y + timeline.scroller.scrollTop;

	return y < HEAD_HEIGHT ? undefined : timeline.rows.find((r) => at >= r.y && at < r.y + r.height);
}

// The event at a position; -1 if there is none within a few pixels.
function eventAt(x, y)
{
	const row = rowAt(y), near = (view.to - view.from) / plotWidth() * 4, time = timeAt(x);

	if (!row || !row.track || x < NAMES_WIDTH)
		return -1;
	const below = y + timeline.scroller.scrollTop - row.y - (row.track.running ? RUNNING_HEIGHT : 0);
	const lane = row.track.lanes[Math.floor(below / LANE_HEIGHT)];
	const lost = row.track.losses.find((i) => Math.abs(startOf[i] - time) <= near);
	let best = -1, least = Infinity;

	if (!lane)
		return lost === undefined ? -1 : lost;
	for (let n = firstAt(lane, time - near); n < lane.events.length && lane.starts[n] <= time + near; n++) {
		const off = time < lane.starts[n] ? lane.starts[n] - time :
			    time > lane.ends[n] ? time - lane.ends[n] : 0;

		if (off <= least) {
			best = lane.events[n];
			least = off;
		}
		// Stop here: thousands of events may be this near.
		if (lane.starts[n] > time)
			break;
	}
	return lost !== undefined && !(best >= 0 && least === 0 && endOf[best] > startOf[best]) ? lost : best;
}

function runningAt(x, y)
{
	const row = rowAt(y), time = timeAt(x);

	if (!row || !row.track || !row.track.running || x < NAMES_WIDTH ||
	    y + timeline.scroller.scrollTop - row.y > RUNNING_HEIGHT)
		return '';
	const { starts, ends, tasks, tids } = row.track.running, n = above(ends, time);

	if (n === starts.length || starts[n] > time)
		return '';
	const task = tasks[n] === undefined ? `tid ${tids[n]}` : taskTitle(trace.tasks[tasks[n]]);

	return `${task} runs for ${durationText(ends[n] - starts[n])}`;
}

function pointAt(e)
{
	const box = timeline.canvas.getBoundingClientRect();

	return [e.clientX - box.left, e.clientY - box.top];
}

function onWheel(e)
{
	const [x] = pointAt(e);

	if (x < NAMES_WIDTH)
		return;
	e.preventDefault();
	if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY))
		moveBy((e.deltaX || e.deltaY) / plotWidth());
	else
		zoomAt(timeAt(x), 1.0015 ** Math.max(-400, Math.min(400, e.deltaY)));
}

function onDown(e)
{
	const [x, y] = pointAt(e), row = rowAt(y);

	if (e.button !== 0 || x > timeline.scroller.clientWidth)
		return;
	if (row && row.group) {
		row.group.isOpen = !row.group.isOpen;
		layOutTracks();
		drawTimeline();
		return;
	}
	if (x < NAMES_WIDTH)
		return;
	const kind = y < OVERVIEW_HEIGHT ? 'overview' : y < HEAD_HEIGHT || e.shiftKey ? 'mark' : 'move';

	timeline.drag = { kind, x, y, now: x, from: view.from, to: view.to,
			  top: timeline.scroller.scrollTop, hasMoved: false };
	timeline.canvas.setPointerCapture(e.pointerId);
	hideTip();
	if (kind === 'overview')
		moveOverview(x);
}

function moveOverview(x)
{
	const length = view.to - view.from, middle = overviewTime(x);

	setView(middle - length / 2, middle + length / 2);
}

function onMove(e)
{
	const [x, y] = pointAt(e), { drag } = timeline;

	if (!drag) {
		hover(x, y, e);
		return;
	}
	drag.now = Math.max(x, NAMES_WIDTH);
	drag.hasMoved = drag.hasMoved || Math.abs(x - drag.x) + Math.abs(y - drag.y) > 3;
	if (drag.kind === 'overview') {
		moveOverview(x);
	} else if (drag.kind === 'mark') {
		drawTimeline();
	} else if (drag.hasMoved) {
		const by = (drag.x - x) / plotWidth() * (drag.to - drag.from);

		timeline.scroller.scrollTop = drag.top + drag.y - y;
		setView(drag.from + by, drag.to + by);
	}
}

function onUp(e)
{
	const { drag } = timeline;

	timeline.drag = null;
	if (!drag)
		return;
	drawTimeline();
	if (drag.kind === 'mark' && drag.hasMoved) {
		const times = [timeAt(drag.x), timeAt(drag.now)].sort((a, b) => a - b);

		setView(times[0], times[1]);
	} else if (drag.kind === 'move' && !drag.hasMoved) {
		const i = eventAt(drag.x, drag.y);

		if (i >= 0)
			selectEvent(i);
	}
}

function hover(x, y, e)
{
	const i = eventAt(x, y), text = i >= 0 ? '' : runningAt(x, y);

	if (i >= 0)
		showTip(e.clientX, e.clientY, eventTip(i));
	else if (text)
		showTip(e.clientX, e.clientY, [text]);
	else
		hideTip();
	if (i !== timeline.hovered) {
		timeline.hovered = i;
		drawTimeline();
	}
}

function startTimeline()
{
	const canvas = document.getElementById('timeline-canvas');

	timeline.scroller = document.getElementById('timeline');
	timeline.canvas = canvas;
	timeline.spacer = document.getElementById('timeline-spacer');
	layOutTracks();
	canvas.addEventListener('wheel', onWheel, { passive: false });
	canvas.addEventListener('pointerdown', onDown);
	canvas.addEventListener('pointermove', onMove);
	canvas.addEventListener('pointerup', onUp);
	canvas.addEventListener('pointercancel', onUp);
	canvas.addEventListener('pointerleave', () => hideTip());
	canvas.addEventListener('dblclick', (e) => {
		const [x, y] = pointAt(e), i = eventAt(x, y);

		if (i >= 0)
			zoomToEvent(i);
	});
	timeline.scroller.addEventListener('scroll', drawTimeline);
	new ResizeObserver(drawTimeline).observe(timeline.scroller);
	// An element without content cannot be scrolled.
	showWhole();
	drawTimelineNow();
}
