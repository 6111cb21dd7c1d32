// Nothing is lost when the connection drops: what is handed in stays on this device until the server has acknowledged
// it, and is sent again under the same id, which the server counts once. Drafts are kept here as well.
import { call, newId, Offline, Refused } from './api.js';
import { base, notice } from './dom.js';

// Projects of one server share what a browser keeps for it.
const keyOf = (kind, ...parts) => ['tupelo', kind, ...(base ? [base] : []), ...parts].join('.');

const WAITS = [1, 2, 4, 8, 15];

function read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } }
function write(key, value) {
  try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; }
}

export class Outbox {
  constructor(person) {
    this.person = person; this.key = keyOf('outbox', person);
    this.waiting = new Map();
    this.timer = null; this.failures = 0; this.sending = false;
    addEventListener('online', () => this.flush());
    addEventListener('storage', event => { if (event.key === this.key) this.show(); });
  }
  list() { return read(this.key) || []; }
  store(letters) { write(this.key, letters.length ? letters : null); this.show(); }
  // Resolves with the server's answer, however late; rejects when the server refuses.
  send(path, body) {
    const letter = { path, body };
    this.store([...this.list(), letter]);
    const done = new Promise((resolve, reject) => this.waiting.set(body.client_id, { resolve, reject }));
    this.flush();
    return done;
  }
  async flush() {
    if (this.sending) return;
    this.sending = true; clearTimeout(this.timer);
    try {
      for (let letter; (letter = this.list()[0]);) {
        let answer = null, refusal = null;
        try { answer = await call('POST', letter.path, letter.body); this.failures = 0; }
        catch (error) {
          const again = error instanceof Offline || (error instanceof Refused && (error.status === 401 || error.status === 429 || error.status >= 500 || error.code === 'csrf'));
          if (again) { this.later(error); return; }
          refusal = error;
        }
        this.store(this.list().filter(each => each.body.client_id !== letter.body.client_id));
        const asked = this.waiting.get(letter.body.client_id);
        this.waiting.delete(letter.body.client_id);
        if (asked) refusal ? asked.reject(refusal) : asked.resolve(answer);
        else if (refusal) write(`${this.key}.refused.${letter.body.client_id}`, letter);
      }
    } finally { this.sending = false; }
  }
  later(error) {
    this.show();
    if (error instanceof Refused && error.status === 401) { dispatchEvent(new Event('tupelo:signed-out')); return; }
    this.timer = setTimeout(() => this.flush(), 1000 * WAITS[Math.min(this.failures++, WAITS.length - 1)]);
  }
  show() {
    const count = this.list().length;
    document.documentElement.dataset.waiting = count;
    if (count && (this.failures || !navigator.onLine)) notice(`No connection. ${count} ${count === 1 ? 'answer is' : 'answers are'} kept on this device and will be sent as soon as it is back.`, 'warn');
    else if (!count) notice('');
  }
}

export class Draft {
  constructor(person, assignment) {
    this.key = keyOf('draft', person, assignment.id);
    this.path = `/api/assignments/${assignment.id}/draft`;
    this.version = assignment.version; this.number = assignment.draft_number || 0; this.timer = null; this.latest = null;
    this.online = () => this.push();
    addEventListener('online', this.online);
  }
  // The newer of what the server keeps and what this device keeps.
  begin(assignment) {
    const local = read(this.key);
    if (local && local.version === this.version && local.number > this.number) {
      this.number = local.number; this.latest = local.draft; this.push();
      return local.draft;
    }
    return assignment.draft;
  }
  save(draft) {
    this.number += 1; this.latest = draft;
    write(this.key, { number: this.number, version: this.version, draft });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.push(), 800);
  }
  async push() {
    if (this.latest === null) return;
    const body = { client_id: newId(), number: this.number, answer: this.latest };
    try { await call('PUT', this.path, body); if (body.number === this.number) { this.latest = null; document.documentElement.dataset.draft = body.number; } }
    catch (error) { if (error instanceof Offline) this.timer = setTimeout(() => this.push(), 4000); }
  }
  stop() { clearTimeout(this.timer); removeEventListener('online', this.online); }
  forget() { this.stop(); this.latest = null; write(this.key, null); }
}
