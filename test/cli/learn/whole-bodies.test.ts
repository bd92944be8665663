import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { crmReplies } from '../../../generated/crm/replies.ts';
import { runLearn } from '../../../src/cli/command/learn.ts';
import { findAll } from '../../../src/cli/learn/findings.ts';
import { readRecording, type Taken } from '../../../src/cli/learn/read-recording.ts';
import { mergeObserved } from '../../../src/shared/observed/observed.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';
import fc, { samples } from '../../fast-check.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-whole-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const base = 'https://api.example.com';
const recordings = join(import.meta.dirname, 'recordings');
const users = '{"data":[{"id":77}]}';

interface Reply {
  status?: number;
  method?: string;
  url?: string;
  content: Record<string, unknown>;
  headers?: Record<string, string>;
  bodySize?: number;
}

function har(...replies: Reply[]): string {
  const entries = replies.map(
    ({ status = 200, method = 'GET', url = '/crm/v1/users', content, headers = {}, bodySize = -1 }) => ({
      request: { method, url: `${base}${url}` },
      response: {
        status,
        content,
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        bodySize,
      },
    }),
  );
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test' }, entries } });
}

async function take(text: string, name = 'a.har'): Promise<Taken> {
  async function* chunks() {
    yield Buffer.from(text);
  }
  return readRecording(chunks(), name, base, new Recorder([crmReplies]));
}

/** The counts that are not 0. */
async function counted(...replies: Reply[]): Promise<Record<string, unknown>> {
  const { recordedBy: _, ...counts } = await take(har(...replies));
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0));
}

async function run(...args: string[]): Promise<{ code: number; notes: string }> {
  let notes = '';
  const code = await runLearn(args, {
    env: {},
    signal: new AbortController().signal,
    write: () => undefined,
    note(text) {
      notes += text;
    },
    async *openFile(path) {
      yield readFileSync(path);
    },
  });
  return { code, notes };
}

const json = 'application/json';
const gzip = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]).toString('base64');

describe('a recorded body', () => {
  it.each<[string, Reply]>([
    ['whole', { content: { text: users, size: users.length, mimeType: json } }],
    ['without a size', { content: { text: users, mimeType: json } }],
    [
      'compressed',
      { content: { text: users, size: users.length }, headers: { 'Content-Encoding': 'br', 'content-length': '9' } },
    ],
    ['chunked', { content: { text: users, size: users.length }, headers: { 'transfer-encoding': 'chunked' } }],
    ['from a cache', { content: { text: users, size: users.length }, bodySize: 0 }],
    ['in Base64', { content: { text: Buffer.from(users).toString('base64'), encoding: 'base64', size: users.length } }],
    ['with letters of several bytes', { content: { text: '{"data":[{"id":1,"name":"ключ"}]}', size: 37 } }],
    ['of a deletion', { method: 'DELETE', url: '/crm/v1/deals/501', status: 204, content: { size: 0 } }],
    [
      'of a deletion with the length of the body that it removed',
      {
        method: 'DELETE',
        url: '/crm/v1/deals/501',
        status: 204,
        content: { size: 0 },
        headers: { 'content-length': '12' },
      },
    ],
    ['that is empty', { content: { text: '', size: 0, mimeType: json }, bodySize: 0 }],
    ['in a JSON type of its own', { content: { text: users, mimeType: 'application/problem+json; charset=utf-8' } }],
  ])('counts: %s', async (_, reply) => {
    expect(await counted(reply)).toEqual({ taken: 1 });
  });

  it.each<[string, string, Reply]>([
    ['a text of "" with a size', 'unrecorded', { content: { text: '', size: 52, mimeType: json } }],
    ['a text of "" with the size of the body', 'unrecorded', { content: { text: '' }, bodySize: 52 }],
    ['a text of "" with a length', 'unrecorded', { content: { text: '' }, headers: { 'Content-Length': '52' } }],
    ['no text', 'unrecorded', { content: { size: 52, mimeType: json } }],
    ['a size of -1', 'unrecorded', { content: { size: -1 } }],
    ['a text shorter than its size', 'cut', { content: { text: users, size: 1_048_577, mimeType: json } }],
    ['a text shorter than its length', 'cut', { content: { text: users }, headers: { 'content-length': '99' } }],
    ['JSON that ends early', 'cut', { content: { text: '{"data":[{"id":77', mimeType: json } }],
    ['Base64 that is none', 'encoded', { content: { text: users, encoding: 'base64' } }],
    ['gzip in Base64', 'encoded', { content: { text: gzip, encoding: 'base64' } }],
    ['an unknown encoding', 'encoded', { content: { text: users, encoding: 'deflate' } }],
    [
      'a login page of a Wi-Fi',
      'otherType',
      { content: { text: '<html>Log in</html>', size: 19, mimeType: 'text/html' } },
    ],
    ['a number in a page', 'otherType', { content: { text: '5', size: 1, mimeType: 'text/plain' } }],
    ['a redirect', 'unanswered', { status: 302, content: { text: users } }],
  ])('says nothing: %s', async (_, reason, reply) => {
    expect(await counted(reply)).toEqual({ [reason]: 1 });
  });

  it('is not judged for other addresses', async () => {
    const { elsewhere, unrecorded } = await take(har({ content: {} }).replace(base, 'https://fonts.example.org'));
    expect([elsewhere, unrecorded]).toEqual([1, 0]);
  });

  it('is not known from a line of NDJSON without body', async () => {
    const line = (more: object): string => JSON.stringify({ operationId: 'listUsers', status: 200, ...more });
    const lines = [line({}), line({ body: null }), JSON.stringify({ operationId: 'deleteDeal', status: 204 })];
    expect(await take(lines.join('\n'), 'a.ndjson')).toMatchObject({ taken: 2, unrecorded: 1 });
  });
});

it('a recording with values of other types than those of HAR is read to its end', async () => {
  const odd = { toString: 5, valueOf: 5 };
  const text = har(
    { content: { text: users, size: odd } },
    { content: { text: users, encoding: odd } },
    { content: { text: users, size: users.length, mimeType: odd } },
    { content: { text: users, size: users.length } },
  );
  const named = text.replace('"headers":[]', '"headers":[{"name":{"toString":5},"value":1}]');
  const { taken, encoded } = await take(named);
  expect([taken, encoded]).toEqual([3, 1]);
});

describe('recordings of', () => {
  it.each([
    ['chrome', 3, 'WebInspector did not record all bodies whole: keep the Network panel open'],
    ['firefox', 1, 'Firefox did not record all bodies whole: set devtools.netmonitor.responseBodyLimit to 0'],
    ['safari', 1, 'WebKit Web Inspector did not record all bodies whole: keep the Network tab open'],
    ['charles', 1, 'Charles Proxy did not record all bodies whole: raise the limits'],
    ['mitmproxy', 2, 'mitmproxy did not record all bodies whole: set store_streamed_bodies'],
    ['playwright', 1, 'Playwright did not record all bodies whole: leave out content and mode'],
  ])('%s: %i whole replies are learnt, and the rest is named with what to change', async (name, whole, advice) => {
    const file = join(recordings, `${name}.har`);
    expect(JSON.parse(readFileSync(file, 'utf8')).log.comment).toMatch(/\w+\.$/);
    const { code, notes } = await run(file, '--base-url', base, '--out', join(folder, 'observed.json'));
    expect([code, notes]).toEqual([0, expect.stringContaining(advice)]);
    expect(notes).toMatch(new RegExp(`${whole} repl(?:y|ies) learnt, 1 left out \\(1 whose body`));
  });

  it('all of them are tested', () => {
    expect(readdirSync(recordings)).toHaveLength(6);
  });
});

it('does not repeat the name of a recorder that is no name', async () => {
  const file = join(folder, 'a.har');
  writeFileSync(file, har({ content: { size: 5 } }).replace('"test"', '"\\u001b[31mRun rm -rf"'));
  const { code, notes } = await run(file, '--base-url', base, '--out', join(folder, 'observed.json'));
  expect([code, notes]).toEqual([2, expect.stringContaining('The recorder did not record all bodies whole')]);
});

const settled = async (...replies: Reply[]): Promise<string[]> => {
  async function* chunks() {
    yield Buffer.from(har(...replies));
  }
  const recorder = new Recorder([crmReplies]);
  await readRecording(chunks(), 'a.har', base, recorder);
  const whole = mergeObserved(recorder.isKnown, { accounts: { a: recorder.take() } });
  return findAll(whole)
    .points.filter(({ state }) => state === 'settled')
    .map(({ point }) => point.at);
};

/** Whether a body follows is not documented. */
const assign = { method: 'POST', status: 201, url: '/crm/v1/contact-tags/15/contact/3001' };

it('an empty body settles that there is none, and a body that was not recorded settles nothing', async () => {
  const twelve = (content: Record<string, unknown>): Reply[] =>
    Array.from({ length: 12 }, () => ({ ...assign, content }));
  const empty = await settled(...twelve({ text: '', size: 0, mimeType: '' }));
  expect(empty).toEqual(['#/paths/~1contact-tags~1{tagId}~1contact~1{contactId}/post/responses/201']);
  for (const content of [{ text: '', size: 15 }, { size: 15 }, { size: -1 }])
    expect(await settled(...twelve(content))).toEqual([]);
});

it('dropping bodies from a recording never settles a point', { timeout: 60_000 }, async () => {
  const replies = [
    { url: '/crm/v1/users', text: users },
    { ...assign, text: '{"result":true}' },
    { url: '/crm/v1/contact-tags', text: '{"data":[{"id":15,"name":"VIP"}]}' },
    { url: '/crm/v1/pipelines', text: '{"data":[{"id":1,"name":"Renewals"}]}' },
    { url: '/crm/v1/deals/501', text: '{"data":{"id":501,"name":"Annual"}}' },
  ];
  const drop = fc.constantFrom<(content: Record<string, unknown>) => Record<string, unknown>>(
    ({ text: _, ...content }) => content,
    (content) => ({ ...content, text: '' }),
    ({ text: _, ...content }) => ({ ...content, size: -1 }),
    (content) => ({ ...content, text: String(content.text).slice(0, 7) }),
    (content) => ({ ...content, encoding: 'base64' }),
  );
  const entry = fc.record({
    reply: fc.constantFrom(...replies),
    times: fc.integer({ min: 1, max: 12 }),
    drop: fc.option(drop),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 6 }), async (entries) => {
      const all = entries.flatMap(({ reply: { text, ...reply }, times, drop }) =>
        Array.from({ length: times }, () => ({ ...reply, content: { text, size: text.length, mimeType: json }, drop })),
      );
      const before = await settled(...all);
      const after = await settled(
        ...all.map(({ drop, content, ...reply }) => ({ ...reply, content: drop ? drop(content) : content })),
      );
      expect(after.filter((at) => !before.includes(at))).toEqual([]);
    }),
    { numRuns: samples(10) },
  );
});
