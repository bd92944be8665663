import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { exampleRequest } from '../../../scripts/bench/programs.ts';
import { repositoryRoot, specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import * as source from '../../../src/client/index.ts';
import { answerJson, listen } from '../../support/server.ts';

type Copy = Pick<typeof source, 'createClient'>;

const dist = join(repositoryRoot, 'src', 'client', 'dist');
const built = new Map<string, Copy>();
beforeAll(async () => {
  built.set('ES module', await import(pathToFileURL(join(dist, 'index.js')).href));
  built.set('CommonJS', createRequire(import.meta.url)(join(dist, 'index.cjs')));
});

/** A call by path, even one that the types forbid. */
interface PathCall {
  spec: string;
  method: string;
  path: string;
  init?: object;
  /** Headers of the client. */
  headers?: object;
}

const examples: PathCall[] = specNames.flatMap((spec) =>
  listOperations(loadSpec(spec)).map((operation) => {
    const { body, ...params } = exampleRequest(operation);
    return { spec, method: operation.method, path: operation.path, init: { params, body } };
  }),
);

const list = { spec: 'email', method: 'GET', path: '/smtp/emails' };
const queries: unknown[] = [
  { a: [], b: [1, 'x y', null, true] },
  { a: { b: 1, c: 'ä&=?' } },
  { a: [[1]] },
  { a: { b: { c: 1 } } },
  { a: new Date(0), b: undefined, c: null, d: '', 'e f': '+' },
  { '?x': 1 },
];

const create = { spec: 'crm', method: 'POST', path: '/contacts/create' };
const bodies: unknown[] = [
  null,
  undefined,
  '',
  'text',
  0,
  1n,
  [],
  {},
  { name: 'Zoë \u2028 😀' },
  { amount: Number.NaN },
];
bodies.push({ file: new Blob() }, new FormData(), new URLSearchParams('a=1'));

const headers: object[] = [
  { 'X-Own': 'a', 'content-type': 'text/plain' },
  { 'X-Own': ['a', 'b'] },
  { 'x-own': null },
  new Headers({ 'X-Own': 'b' }),
  { Accept: 'text/html' },
  { 'x own': 'a' },
  { 'x-own': 'a\nb' },
];

const deal = { spec: 'crm', method: 'GET', path: '/deals/{dealId}' };
const paths: unknown[] = [{ dealId: 7 }, { dealId: '..' }, { dealId: '' }, {}, undefined];

const calls: PathCall[] = [
  ...examples,
  ...queries.map((query) => ({ ...list, init: { params: { query } } })),
  ...bodies.map((body) => ({ ...create, init: { body } })),
  ...headers.flatMap((own) => [
    { ...create, init: { headers: own, body: { name: 'Ann' } } },
    { ...create, init: { body: { name: 'Ann' } }, headers: own },
    { ...list, init: { headers: own }, headers: { 'X-Own': 'client', 'X-Client': '1' } },
  ]),
  ...paths.map((path) => ({ ...deal, init: { params: { path } } })),
  { ...deal, method: 'DELETE', init: { params: { path: { dealId: 7 } } } },
];

/** Makes all calls in turn. Returns the requests that a server received, and the errors of calls that sent none. */
async function send({ createClient }: Copy): Promise<unknown[]> {
  const server = await listen((_, response) => answerJson(response, {}));
  const refused: unknown[] = [];
  for (const { spec, method, path, init, headers: own } of calls) {
    const options = { baseUrl: `${server.url}/prefix/`, auth: { apiKey: 'a-key' }, logger: { warn: () => undefined } };
    try {
      const api = createClient({ ...options, ...(own && { headers: Object(own) }) });
      await Reflect.get(Reflect.get(api, spec), method)(path, init);
    } catch (error) {
      refused.push(String(error), `${Object(error).cause}`);
    }
  }
  const port = new URL(server.url).port;
  return [...server.received, ...refused].map((one) => JSON.parse(JSON.stringify(one).replaceAll(port, 'port')));
}

test.each(['ES module', 'CommonJS'])('the built %s sends the same requests as the source', async (format) => {
  const copy = built.get(format);
  if (!copy) return expect.unreachable();
  const expected = await send(source);
  expect(expected.length).toBeGreaterThan(calls.length);
  expect(await send(copy)).toEqual(expected);
});
