// SPDX-License-Identifier: GPL-2.0-only
// Canvas helpers. Sizes are in CSS pixels, colours come from the page's style.

const FONT = '11px ui-monospace, "DejaVu Sans Mono", monospace';

let colors = {};
let charWidth = 7;

function readColors()
{
	const style = getComputedStyle(document.documentElement);

	colors = { fills: new Map() };
	for (const name of ['back', 'panel', 'line', 'text', 'dim', 'accent', 'hit', 'error', 'lost',
			    'view', 'slice-saturation', 'slice-lightness', 'slice-text'])
		colors[name] = style.getPropertyValue(`--${name}`).trim();
}

// A fixed colour for each name.
function colorOf(name)
{
	let fill = colors.fills.get(name), hash = 2166136261;

	if (fill)
		return fill;
	for (let i = 0; i < name.length; i++)
		hash = Math.imul(hash ^ name.charCodeAt(i), 16777619);
	hash = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d) >>> 0;
	fill = `hsl(${hash % 360} ${colors['slice-saturation']} ${colors['slice-lightness']})`;
	colors.fills.set(name, fill);
	return fill;
}

// Clears the canvas, sized in CSS pixels, and returns its context.
function beginCanvas(canvas, width, height)
{
	const ratio = window.devicePixelRatio || 1, context = canvas.getContext('2d');
	const w = Math.max(1, Math.round(width * ratio)), h = Math.max(1, Math.round(height * ratio));

	if (canvas.width !== w || canvas.height !== h) {
		canvas.width = w;
		canvas.height = h;
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
	}
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.fillStyle = colors.back;
	context.fillRect(0, 0, width, height);
	context.font = FONT;
	context.textBaseline = 'middle';
	charWidth = context.measureText('M').width;
	return context;
}

// Truncates text to width. Nearly all characters have the same width.
function fitText(text, width)
{
	const nr = Math.floor(width / charWidth);

	return text.length <= nr ? text : nr < 2 ? '' : `${text.slice(0, nr - 1)}…`;
}

// Returns a function that, however often it is called, draws once before the next repaint.
function oncePerFrame(draw)
{
	let isAsked = false;

	return () => {
		if (isAsked)
			return;
		isAsked = true;
		requestAnimationFrame(() => {
			isAsked = false;
			draw();
		});
	};
}
