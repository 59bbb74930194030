// Sheets as tabs: one shown at a time, arrow keys go from tab to tab, the address remembers which one. All are printed.
export function startTabs(draw) {
  const tabs = [...document.querySelectorAll('[role=tab]')];
  const sheets = [...document.querySelectorAll('article')];

  let current = 0;

  function show(place, focus) {
    current = place;
    tabs.forEach((tab, k) => {
      tab.setAttribute('aria-selected', String(k === place));
      tab.tabIndex = k === place ? 0 : -1;
    });
    sheets.forEach((sheet, k) => {
      sheet.hidden = k !== place;
    });
    if (focus) tabs[place].focus();
    draw(sheets[place]);
  }

  tabs.forEach((tab, k) => {
    tab.addEventListener('click', () => {
      show(k, false);
      history.replaceState(null, '', `#${sheets[k].id}`);
    });
    tab.addEventListener('keydown', (event) => {
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      const ends = {Home: 0, End: tabs.length - 1}[event.key];
      const next = step ? (k + step + tabs.length) % tabs.length : ends;
      if (next === undefined) return;
      event.preventDefault();
      show(next, true);
    });
  });
  addEventListener('beforeprint', () => {
    for (const sheet of sheets) {
      sheet.hidden = false;  // first: what is hidden has no width to draw in
      draw(sheet);
    }
  });
  addEventListener('afterprint', () => show(current, false));
  const asked = sheets.findIndex((sheet) => `#${sheet.id}` === location.hash);
  if (sheets.length) show(Math.max(0, asked), false);
}
