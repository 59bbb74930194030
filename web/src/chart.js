// A panel of series on axes that can be zoomed and read off: uPlot has the axes, lines and points; bands, bars, stems,
// rules and words are drawn here.
import uPlot from 'uplot';
import {paintDense} from './dense.js';
import {button, make} from './dom.js';
import {shown} from './number.js';
import {color} from './theme.js';

const font = '12px system-ui, sans-serif';

const listOf = (x) => (Array.isArray(x) ? x : Array.from({length: x.count}, (_, k) => x.from + k));

/** uPlot wants one rising x for all series. Series that do not share theirs are shuffled together, with gaps. */
function aligned(block) {
  const series = block.series.map((s) => ({...s, x: listOf(s.x)}));
  const [first] = series;
  const rises = (x) => x.every((v, k) => v !== null && (k === 0 || x[k - 1] <= v));
  const same = series.every((s) => s === first || (s.x.length === first.x.length && s.x.every((v, k) => v === first.x[k])));
  if (same && rises(first.x)) return {series, data: [first.x, ...series.map((s) => s.y)], places: series.map((s) => s.x.map((_, k) => k))};
  const points = [];
  series.forEach((s, which) => s.x.forEach((x, k) => x !== null && points.push({x, which, k})));
  points.sort((a, b) => a.x - b.x || a.which - b.which);
  const data = [points.map((p) => p.x), ...series.map(() => new Array(points.length).fill(null))];
  const places = series.map(() => new Array(points.length).fill(-1));
  points.forEach((p, at) => {
    data[p.which + 1][at] = series[p.which].y[p.k];
    places[p.which][at] = p.k;
  });
  return {series, data, places};
}

/** More points than uPlot should draw one by one. */
const isDense = (s) => s.mark === 'points' && s.x.length > 3000;
const sizeOfPoints = (count) => (count > 200 ? 5 : 7);

function seriesOptions(s) {
  const ink = () => color(`c${s.color}`);
  const plain = s.mark === 'line' || s.mark === 'line+points';
  const dots = (s.mark === 'points' && !isDense(s)) || s.mark === 'line+points' || s.mark === 'stems';
  const size = s.mark === 'stems' ? 7 : s.mark === 'line+points' ? 5 : sizeOfPoints(s.x.length);
  return {
    stroke: ink,
    width: plain ? 1.8 : 0,
    dash: s.dash.length ? s.dash : undefined,
    spanGaps: true,
    paths: plain ? undefined : () => null,
    points: {show: dots, size, width: 0, fill: ink, stroke: ink},
  };
}

function extent(block, axis) {
  let least = Infinity;
  let most = -Infinity;
  const include = (v) => {
    if (v === null || (block[axis].log && v <= 0)) return;
    least = Math.min(least, v);
    most = Math.max(most, v);
  };
  for (const s of block.series) {
    listOf(s[axis]).forEach(include);
    if (axis === 'y') [...(s.lower ?? []), ...(s.upper ?? [])].forEach(include);
    if (axis === 'y' && (s.mark === 'bars' || s.mark === 'stems')) include(0);
  }
  if (axis === 'x') block.rules.forEach(include);
  if (!(least <= most)) [least, most] = [block[axis].log ? 0.1 : 0, 1];
  return [least, most];
}

/** A little more than the data need, unless the ends are given. */
function rangeOf(block, axis) {
  const {log, min, max, names} = block[axis];
  if (names) return [0.4, names.length + 0.6];
  let [least, most] = extent(block, axis);
  if (log) {
    const air = Math.max((most / least) ** 0.03, 1.05);
    [least, most] = [least / air, most * air];
  } else {
    const air = (most - least || Math.abs(most) || 1) * (axis === 'x' ? 0.015 : 0.06);
    [least, most] = [least - air, most + air];
  }
  return [min ?? least, max ?? most];
}

function axisOptions(block, axis) {
  const {label, log, names} = block[axis];
  const ink = () => color('muted');
  const options = {
    label, labelFont: font, font, stroke: ink, labelSize: label ? 20 : 0, labelGap: 2,
    grid: {stroke: () => color('grid'), width: 1, show: !(names && axis === 'x')},
    ticks: {stroke: () => color('grid'), width: 1, size: 5},
    values: (u, splits) => splits.map((v) => (v === null ? '' : shown(v, log ? 2 : 6))),
    size: axis === 'y' ? 58 : 34,
  };
  if (names) {
    options.splits = () => names.map((_, k) => k + 1);
    options.values = (u, splits) => splits.map((k) => names[k - 1] ?? '');
    options.rotate = axis === 'x' && names.some((name) => name.length > 6) ? 40 : 0;
    if (options.rotate) options.size = Math.min(110, 24 + 5 * Math.max(...names.map((name) => name.length)));
  }
  return options;
}

/** Runs `paint` inside the frame of the plot. */
function inFrame(u, paint) {
  const {ctx, bbox} = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  paint(ctx);
  ctx.restore();
}

function paintBands(u, all) {
  inFrame(u, (ctx) => {
    for (const s of all) {
      if (!s.band || !s.lower) continue;
      const order = s.x.map((_, k) => k).filter((k) => s.x[k] !== null && s.lower[k] !== null && s.upper[k] !== null);
      order.sort((a, b) => s.x[a] - s.x[b]);
      ctx.beginPath();
      order.forEach((k) => ctx.lineTo(u.valToPos(s.x[k], 'x', true), u.valToPos(s.upper[k], 'y', true)));
      order.reverse().forEach((k) => ctx.lineTo(u.valToPos(s.x[k], 'x', true), u.valToPos(s.lower[k], 'y', true)));
      ctx.closePath();
      ctx.globalAlpha = 0.16;
      ctx.fillStyle = color(`c${s.color}`);
      ctx.fill();
    }
  });
}

/** Bars, stems, error bars and clouds of points: what uPlot does not draw itself. */
function paintShapes(u, all, block) {
  const ratio = uPlot.pxRatio;
  const ground = u.valToPos(Math.max(0, u.scales.y.min), 'y', true);
  inFrame(u, (ctx) => {
    for (const s of all) {
      if (isDense(s)) paintDense(u, ctx, s, block, 2 * ratio);
      if (s.mark !== 'bars' && s.mark !== 'stems' && !s.lower) continue;
      ctx.fillStyle = ctx.strokeStyle = color(`c${s.color}`);
      s.x.forEach((x, k) => {
        if (x === null || s.y[k] === null || x < u.scales.x.min || x > u.scales.x.max) return;
        const at = u.valToPos(x, 'x', true);
        const top = u.valToPos(s.y[k], 'y', true);
        ctx.lineWidth = 1.4 * ratio;
        if (s.mark === 'bars') {
          const half = Math.max(ratio, 0.36 * (u.valToPos(x + 1, 'x', true) - at));
          ctx.fillRect(at - half, Math.min(top, ground), 2 * half, Math.abs(top - ground));
        }
        ctx.beginPath();
        if (s.mark === 'stems') {
          ctx.moveTo(at, ground);
          ctx.lineTo(at, top);
        }
        if (s.lower && !s.band && s.lower[k] !== null && s.upper[k] !== null) {
          if (s.mark === 'bars') ctx.strokeStyle = color('ink');
          const [low, high] = [u.valToPos(s.lower[k], 'y', true), u.valToPos(s.upper[k], 'y', true)];
          ctx.moveTo(at, low);
          ctx.lineTo(at, high);
          for (const end of [low, high]) {
            ctx.moveTo(at - 3 * ratio, end);
            ctx.lineTo(at + 3 * ratio, end);
          }
        }
        ctx.stroke();
      });
    }
  });
}

/** Rules across the plot, and words beside points; words that would lie on others are left out. */
function paintNotes(u, block) {
  const ratio = uPlot.pxRatio;
  const {bbox} = u;
  inFrame(u, (ctx) => {
    ctx.strokeStyle = color('muted');
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    ctx.lineWidth = ratio;
    for (const x of block.rules) {
      const at = u.valToPos(x, 'x', true);
      ctx.beginPath();
      ctx.moveTo(at, bbox.top);
      ctx.lineTo(at, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.font = `${12 * ratio}px system-ui, sans-serif`;
    ctx.fillStyle = color('ink');
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    const taken = [];
    for (const remark of block.remarks) {
      if (remark.x < u.scales.x.min || remark.x > u.scales.x.max) continue;
      const words = remark.words.length > 28 ? `${remark.words.slice(0, 27)}…` : remark.words;
      const wide = ctx.measureText(words).width;
      let left = u.valToPos(remark.x, 'x', true) + 6 * ratio;
      if (left + wide > bbox.left + bbox.width) left -= wide + 12 * ratio;
      const base = Math.max(u.valToPos(remark.y, 'y', true) + 4 * ratio, bbox.top + 12 * ratio);
      if (taken.some((t) => left < t.right && left + wide > t.left && Math.abs(base - t.base) < 13 * ratio)) continue;
      taken.push({left, right: left + wide, base});
      ctx.fillText(words, left, base);
    }
  });
}

/** The point nearest to the pointer, within a few pixels: {series, at} or null. */
function nearest(u, all) {
  const {left, top} = u.cursor;
  if (left === null || left < 0) return null;
  const reach = 14;
  const [xs] = u.data;
  const from = u.valToIdx(u.posToVal(left - reach, 'x'));
  const to = u.valToIdx(u.posToVal(left + reach, 'x'));
  let best = null;
  let closest = Infinity;
  for (let at = Math.max(0, from); at <= Math.min(to, xs.length - 1); at++) {
    for (let which = 0; which < all.length; which++) {
      const y = u.data[which + 1][at];
      if (y === null) continue;
      const away = Math.hypot(u.valToPos(xs[at], 'x') - left, (u.valToPos(y, 'y') - top) * 0.6);
      if (away < closest) {
        closest = away;
        best = {which, at};
      }
    }
  }
  return closest < 60 ? best : null;
}

function describe(u, block, {series, places}, names, {which, at}) {
  const s = series[which];
  const k = places[which][at];
  const x = u.data[0][at];
  const what = names ? names[x - 1] : block.x.names ? block.x.names[x - 1] : `${block.x.label} ${shown(x)}`;
  const spread = s.lower && s.lower[k] !== null ? ` [${shown(s.lower[k])}, ${shown(s.upper[k])}]` : '';
  return `${what}: ${s.name || block.y.label} ${shown(s.y[k])}${spread}`;
}

function legend(block) {
  const named = block.series.filter((s) => s.name);
  const list = make('ul', {class: 'legend'});
  if (named.length < 2) return list;
  for (const s of named) {
    const swatch = make('i', {class: s.mark.startsWith('line') ? 'line' : 'dot', 'aria-hidden': 'true'});
    swatch.style.setProperty('--ink', `var(--c${s.color})`);
    list.append(make('li', {}, swatch, s.name));
  }
  return list;
}

/** Buttons and keys that zoom and pan along x. */
function controls(u, block, full) {
  const forward = block.x.log ? Math.log : (v) => v;
  const back = block.x.log ? Math.exp : (v) => v;
  const set = (low, high) => u.setScale('x', {min: back(low), max: back(high)});
  const move = (zoom, shift) => {
    const [low, high] = [forward(u.scales.x.min), forward(u.scales.x.max)];
    const half = ((high - low) / 2) * zoom;
    const middle = (low + high) / 2 + shift * (high - low);
    const [least, most] = full.map(forward);
    if (2 * half >= most - least) return set(least, most);
    const center = Math.min(Math.max(middle, least + half), most - half);
    return set(center - half, center + half);
  };
  const acts = {
    '+': () => move(0.5, 0), '-': () => move(2, 0), ArrowLeft: () => move(1, -0.25), ArrowRight: () => move(1, 0.25),
    0: () => set(...full.map(forward)),
  };
  u.root.addEventListener('keydown', (event) => {
    const act = acts[event.key === '=' ? '+' : event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  return make('div', {class: 'zoom', role: 'group', 'aria-label': 'Zoom'}, button('+', 'Zoom in', acts['+']),
      button('−', 'Zoom out', acts['-']), button('‹', 'Pan left', acts.ArrowLeft),
      button('›', 'Pan right', acts.ArrowRight), button('⟲', 'Reset zoom', acts[0]));
}

export function drawChart(place, block, names) {
  const screen = place.querySelector('.screen');
  const joined = aligned(block);
  const full = rangeOf(block, 'x');
  const high = rangeOf(block, 'y');
  const readout = make('output', {class: 'readout'});
  const options = {
    width: Math.max(240, screen.clientWidth), height: block.height,
    legend: {show: false},
    cursor: {points: {show: false}, drag: {x: true, y: false}, y: false},
    scales: {
      x: {time: false, distr: block.x.log ? 3 : 1, range: (u, low, top) => (low === null || low === top ? full : [low, top])},
      y: {distr: block.y.log ? 3 : 1, range: () => high},
    },
    axes: [axisOptions(block, 'x'), axisOptions(block, 'y')],
    series: [{}, ...joined.series.map(seriesOptions)],
    hooks: {
      drawAxes: [(u) => paintBands(u, joined.series)],
      draw: [(u) => {
        paintShapes(u, joined.series, block);
        paintNotes(u, block);
      }],
      setCursor: [(u) => {
        const found = nearest(u, joined.series);
        readout.textContent = found ? describe(u, block, joined, names, found) : '';
      }],
      setScale: [(u, key) => {
        if (key === 'x') place.dataset.shown = `${u.scales.x.min} ${u.scales.x.max}`;
      }],
    },
  };
  const u = new uPlot(options, joined.data, screen);
  u.setScale('x', {min: full[0], max: full[1]});
  // uPlot goes back to the ends of the data; ours leave air.
  u.over.addEventListener('dblclick', () => u.setScale('x', {min: full[0], max: full[1]}));
  u.root.tabIndex = 0;
  u.root.setAttribute('role', 'img');
  u.root.setAttribute('aria-label', `${block.label}. Press plus or minus to zoom, the arrow keys to pan, 0 to reset.`);
  const zoomable = !block.x.names && joined.data[0].length > 3;
  screen.prepend(make('div', {class: 'above'}, legend(block), readout, ...(zoomable ? [controls(u, block, full)] : [])));
  new ResizeObserver(() => {
    const width = Math.max(240, screen.clientWidth);
    if (screen.clientWidth && width !== u.width) u.setSize({width, height: block.height});
  }).observe(screen);
  return () => u.redraw(false, true);
}
