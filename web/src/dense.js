// Very many points: each pixel is inked once, however many points fall on it.
import {color} from './theme.js';

/** From data to canvas pixels along one axis; straight where the scale is, which is most of the time. */
function placer(u, axis, straight) {
  if (!straight) return (value) => u.valToPos(value, axis, true);
  const {min, max} = u.scales[axis];
  const from = u.valToPos(min, axis, true);
  const step = (u.valToPos(max, axis, true) - from) / (max - min);
  return (value) => from + (value - min) * step;
}

export function paintDense(u, ctx, series, block, size) {
  const {left, top, width, height} = u.bbox;
  const x = placer(u, 'x', !block.x.log);
  const y = placer(u, 'y', !block.y.log);
  const [columns, rows] = [Math.ceil(width / size) + 1, Math.ceil(height / size) + 1];
  const inked = new Uint8Array(columns * rows);
  const {min, max} = u.scales.x;
  ctx.fillStyle = color(`c${series.color}`);
  for (let k = 0; k < series.x.length; k++) {
    const value = series.x[k];
    if (series.y[k] === null || value < min || value > max) continue;
    const column = Math.round((x(value) - left) / size);
    const row = Math.round((y(series.y[k]) - top) / size);
    if (row < 0 || row >= rows || inked[row * columns + column]) continue;
    inked[row * columns + column] = 1;
    ctx.fillRect(left + (column - 0.5) * size, top + (row - 0.5) * size, size, size);
  }
}
