// Small pictures side by side on one scale of colors.
import {make} from './dom.js';
import {fillCells, painter, scaleBar} from './heat.js';

export function drawImages(place, block) {
  const screen = place.querySelector('.screen');
  const {bar, draw: drawBar} = scaleBar(-block.most, block.most);
  const canvases = block.images.map((image, k) => make('canvas', {class: 'cells', role: 'img', 'aria-label': block.names[k] ?? ''}));
  const grid = make('div', {class: 'image-grid'});
  canvases.forEach((canvas, k) => {
    canvas.style.aspectRatio = `${block.images[k].cols} / ${block.images[k].rows}`;
    grid.append(make('div', {class: 'image'}, canvas, make('span', {}, block.names[k] ?? '')));
  });
  screen.append(make('div', {class: 'above'}, bar), grid);
  const draw = () => {
    const paint = painter(-block.most, block.most);
    canvases.forEach((canvas, k) => fillCells(canvas, block.images[k], paint));
    drawBar();
  };
  draw();
  return draw;
}
