// One of a few: radio buttons that look like big keys, with a number to press.
import { el } from './dom.js';

export function choices({ name, legend, options, value, choose, vertical = false }) {
  return el('fieldset', { class: `choices ${vertical ? 'vertical' : ''}` }, el('legend', {}, legend),
    options.map(([key, label, letter]) => el('label', { class: value === key ? 'chosen' : null },
      el('input', { type: 'radio', name, value: String(key), checked: value === key, 'data-place': `${name}-${key}`, onchange: () => choose(key) }),
      el('span', {}, label), letter && el('kbd', {}, letter))));
}
