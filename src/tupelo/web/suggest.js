// A search box that offers names while one types; arrows choose, Enter takes one or asks what stands in the box.
import { el, say } from './dom.js';

// `find` gives what may be meant, `line` draws one, `pick` takes one; `asks` says that words are no name, and `ask` takes such.
// An `eager` box takes the first name; another one asks unless a name was chosen.
export function suggesting(box, list, { find, line, pick, asks, ask, eager = true }) {
  let found = [], at = -1, turn = 0, timer = 0;
  const show = () => {
    list.replaceChildren(...found.map((one, i) => el('li', { role: 'option', id: `${list.id}-${i}`, 'aria-selected': String(i === at), onpointerdown: event => { event.preventDefault(); take(i); } }, line(one))));
    list.hidden = !found.length;
    box.setAttribute('aria-expanded', String(!!found.length));
    if (at >= 0) box.setAttribute('aria-activedescendant', `${list.id}-${at}`); else box.removeAttribute('aria-activedescendant');
  };
  const close = () => { found = []; at = -1; show(); };
  const take = i => { const one = found[i]; close(); if (one) { box.value = one.name; return pick(one); } };
  const look = async () => {
    const mine = ++turn, text = box.value, names = await find(text).catch(error => { say(error.message); return []; });
    if (mine !== turn) return;
    found = names; at = eager && names.length ? 0 : -1; show();
    if (names.length) say(`${names.length} found`); else if (text.trim()) say('No name contains this; Enter searches the sentences');
  };
  box.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, 90); });
  box.addEventListener('keydown', async event => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      at = found.length ? (at + (event.key === 'ArrowDown' ? 1 : found.length - 1)) % found.length : -1;
      show(); event.preventDefault();
    } else if (event.key === 'Enter') {
      clearTimeout(timer); event.preventDefault(); turn++;
      const text = box.value.trim();
      if (eager && !asks(text) && !found.length) await look();
      if (!asks(text) && at >= 0) await take(at); else { close(); if (text) await ask(text); }
    } else if (event.key === 'Escape') close();
    // The key that leads here is no word.
    else if (event.key === '/' && !box.value) event.preventDefault();
  });
  box.addEventListener('blur', close);
}
