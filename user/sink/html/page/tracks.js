// SPDX-License-Identifier: GPL-2.0-only
// Which events are drawn where: tracks, of a CPU or a task each, and lanes in them. In a lane no
// two overlap, so that beginnings and ends are in order, and are found by bisection.

const tracks = [];	// {group, title, lanes, hits, losses, running}
const groups = [{ name: 'CPUs', isOpen: true }, { name: 'Tasks', isOpen: true }];

let order;		// events by their beginning, those that are around others first
let allStarts, allEnds;	// of all events, each in order
let parentOf;		// the call of the same task that an event is inside; -1: none
let ownTimeOf;		// ns: without those of calls inside

// The first element that is larger than v.
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

// Into the first lane that is free: of calls inside each other that is how deep they are.
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
	// What returned later is around the other.
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

// From one switch to the next a task runs: {starts, ends, tasks}, by the CPU and by the task.
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

// Of a switch, recorded by --switches or as sched:sched_switch: whose turn it is then.
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

// The first of a lane that is there at a time, or later.
function firstAt(lane, time)
{
	let n = above(lane.ends, time);

	// Those that end just then, as events without a duration do.
	while (n > 0 && lane.ends[n - 1] === time)
		n--;
	return n;
}

// How many there are, at least in part, between two times.
function countBetween(from, to)
{
	let ended = above(allEnds, from);

	while (ended > 0 && allEnds[ended - 1] === from)
		ended--;
	return Math.max(0, above(allStarts, to) - ended);
}
