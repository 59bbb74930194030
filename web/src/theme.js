// Light or dark: as the system has it, until the reader asks for the other. Print is always light.
const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)');

export const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : dark.matches);

/** Colors of the style sheet, read when something is drawn. */
export const color = (name) => getComputedStyle(root).getPropertyValue(`--${name}`).trim();

export function startTheme(redraw) {
  const button = document.querySelector('button.theme');
  const label = () => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to ${isDark() ? 'light' : 'dark'} mode`);
  };
  button.hidden = false;
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    label();
    redraw();
  });
  dark.addEventListener('change', () => {
    label();
    redraw();
  });
  label();
  // What is drawn on a canvas keeps its colors: for paper it is drawn again.
  let before;
  addEventListener('beforeprint', () => {
    before = root.dataset.theme;
    root.dataset.theme = 'light';
    redraw();
  });
  addEventListener('afterprint', () => {
    if (before) root.dataset.theme = before;
    else delete root.dataset.theme;
    redraw();
  });
}
