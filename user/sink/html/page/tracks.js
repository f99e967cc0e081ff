// SPDX-License-Identifier: GPL-2.0-only
// Assigns events to tracks, one per CPU and per task, and to lanes within them. Events in a lane do
// not overlap, so that their starts and ends are both sorted and can be searched by bisection.

const tracks = [];	// {group, title, lanes, hits, losses, running}
const groups = [{ name: 'CPUs', isOpen: true }, { name: 'Tasks', isOpen: true }];

let order;		// events by start, enclosing ones first
let allStarts, allEnds;	// of all events, each sorted
let parentOf;		// the call of the same task that encloses an event; -1: none
let ownTimeOf;		// ns, without nested calls

// Index of the first element larger than v.
function above(sorted, v)
{
	let low = 0, high = sorted.length;

	while (low < high) {
		const middle = (low + high) >>> 1;

		if (sorted[middle] > v)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

function makeTrack(group, title)
{
	return { group, title, lanes: [], ends: [], hits: [], losses: [], running: null };
}

// Adds the event to the first free lane: for nested calls this is their depth.
function addToTrack(track, i)
{
	let n = 0;

	while (n < track.ends.length && track.ends[n] > startOf[i])
		n++;
	if (n === track.lanes.length)
		track.lanes.push([]);
	track.lanes[n].push(i);
	track.ends[n] = endOf[i];
}

function finishTrack(track)
{
	track.lanes = track.lanes.map((list) => ({
		events: Int32Array.from(list),
		starts: Float64Array.from(list, (i) => startOf[i]),
		ends: Float64Array.from(list, (i) => endOf[i]),
	}));
	delete track.ends;
}

function sortEvents()
{
	order = Int32Array.from({ length: nrEvents }, (_, i) => i);
	// Of two events with the same start, the one that ends later encloses the other.
	order.sort((a, b) => startOf[a] - startOf[b] || endOf[b] - endOf[a] || b - a);
	allStarts = startOf.slice().sort();
	allEnds = endOf.slice().sort();
}

// A call whose return is drawn is not drawn itself.
function isDrawn(i)
{
	return partnerOf[i] < 0 || trace.shapes[shapeOf[i]].type === 'return';
}

function nestEvents()
{
	const inside = trace.tasks.map(() => []);

	parentOf = new Int32Array(nrEvents).fill(-1);
	ownTimeOf = new Float64Array(nrEvents);
	for (const i of order) {
		if (taskOf[i] < 0 || !isDrawn(i))
			continue;
		const stack = inside[taskOf[i]];

		while (stack.length && (endOf[stack[stack.length - 1]] < endOf[i] ||
					endOf[stack[stack.length - 1]] <= startOf[i]))
			stack.pop();
		parentOf[i] = stack.length ? stack[stack.length - 1] : -1;
		ownTimeOf[i] = endOf[i] - startOf[i];
		if (!(endOf[i] > startOf[i]))
			continue;
		if (stack.length)
			ownTimeOf[stack[stack.length - 1]] -= ownTimeOf[i];
		stack.push(i);
	}
}

// The intervals between switches in which tasks run: {starts, ends, tasks}, by CPU and by task.
function followSwitches(byCpu, byTask)
{
	const byTid = new Map(trace.tasks.map((t, n) => [t.key, n]));
	const running = new Map();
	const later = (i, tid) => running.set(cpuOf[i], {
		from: endOf[i], task: byTid.get(tid === 0 ? `idle ${cpuOf[i]}` : tid), tid,
	});

	function add(track, from, to, last)
	{
		if (!track.running)
			track.running = { starts: [], ends: [], tasks: [], tids: [] };
		track.running.starts.push(from);
		track.running.ends.push(to);
		track.running.tasks.push(last.task);
		track.running.tids.push(last.tid);
	}
	function end(cpu, to)
	{
		const last = running.get(cpu);

		if (!last || !last.tid || !(to > last.from))
			return;
		add(byCpu[cpu], last.from, to, last);
		if (last.task !== undefined)
			add(byTask[last.task], last.from, to, last);
	}
	for (let i = 0; i < nrEvents; i++) {
		const tid = nextTask(i);

		if (tid === undefined)
			continue;
		end(cpuOf[i], endOf[i]);
		later(i, tid);
	}
	for (const cpu of running.keys())
		end(cpu, trace.to);
}

// The next task of a switch, which is recorded by --switches or as sched:sched_switch.
function nextTask(i)
{
	const shape = trace.shapes[shapeOf[i]], s = shape.shape;

	if (s.type === 'switch')
		return topCell(shape, trace.rows[i], 'next_tid');
	if (s.type !== 'event' || s.system !== 'sched' || s.name !== 'sched_switch' || !s.args)
		return undefined;
	const arg = (eventOf(i).args || []).find((a) => a.name === 'next_pid');

	return arg ? arg.value : undefined;
}

function taskTitle(task)
{
	return task.tid === 0 ? `idle (CPU ${task.key.slice(5)})` : `${task.comm}-${task.tid}`;
}

function makeTracks()
{
	const byCpu = [], byTask = trace.tasks.map((t) => makeTrack(1, taskTitle(t)));

	sortEvents();
	nestEvents();
	for (const i of order) {
		const cpu = cpuOf[i];

		if (!byCpu[cpu])
			byCpu[cpu] = makeTrack(0, `CPU ${cpu}`);
		if (trace.shapes[shapeOf[i]].type === 'lost') {
			byCpu[cpu].losses.push(i);
			continue;
		}
		if (!isDrawn(i))
			continue;
		addToTrack(byCpu[cpu], i);
		if (taskOf[i] >= 0)
			addToTrack(byTask[taskOf[i]], i);
	}
	followSwitches(byCpu, byTask);
	byTask.sort((a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : 0));
	tracks.push(...byCpu.filter((t) => t), ...byTask);
	tracks.forEach(finishTrack);
}

// The first event of a lane that ends at or after a time.
function firstAt(lane, time)
{
	let n = above(lane.ends, time);

	// Include events that end at this time, such as those without a duration.
	while (n > 0 && lane.ends[n - 1] === time)
		n--;
	return n;
}

// Number of events that overlap an interval.
function countBetween(from, to)
{
	let ended = above(allEnds, from);

	while (ended > 0 && allEnds[ended - 1] === from)
		ended--;
	return Math.max(0, above(allStarts, to) - ended);
}
