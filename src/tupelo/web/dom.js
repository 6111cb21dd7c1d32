// Elements without HTML text: whatever comes from a project, a person or a file is set as text and never parsed.
const SVG = 'http://www.w3.org/2000/svg';
// Where the pages of this project begin: '' for a project alone, '/birds' where a server has several.
export const base = new URL('..', import.meta.url).pathname.slice(0, -1);
const AS_PROPERTY = new Set(['value', 'checked', 'disabled', 'selected', 'readOnly']);

export function el(tag, attributes = {}, ...children) { return fill(document.createElement(tag), attributes, children); }
export function svg(tag, attributes = {}, ...children) { return fill(document.createElementNS(SVG, tag), attributes, children); }

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (AS_PROPERTY.has(name)) node[name] = value;
    else if (name === 'href' && value.startsWith('/')) node.setAttribute(name, base + value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return node;
}

export function button(label, act, attributes = {}) {
  return el('button', { type: 'button', onclick: act, ...attributes }, label);
}

export const field = (label, input, hint) => el('label', { class: 'field' }, el('span', {}, label), input, hint && el('small', {}, hint));

// What a screen reader should say now. The same words twice are said twice.
export function say(text) {
  const place = document.getElementById('said');
  place.textContent = '';
  setTimeout(() => { place.textContent = text; }, 30);
}

// A line that everybody sees until it is taken away.
export function notice(text, kind = 'info') {
  const place = document.getElementById('notice');
  place.hidden = !text;
  place.className = `notice ${kind}`;
  place.textContent = text || '';
}

// Text of a file: blank lines part paragraphs, # makes a heading, - a list. Nothing else means anything.
export function prose(text) {
  return text.trim().split(/\n\s*\n/).filter(Boolean).map(block => {
    const heading = /^(#{1,4})\s+(.*)$/.exec(block);
    if (heading) return el(heading[1].length < 2 ? 'h2' : 'h3', {}, heading[2]);
    const lines = block.split('\n').map(line => line.trim());
    if (lines.every(line => /^[-*] /.test(line))) return el('ul', {}, lines.map(line => el('li', {}, line.slice(2))));
    return el('p', {}, lines.join(' '));
  });
}

export const percent = share => share === null || share === undefined ? '–' : `${Math.round(100 * share)} %`;
export const number = (value, digits = 2) => value === null || value === undefined ? '–' : Number(value).toFixed(digits);
export const typing = target => target instanceof HTMLElement && (target.matches('input:not([type=radio]):not([type=checkbox]), textarea, select'));
