// A matrix in colors, blue below zero and red above, with its cells to read off.
import {make} from './dom.js';
import {shown} from './number.js';
import {color} from './theme.js';

const channels = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));

/** From least over the middle to most: the colors of the style sheet, mixed. */
export function painter(least, most) {
  const [low, middle, high] = [channels(color('below')), channels(color('middle')), channels(color('above'))];
  return (value) => {
    if (value === null) return middle;
    const t = Math.min(1, Math.max(-1, (2 * (value - least)) / (most - least || 1) - 1));
    const end = t < 0 ? low : high;
    return middle.map((c, k) => Math.round(c + (end[k] - c) * Math.abs(t)));
  };
}

/** Fills a canvas with one pixel for each cell; the style sheet makes it larger, with sharp edges. */
export function fillCells(canvas, matrix, paint) {
  canvas.width = matrix.cols;
  canvas.height = matrix.rows;
  const context = canvas.getContext('2d');
  const pixels = context.createImageData(matrix.cols, matrix.rows);
  matrix.values.forEach((value, k) => {
    const [red, green, blue] = paint(value);
    pixels.data.set([red, green, blue, 255], 4 * k);
  });
  context.putImageData(pixels, 0, 0);
}

/** The bar that says which color means what. */
export function scaleBar(least, most, from = least) {
  const canvas = make('canvas', {class: 'cells', 'aria-hidden': 'true'});
  const bar = make('div', {class: 'scale'}, make('span', {}, shown(from, 3)), canvas, make('span', {}, shown(most, 3)));
  const draw = () => {
    const steps = Array.from({length: 64}, (_, k) => from + ((most - from) * k) / 63);
    fillCells(canvas, {rows: 1, cols: 64, values: steps}, painter(least, most));
  };
  draw();
  return {bar, draw};
}

const labelOf = (axis, k) => axis.names?.[k] ?? `${axis.label} ${k + 1}`;

export function drawHeat(place, block) {
  const screen = place.querySelector('.screen');
  const {heat} = block;
  const canvas = make('canvas', {class: 'cells', role: 'img', 'aria-label': block.label});
  const readout = make('output', {class: 'readout'});
  // Shares have no cold side: their bar begins at zero.
  const {bar, draw: drawBar} = scaleBar(heat.least, heat.most, heat.values.some((v) => v < 0) ? heat.least : Math.max(0, heat.least));
  const rows = make('div', {class: 'rows', 'aria-hidden': 'true'});
  if (block.y.names && heat.rows <= 40) rows.append(...block.y.names.map((name) => make('span', {}, name)));
  const columns = make('div', {class: 'columns', 'aria-hidden': 'true'});
  if (block.x.names && heat.cols <= 40) columns.append(...block.x.names.map((name) => make('span', {}, make('i', {}, name))));
  const frame = make('div', {class: 'heat'}, make('div', {class: 'axis y'}, block.y.label), rows, canvas, columns,
      make('div', {class: 'axis x'}, block.x.label));
  screen.append(make('div', {class: 'above'}, bar, readout), frame);
  if (heat.cols <= 12) frame.style.maxWidth = `${72 * heat.cols + 150}px`;
  canvas.style.height = `${Math.min(block.height, Math.max(80, 22 * heat.rows))}px`;
  canvas.addEventListener('pointermove', (event) => {
    const box = canvas.getBoundingClientRect();
    const i = Math.min(heat.rows - 1, Math.max(0, Math.floor(((event.clientY - box.top) / box.height) * heat.rows)));
    const j = Math.min(heat.cols - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * heat.cols)));
    readout.textContent = `${labelOf(block.y, i)}, ${labelOf(block.x, j)}: ${shown(heat.values[i * heat.cols + j])}`;
  });
  canvas.addEventListener('pointerleave', () => (readout.textContent = ''));
  const draw = () => {
    fillCells(canvas, heat, painter(heat.least, heat.most));
    drawBar();
  };
  draw();
  return draw;
}
