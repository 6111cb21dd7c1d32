// A file of what the page holds; nothing is sent.
import { el } from './dom.js';

export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
