// Requests to the API. A full queue says when to come back, and we do.
const TRIES = 4;

export const ask = (path, body, kind) => send(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }, kind);
export const look = (path, values) => send(`${path}?${new URLSearchParams(values)}`, {});

async function send(path, options, kind = 'json') {
  for (let attempt = 1; ; attempt++) {
    const reply = await fetch(path, options).catch(() => { throw new Error('The server does not answer. Is it still running?'); });
    if (reply.ok) return reply[kind]();
    if (reply.status === 429 && attempt < TRIES) {
      await new Promise(done => setTimeout(done, 1000 * Number(reply.headers.get('Retry-After') || 1)));
      continue;
    }
    const { error } = await reply.json().catch(() => ({}));
    throw new Error(error?.message || `The server answered ${reply.status}.`);
  }
}
