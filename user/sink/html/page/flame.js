// SPDX-License-Identifier: GPL-2.0-only
// The flame graph: task, callers and function, outermost at the top. Widths are numbers of calls
// and events, or durations of calls. Callers are taken from the recorded stack; without one, from
// the recorded calls that the event is nested in, and the one known caller.

const FLAME_HEIGHT = 18;
const flame = { by: 'count', root: null, shown: null, boxes: [], canvas: null };

function makeFrame(name, parent)
{
	return { name, parent, count: 0, time: 0, children: new Map() };
}

function childOf(frame, name)
{
	let child = frame.children.get(name);

	if (!child) {
		child = makeFrame(name, frame);
		frame.children.set(name, child);
	}
	return child;
}

function nameOfCaller(symbol)
{
	return symbol.symbol === undefined ? symbol.address : symbol.symbol;
}

// The frame of event i; creates the frames it is nested in first.
function frameOf(i, frames)
{
	if (frames[i])
		return frames[i];
	const shape = trace.shapes[shapeOf[i]], row = trace.rows[i];
	// If a call has two events, the call event has the stack.
	const pair = partnerOf[i] < 0 ? null : trace.rows[partnerOf[i]];
	const stack = topCell(shape, row, 'stack') || (pair && topCell(trace.shapes[pair[0]], pair, 'stack'));
	const caller = topCell(shape, row, 'caller');
	const own = trace.functions[functionOf[i]].name;
	let frame = childOf(flame.root, topCell(shape, row, 'comm'));

	if (stack) {
		for (let n = stack.length - 1; n >= 0; n--)
			frame = childOf(frame, nameOfCaller(stack[n]));
	} else {
		const parent = parentOf[i];

		if (parent >= 0)
			frame = frameOf(parent, frames);
		if (caller && caller.address !== '0x0' &&
		    (parent < 0 || nameOfCaller(caller) !== trace.functions[functionOf[parent]].name))
			frame = childOf(frame, nameOfCaller(caller));
	}
	frames[i] = childOf(frame, own);
	return frames[i];
}

function sumUp(frame)
{
	for (const child of frame.children.values()) {
		sumUp(child);
		frame.count += child.count;
		frame.time += child.time;
	}
}

function makeFlame()
{
	const frames = new Array(nrEvents);

	flame.root = makeFrame('all', null);
	for (const i of order) {
		const type = trace.shapes[shapeOf[i]].type;

		if (type === 'lost') {
			childOf(flame.root, '[lost]').count += Number(topCell(trace.shapes[shapeOf[i]],
									     trace.rows[i], 'lost') || 0);
			continue;
		}
		if (type === 'switch' || !isDrawn(i))
			continue;
		const frame = frameOf(i, frames);

		frame.count++;
		frame.time += hasDuration[i] ? Math.max(0, ownTimeOf[i]) : 0;
	}
	sumUp(flame.root);
	flame.shown = flame.root;
}

const widthOf = (frame) => (flame.by === 'count' ? frame.count : frame.time);
const widthText = (frame) => (flame.by === 'count' ? `${frame.count}` : durationText(frame.time));

// Creates boxes for frames at least a pixel wide, which bounds their number.
function layOutFlame(width)
{
	flame.boxes = [];

	function add(frame, x, y, w)
	{
		let at = x;

		flame.boxes.push({ frame, x, y, w });
		for (const child of [...frame.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
			const part = widthOf(child) / widthOf(frame) * w;

			if (part >= 1)
				add(child, at, y + 1, part);
			at += part || 0;
		}
	}
	const above = [];

	for (let f = flame.shown.parent; f; f = f.parent)
		above.unshift(f);
	above.forEach((frame, y) => flame.boxes.push({ frame, x: 0, y, w: width, isAround: true }));
	if (widthOf(flame.shown))
		add(flame.shown, 0, above.length, width);
}

const drawFlame = oncePerFrame(() => {
	const scroller = document.getElementById('flame-scroll'), width = scroller.clientWidth;
	const word = search.text.toLowerCase().replace(/^(name|func)=/, '');

	if (!width || document.getElementById('tab-flame').hidden)
		return;
	if (!flame.root)
		makeFlame();
	layOutFlame(width);
	const depth = flame.boxes.reduce((max, box) => Math.max(max, box.y + 1), 1);
	const c = beginCanvas(flame.canvas, width, depth * FLAME_HEIGHT + 4);

	for (const { frame, x, y, w, isAround } of flame.boxes) {
		const isFoundFrame = word && frame.name.toLowerCase().includes(word);

		c.globalAlpha = isAround ? 0.5 : 1;
		c.fillStyle = colorOf(frame.name);
		c.fillRect(x, y * FLAME_HEIGHT, Math.max(1, w - 0.5), FLAME_HEIGHT - 1);
		if (isFoundFrame) {
			c.strokeStyle = colors.hit;
			c.strokeRect(x + 0.5, y * FLAME_HEIGHT + 0.5, Math.max(1, w - 1.5), FLAME_HEIGHT - 2);
		}
		c.fillStyle = colors['slice-text'];
		if (w > 3 * charWidth)
			c.fillText(fitText(frame.name, w - 6), x + 3, y * FLAME_HEIGHT + FLAME_HEIGHT / 2);
	}
	c.globalAlpha = 1;
	document.getElementById('flame-about').textContent = widthOf(flame.root) ?
		`${widthText(flame.shown)}${flame.by === 'count' ? ' calls and events' : ''}; click a frame to widen it` :
		'no call has a duration: record with returns (-> ret or fargs record -g)';
});

function frameAt(e)
{
	const box = flame.canvas.getBoundingClientRect(), x = e.clientX - box.left;
	const y = Math.floor((e.clientY - box.top) / FLAME_HEIGHT);

	return flame.boxes.find((b) => b.y === y && x >= b.x && x < b.x + b.w);
}

function startFlame()
{
	flame.canvas = document.getElementById('flame-canvas');
	flame.canvas.addEventListener('pointermove', (e) => {
		const box = frameAt(e);

		if (!box) {
			hideTip();
			return;
		}
		const share = widthOf(box.frame) / widthOf(flame.root) * 100;

		showTip(e.clientX, e.clientY, [box.frame.name, `${widthText(box.frame)}, ${share.toFixed(2)} %` +
			(flame.by === 'count' ? ' of calls and events' : ` of time in calls; ${plural(box.frame.count, 'call')}`)]);
	});
	flame.canvas.addEventListener('pointerleave', () => hideTip());
	flame.canvas.addEventListener('click', (e) => {
		const box = frameAt(e);

		flame.shown = box ? box.frame : flame.root;
		drawFlame();
	});
	document.getElementById('flame-by').addEventListener('change', (e) => {
		flame.by = e.target.value;
		drawFlame();
		stateChanged();
	});
	document.getElementById('flame-reset').addEventListener('click', () => {
		flame.shown = flame.root;
		drawFlame();
	});
	new ResizeObserver(drawFlame).observe(document.getElementById('flame-scroll'));
}
