// Talking to the server. A failure is either an answer (`Refused`: the server said no) or silence (`Offline`).
import { base } from './dom.js';

export class Refused extends Error {
  constructor(status, body) {
    super(body?.error?.message || `the server answered ${status}`);
    this.status = status; this.code = body?.error?.code || ''; this.field = body?.error?.field || null; this.detail = body?.error?.detail || null;
  }
}
export class Offline extends Error {}

let csrf = null;
export function remember(session) { csrf = session.csrf; return session; }

export async function call(method, path, body, raw = false) {
  const headers = { Accept: 'application/json' };
  if (csrf && method !== 'GET') headers['X-CSRF-Token'] = csrf;
  if (body !== undefined) headers['Content-Type'] = raw ? 'application/octet-stream' : 'application/json';
  let answer;
  try {
    answer = await fetch(base + path, { method, headers, body: body === undefined ? undefined : raw ? body : JSON.stringify(body), credentials: 'same-origin', cache: 'no-store' });
  } catch { throw new Offline('no connection to the server'); }
  // A proxy in between says so when the server is away.
  if ([502, 503, 504].includes(answer.status)) throw new Offline('the server is away');
  let data = null;
  try { data = await answer.json(); } catch { if (answer.ok) throw new Offline('half an answer'); }
  if (!answer.ok) throw new Refused(answer.status, data);
  return data;
}

export const get = path => call('GET', path);
export const post = (path, body = {}) => call('POST', path, body);
export const put = (path, body) => call('PUT', path, body);
export const newId = () => {
  // crypto.randomUUID exists on https and localhost only; projects in a local network use plain http.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64; bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};
