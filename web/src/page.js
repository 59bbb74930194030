// Brings a page to life. All text that comes from data is set by textContent: a name is a name, never markup.
import {drawChart} from './chart.js';
import {drawHeat} from './heat.js';
import {drawImages} from './images.js';
import {drawListing} from './listing.js';
import {startTabs} from './tabs.js';
import {startTheme} from './theme.js';

const data = JSON.parse(document.getElementById('page-data').textContent);

// First columns of listings by id: charts call their points by them.
const names = new Map();
for (const block of Object.values(data)) {
  if (block.kind === 'listing' && block.id) names.set(block.id, block.columns[0]?.words ?? []);
}

const drawers = {
  chart: (place, block) => (block.heat ? drawHeat(place, block) : drawChart(place, block, names.get(block.namesFrom))),
  images: drawImages,
  listing: drawListing,
};

/** What can be drawn again (another theme, another width): functions of what is on the page already. */
const redraws = [];

function draw(sheet) {
  for (const place of sheet.querySelectorAll('figure, .listing')) {
    const block = data[place.id];
    if (!block || place.dataset.drawn) continue;
    place.dataset.drawn = 'yes';
    const redraw = drawers[block.kind](place, block);
    if (redraw) redraws.push(redraw);
  }
}

document.documentElement.classList.add('scripted');
const redrawAll = () => redraws.forEach((redraw) => redraw());
// A chart in a hidden sheet has no width: it is drawn when its sheet is first shown.
startTabs(draw);
startTheme(redrawAll);
