// SPDX-License-Identifier: GPL-2.0-only
// Connects the parts of the page: keys, tabs, and the URL fragment, which holds the state of the
// view.

const byId = (id) => document.getElementById(id);
let currentTab = 'event';
let writtenHash = '';

function plural(n, word)
{
	return `${Number(n).toLocaleString('en')} ${word}${Number(n) === 1 ? '' : 's'}`;
}

function showHead()
{
	const { about } = trace, nrErrors = isError.reduce((sum, e) => sum + e, 0);

	document.title = `fargs: ${about.title}`;
	byId('title').textContent = about.title;
	byId('about').textContent = [about.hostname, about.release].filter((s) => s).join(', ');
	byId('about').title = `fargs ${about.fargs}\n${about.command}`;
	byId('counts').textContent = `${plural(nrEvents, 'event')}, ${durationText(trace.to - trace.from)}`;
	byId('errors').textContent = nrErrors ? plural(nrErrors, 'error') : '';
	byId('lost').textContent = trace.lost || trace.isLostUnknown ?
		`lost: ${trace.lost}${trace.isLostUnknown ? ' and more' : ''}` : '';
	showMissed();
}

// Reports missed calls, which are not on the page, and how to avoid them.
function showMissed()
{
	const { missed, maxactive } = trace.about;
	const sum = (key) => missed.reduce((n, m) => n + BigInt(m[key] || 0), 0n);
	const nr = sum('missed'), more = sum('at_most'), deep = sum('too_deep');
	const isUnknown = missed.some((m) => m.missed === undefined && m.at_most === undefined &&
				      m.too_deep === undefined);
	const lines = missed.filter((m) => m.name || m.address).map((m) =>
		`${m.name || m.address}${m.module ? ` [${m.module}]` : ''}: ` +
		[m.missed, m.at_most && `at most ${m.at_most} more`,
		 m.too_deep && `${m.too_deep} inside it, nested too deeply`].filter((s) => s).join(', '));

	byId('missed').textContent = isUnknown ? 'missed: not known' : !nr && !more && !deep ? '' :
		`missed: ${[nr || '', more ? `at most ${more} more` : '', deep ? `${deep} nested too deeply` : '']
			.filter((s) => s).join(', ')}`;
	if (nr)
		lines.push(`More calls were pending than --maxactive allows${maxactive ? ` (${maxactive})` : ''}: raise ` +
			   'it, or trace the return of fewer functions.');
	if (more)
		lines.push("The kernel's return probes missed calls; this includes calls by all tasks: " +
			   'trace the return of fewer functions, and stop other tracers.');
	if (deep)
		lines.push("Calls were nested too deeply for the kernel's stack of return addresses: " +
			   'trace the return of fewer functions.');
	if (isUnknown)
		lines.push('The recording did not finish.');
	byId('missed').title = lines.join('\n');
}

function showTab(name)
{
	currentTab = ['event', 'functions', 'flame'].includes(name) ? name : 'event';
	for (const button of document.querySelectorAll('nav button'))
		button.ariaSelected = String(button.dataset.tab === currentTab);
	for (const tab of ['event', 'functions', 'flame'])
		byId(`tab-${tab}`).hidden = tab !== currentTab;
	if (currentTab === 'functions')
		showFunctions();
	if (currentTab === 'flame')
		drawFlame();
	stateChanged();
}

const showRange = oncePerFrame(() => {
	byId('range').textContent = `${timeText(view.from)} – ${timeText(view.to)} s, ` +
		`${durationText(view.to - view.from)}, ${plural(countBetween(view.from, view.to), 'event')} in view`;
	if (currentTab === 'functions' && functionsTable.isInView)
		showFunctions();
});

function showFound()
{
	const { hits, at, isHit } = search;

	byId('found').textContent = !isHit ? '' : !hits.length ? 'none' :
		at < 0 ? `${hits.length} found` : `${at + 1} of ${hits.length}`;
	byId('found').className = isHit && !hits.length ? 'none' : '';
}

function select(i)
{
	timeline.selected = i < 0 ? -1 : drawnOf(i);
	search.at = i >= 0 && search.isHit ? search.hits.indexOf(i) : -1;
	showFound();
	showDetails(i);
	if (i >= 0)
		showTab('event');
	drawTimeline();
	stateChanged();
}

function goTo(i)
{
	select(i);
	bringIntoView(drawnOf(i));
}

function searchFor(text)
{
	byId('search').value = text;
	if (text !== search.text)
		runSearch(text);
	showFound();
	drawTimeline();
	drawFlame();
	stateChanged();
}

// Goes to the next or previous search result, relative to the selected one.
function goToHit(by)
{
	const { hits } = search;

	if (hits.length)
		goTo(hits[search.at < 0 ? (by > 0 ? 0 : hits.length - 1) :
			  (search.at + by + hits.length) % hits.length]);
}

// Goes to the next or previous event of the same task, in drawing order.
function goToNeighbour(by)
{
	const i = timeline.selected;

	if (i < 0)
		return;
	const mine = [...order].filter((n) => taskOf[n] === taskOf[i] && isDrawn(n));
	const next = mine[mine.indexOf(i) + by];

	if (next !== undefined)
		goTo(next);
}

/* The URL fragment: #search=…&zoom=FROM,TO&event=N&tab=functions&sort=p99 */

const stateChanged = oncePerFrame(() => {
	const state = new URLSearchParams();
	const room = (trace.to - trace.from) * 0.02;

	if (search.text)
		state.set('search', search.text);
	if (view.from > trace.from - room * 0.9 || view.to < trace.to + room * 0.9)
		state.set('zoom', `${timeText(view.from)},${timeText(view.to)}`);
	if (timeline.selected >= 0)
		state.set('event', timeline.selected);
	if (currentTab !== 'event')
		state.set('tab', currentTab);
	if (functionsTable.sort !== 'count' || functionsTable.isUp)
		state.set('sort', functionsTable.sort + (functionsTable.isUp ? ',up' : ''));
	if (flame.by !== 'count')
		state.set('by', flame.by);
	writtenHash = state.toString().replace(/%2C/g, ',');
	// A sandboxed document may not change its URL.
	try {
		history.replaceState(null, '', `#${writtenHash}`);
	} catch (e) {
		writtenHash = '';
	}
});

function takeState()
{
	const state = new URLSearchParams(location.hash.slice(1)), zoom = state.get('zoom') || '';
	const times = zoom.split(',').map(parseTime), sort = (state.get('sort') || 'count').split(',');
	const event = state.has('event') ? Number(state.get('event')) : -1;

	if (location.hash.slice(1) === writtenHash && writtenHash)
		return;
	flame.by = state.get('by') === 'duration' ? 'duration' : 'count';
	byId('flame-by').value = flame.by;
	functionsTable.sort = COLUMNS.some((c) => c.key === sort[0]) ? sort[0] : 'count';
	functionsTable.isUp = sort[1] === 'up';
	showWhole();
	searchFor(state.get('search') || '');
	// Without an event in the URL, show the first search result.
	if (Number.isInteger(event) && event >= 0 && event < nrEvents)
		goTo(event);
	else if (search.hits.length)
		goTo(search.hits[0]);
	else
		select(-1);
	if (zoom === 'event' && timeline.selected >= 0)
		zoomToEvent(timeline.selected);
	else if (times.length === 2 && times[0] < times[1])
		setView(times[0], times[1]);
	showTab(state.get('tab'));
}

const KEYS = {
	w: () => zoomAt((view.from + view.to) / 2, 0.6), '+': () => KEYS.w(), '=': () => KEYS.w(),
	s: () => zoomAt((view.from + view.to) / 2, 1 / 0.6), '-': () => KEYS.s(),
	a: () => moveBy(-0.2), ArrowLeft: () => moveBy(-0.2),
	d: () => moveBy(0.2), ArrowRight: () => moveBy(0.2),
	f: () => timeline.selected >= 0 && zoomToEvent(timeline.selected),
	0: () => showWhole(),
	n: () => goToHit(1), N: () => goToHit(-1),
	'[': () => goToNeighbour(-1), ']': () => goToNeighbour(1),
	1: () => showTab('event'), 2: () => showTab('functions'), 3: () => showTab('flame'),
	'?': () => byId('help').showModal(),
	'/': () => byId('search').select(),
	Escape: () => searchFor(''),
};

function onKey(e)
{
	if (e.ctrlKey || e.altKey || e.metaKey || byId('help').open ||
	    ['INPUT', 'SELECT'].includes(e.target.tagName))
		return;
	if (!Object.hasOwn(KEYS, e.key))
		return;
	e.preventDefault();
	KEYS[e.key]();
}

function onSearchKey(e)
{
	if (e.key === 'Enter') {
		e.preventDefault();
		searchFor(e.target.value);
		goToHit(e.shiftKey ? -1 : 1);
	} else if (e.key === 'Escape') {
		searchFor('');
		timeline.scroller.focus();
	}
}

function startSplitter()
{
	const splitter = byId('splitter');

	splitter.addEventListener('pointerdown', (e) => splitter.setPointerCapture(e.pointerId));
	splitter.addEventListener('pointermove', (e) => {
		if (splitter.hasPointerCapture(e.pointerId))
			byId('panel').style.height = `${Math.max(60, window.innerHeight - e.clientY - 3)}px`;
	});
}

function start()
{
	let waiting = 0;

	readTrace();
	makeTracks();
	readColors();
	byId('loading').remove();
	for (const e of [document.querySelector('header'), byId('timeline'), byId('splitter'), byId('panel')])
		e.hidden = false;
	showTab('event');
	startTimeline();
	startFlame();
	startSplitter();
	showHead();
	selectEvent = select;
	viewChanged = () => {
		showRange();
		stateChanged();
	};
	byId('search').addEventListener('input', (e) => {
		// Search once typing pauses.
		clearTimeout(waiting);
		waiting = setTimeout(() => searchFor(e.target.value), 120);
	});
	byId('search').addEventListener('keydown', onSearchKey);
	byId('search-form').addEventListener('submit', (e) => e.preventDefault());
	byId('previous').addEventListener('click', () => goToHit(-1));
	byId('next').addEventListener('click', () => goToHit(1));
	byId('whole').addEventListener('click', showWhole);
	byId('help-button').addEventListener('click', () => byId('help').showModal());
	byId('functions-in-view').addEventListener('change', (e) => {
		functionsTable.isInView = e.target.checked;
		showFunctions();
	});
	for (const button of document.querySelectorAll('nav button'))
		button.addEventListener('click', () => showTab(button.dataset.tab));
	window.addEventListener('keydown', onKey);
	window.addEventListener('hashchange', takeState);
	window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
		readColors();
		drawTimeline();
		drawFlame();
	});
	takeState();
}

start();
