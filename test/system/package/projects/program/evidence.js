/**
 * Makes calls through every way of sending that can confuse a client, on every Node, against a service that counts:
 * `evidence.js [<folder of an undici>]`. Without a folder, the calls use Node's own fetch.
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
/** Counts the boards that it creates. Loses the reply to each whose name ends in "lost", and holds each GET. */
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

/** Runs up to `concurrency` tasks, each in the context of the one that made room. */
function limiter(concurrency) {
  const waiting = [];
  let running = 0;
  const next = () => {
    if (running === concurrency || waiting.length === 0) return;
    running += 1;
    waiting.shift()();
  };
  return (task) =>
    new Promise((resolve, reject) => {
      const end = () => {
        running -= 1;
        next();
      };
      waiting.push(() => void task().then(resolve, reject).finally(end));
      next();
    });
}

/** Starts the tasks of a turn in the context of the first. */
function loader() {
  const waiting = [];
  return (task) =>
    new Promise((resolve, reject) => {
      if (waiting.push(() => void task().then(resolve, reject)) > 1) return;
      process.nextTick(() => {
        for (const start of waiting.splice(0)) start();
      });
    });
}

/** Starts a task per tick, in the context of the first. */
function ticker() {
  const waiting = [];
  let timer;
  return (task) =>
    new Promise((resolve, reject) => {
      waiting.push(() => void task().then(resolve, reject));
      if (!timer) timer = setInterval(() => waiting.shift()?.(), 1).unref();
    });
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
const schedulers = {
  'no queue': (task) => task(),
  queue: limiter(1),
  limiter: limiter(3),
  loader: loader(),
  timer: ticker(),
};

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
assert.deepEqual(await outcome(clientOf(down, own)), { sent: 'no', attempts: 3 }, 'refused');

// Calls of one path with half of the service down. Behind a fetch that is given, any of them may be meant by the other half.
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
assert.deepEqual(
  await outcome(clientOf(`https://${cut}`, own)),
  { sent: 'no', attempts: 3 },
  'a handshake that is cut',
);

const silent = await listen(createTcpServer(() => undefined));
const inTime = await outcome(clientOf(`https://${silent}`, { ...own, timeout: 50 }));
assert.deepEqual(inTime, { sent: undici ? 'maybe' : 'no', attempts: 1 }, 'a deadline while it connects');

if (undici) {
  for (const [status, attempts] of Object.entries({ 407: 1, 502: 3, 503: 3 })) {
    const refusing = createServer().on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\n\r\n`));
    const proxy = new undici.ProxyAgent(`http://${await listen(refusing)}`);
    const fetch = (url, init) => undici.fetch(url, { ...init, dispatcher: proxy });
    assert.deepEqual(
      await outcome(clientOf('https://api.example.com', { fetch })),
      { sent: 'no', attempts },
      `${status}`,
    );
  }
}

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

console.log('proven');
process.exit();
