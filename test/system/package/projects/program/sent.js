/**
 * Makes calls through every way of sending that can confuse a client, on every Node, against a service that counts:
 * `sent.js [<folder of an undici>]`. Without a folder, the calls use Node's own fetch.
 */
import assert from 'node:assert/strict';
import { subscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { createClient } from 'carillon';

const [folder] = process.argv.slice(2);
const undici = folder && (await import(pathToFileURL(join(folder, 'index.js')).href)).default;
const dispatcher = undici && new undici.Agent();
const { fetch: platformFetch } = globalThis;
const send = undici ? (url, init) => undici.fetch(url, { ...init, dispatcher }) : platformFetch;

async function listen(server) {
  server.on('connection', (socket) => socket.on('error', () => undefined));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${server.address().port}`;
}

const created = new Map();
const held = [];
/** Counts the boards that it creates. Loses the response to each whose name ends in "lost", and holds each GET. */
const service = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    if (request.method === 'GET') return held.push(response);
    const { name } = JSON.parse(body);
    created.set(name, (created.get(name) ?? 0) + 1);
    if (name.endsWith('lost')) response.socket.resetAndDestroy();
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"id":1}}');
  });
});
const up = `http://${await listen(service)}`;
const closed = createTcpServer();
const down = `http://${await listen(closed)}`;
await new Promise((resolve) => closed.close(resolve));

const clientOf = (baseUrl, options = {}) =>
  createClient({ baseUrl, auth: { apiKey: 'any' }, logger: { warn: () => undefined }, ...options });

/** Runs one task after the other. */
function queue() {
  let last = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}

const audit = { method: 'POST', body: '{"name":"audit"}' };
const wrappers = {
  'audit after': (scheduled) => async (url, init) => {
    const response = await scheduled(url, init);
    await send(down, audit);
    return response;
  },
  'audit before': (scheduled) => async (url, init) => {
    await send(down, audit).catch(() => undefined);
    return scheduled(url, init);
  },
  failover: (scheduled) => (url, init) => scheduled(url, init).catch(() => send(url.replace(up, down), init)),
  gateway: (scheduled) => async (url, init) => {
    await send(url.replace(up, down), init).catch(() => undefined);
    return scheduled(url.replace(up, `${up}/gateway`), init);
  },
  'another client': (scheduled) => async (url, init) => {
    await clientOf(down, { fetch: send, maxRetries: 0 })
      .crm.boards.create({ name: 'audit' })
      .catch(() => undefined);
    return scheduled(url, init);
  },
};
const schedulers = { 'no queue': (task) => task(), queue: queue() };

let round = 0;
for (const [scheduler, schedule] of Object.entries(schedulers)) {
  for (const [wrapper, wrap] of Object.entries(wrappers)) {
    const fetch = wrap((url, init) => schedule(() => send(url, init)));
    const api = clientOf(up, { fetch });
    round += 1;
    const names = Array.from({ length: 8 }, (_, index) => `${round}.${index} ${index % 3 ? 'done' : 'lost'}`);
    const calls = names.map((name) => api.crm.boards.create({ name }));
    await Promise.allSettled(calls);
    calls.forEach(({ sent }, index) => {
      assert.notEqual(sent, 'no', `${scheduler}, ${wrapper}: ${names[index]}`);
      assert.equal(created.get(names[index]), 1, `${scheduler}, ${wrapper}: ${names[index]}`);
    });
  }
}

/** What a failed call that creates a board reports. */
async function outcome(api, options) {
  const call = api.crm.boards.create({ name: 'Tasks' }, options);
  const error = await call.then(
    () => undefined,
    (reason) => reason,
  );
  return { sent: call.sent, attempts: error.attempts };
}

const own = undici ? { fetch: send } : {};
const unsent = { sent: 'no', attempts: 3 };
/** Only Node's own fetch shows what it did not send. */
const refused = undici ? { sent: 'maybe', attempts: 1 } : unsent;
assert.deepEqual(await outcome(clientOf(down, own)), refused, 'refused');
assert.deepEqual(await outcome(clientOf(down, { ...own, trustConnectErrors: true })), unsent, 'refused, and trusted');
assert.equal((await outcome(clientOf(down, { fetch: (url, init) => send(url, init) }))).sent, 'maybe', 'wrapped');

// Calls of one path with half of the service down.
const apis = [up, down].map((url) => clientOf(url, { ...own, maxRetries: 0 }));
const half = await Promise.all(
  Array.from({ length: 20 }, async (_, index) => {
    const call = apis[index % 2].crm.boards.create({ name: `half ${index} lost` });
    await call.catch(() => undefined);
    return call.sent;
  }),
);
if (!undici)
  assert.deepEqual(
    half,
    half.map((_, index) => (index % 2 ? 'no' : 'maybe')),
    'half down',
  );
assert.ok(
  half.every((sent, index) => index % 2 || sent === 'maybe'),
  'half down',
);

const cut = await listen(createTcpServer((socket) => socket.once('data', () => socket.destroy())));
assert.deepEqual(await outcome(clientOf(`https://${cut}`, own)), refused, 'a handshake that is cut');

const silent = await listen(createTcpServer(() => undefined));
const inTime = await outcome(clientOf(`https://${silent}`, { ...own, timeout: 50 }));
assert.deepEqual(inTime, { sent: undici ? 'maybe' : 'no', attempts: 1 }, 'a deadline while it connects');

if (!undici)
  assert.deepEqual(await outcome(clientOf('http://127.0.0.1:6000')), { sent: 'no', attempts: 1 }, 'a blocked port');

/** Aborts a create that waits for the connection of a GET, and returns what it reported and what was created later. */
async function abortQueued(options) {
  created.clear();
  const api = clientOf(up, options);
  const read = api.crm.deals.get({ dealId: 1 });
  const posted = new Promise((resolve) => {
    subscribe('undici:request:create', ({ request }) => request.method === 'POST' && resolve());
  });
  while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const controller = new AbortController();
  const call = outcome(api, { signal: controller.signal });
  await posted;
  controller.abort(new Error('stop'));
  const { sent } = await call;
  held.pop().writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"id":1}}');
  await read;
  await api.crm.boards.create({ name: 'later' });
  return { sent, created: [...created.keys()] };
}

if (undici) {
  const single = new undici.Agent({ connections: 1 });
  const dropping = (url, { signal, ...init }) => undici.fetch(url, { ...init, dispatcher: single });
  const dropped = await abortQueued({ fetch: dropping });
  assert.deepEqual(dropped, { sent: 'maybe', created: ['Tasks', 'later'] }, 'a dropped signal');
}

console.log('nothing missed');
process.exit();
