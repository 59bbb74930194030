// Small helpers for building elements. Words are text, always.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name in element && typeof value !== 'string') element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

export const button = (label, spoken, act) => {
  const element = make('button', {type: 'button', 'aria-label': spoken, title: spoken}, label);
  element.addEventListener('click', act);
  return element;
};
