import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { type ClientOptions, createClient } from '../../src/client/index.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { listen } from '../support/server.ts';

const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', 'messages.md'), 'utf8');
const messages = Array.from(guide.matchAll(/^### `(.+)`$/gm), ([, message = '']) => message);

const local = { baseUrl: 'http://127.0.0.1:4012', auth: { apiKey: 'any' } };
// Options that the types exclude are the point here.
const create = (options: object) => createClient({ ...local, ...options } as ClientOptions);
const apiKey = (key: string) => create({ auth: { apiKey: key } });

/** Makes a call that gets a response of another server. */
async function withResponse(response: () => Response, options: object = {}): Promise<unknown> {
  return create({
    baseUrl: 'https://api.example.com',
    fetch: async () => response(),
    maxRetries: 0,
    ...options,
  }).crm.deals.get({
    dealId: 501,
  });
}

/** A folder from which the packages can be imported, and one from which they cannot. */
let installed: string;
let empty: string;
beforeAll(() => {
  [installed = '', empty = ''] = ['with', 'without'].map((name) => mkdtempSync(join(tmpdir(), `carillon-${name}-`)));
  symlinkSync(join(repositoryRoot, 'node_modules'), join(installed, 'node_modules'));
});
afterAll(() => {
  for (const folder of [installed, empty]) rmSync(folder, { recursive: true, force: true });
});

/** Runs a program with Node, whose own messages only a process shows. Returns what it printed to standard error. */
function run(folder: string, name: string, text: string): Promise<string> {
  writeFileSync(join(folder, name), text);
  return new Promise((resolve) => {
    const env = { ...process.env, NODE_OPTIONS: '--conditions=carillon-source' };
    execFile(process.execPath, [name], { cwd: folder, env, timeout: 20_000 }, (_, __, stderr) => resolve(stderr));
  });
}

/** Causes each message: a program that throws it, or that returns what was printed. */
const causes: Record<string, () => unknown> = {
  "Cannot find package 'carillon' imported from …": () => run(empty, 'a.mjs', "import 'carillon';"),
  "Cannot find module 'carillon'": () => run(empty, 'a.cjs', "require('carillon');"),
  'Package subpath \'./…\' is not defined by "exports" in …': () => run(installed, 'b.mjs', "import 'carillon/none';"),
  "The requested module 'carillon' does not provide an export named '…'": () =>
    run(installed, 'c.mjs', "import { ClientOptions } from 'carillon'; ClientOptions;"),
  'Cannot use import statement outside a module': () => run(installed, 'd.cjs', "import 'carillon';"),
  'There is no option …': () => create({ basUrl: '' }),
  'There is no option auth.…': () => create({ auth: { apiKey: 'any', allowBrowsers: true } }),
  'auth must be { apiKey }, { clientId, clientSecret }, { getToken } or null': () => create({ auth: undefined }),
  'auth.apiKey is missing or empty: is its environment variable set?': () => apiKey(''),
  'auth.clientId is missing or empty: is its environment variable set?': () =>
    create({ auth: { clientId: undefined, clientSecret: 'secret' } }),
  'auth.clientSecret is missing or empty: is its environment variable set?': () =>
    create({ auth: { clientId: 'id', clientSecret: '' } }),
  "auth.apiKey must be the key alone, without 'Bearer '": () => apiKey('Bearer abc'),
  'auth.apiKey begins or ends with a space or a line break, often because the key comes from a file: trim the key':
    () => apiKey('abc\n'),
  'auth.apiKey must contain only visible ASCII characters, without spaces or line breaks': () => apiKey('“abc”'),
  'auth.getToken must be a function': () => create({ auth: { getToken: 'abc' } }),
  'baseUrl must be an address such as https://api.example.com': () => create({ baseUrl: 'api.example.com' }),
  'baseUrl must be an address such as https://api.example.com; a path works only in a web page, not on a server': () =>
    create({ baseUrl: '/api' }).crm.users.list(),
  'baseUrl must not contain { or }: replace the placeholders': () => create({ baseUrl: 'https://{base_url}' }),
  'baseUrl must use https to protect the credential, or set allowInsecureHttp: true': () =>
    create({ baseUrl: 'http://api.example.com' }),
  'Visitors to a page can read auth.apiKey: use getToken with your own server, or set allowBrowser: true': () => {
    Reflect.set(globalThis, 'document', {});
    try {
      return create({ baseUrl: 'https://api.example.com' });
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
    }
  },
  "The client sets the 'authorization' header, which cannot be overridden: create a client for each account, or set auth: null to send your own header":
    () => create({ headers: { Authorization: 'Bearer abc' } }),
  'timeout must be a number above 0': () => create({ timeout: 0 }),
  '… could not connect to 127.0.0.1:4012: connect ECONNREFUSED 127.0.0.1:4012': async () => {
    const server = await serve({ fetch: async () => new Response() }, { port: 0 });
    await server.close();
    const { port } = new URL(server.url);
    await create({ baseUrl: server.url, maxRetries: 0 })
      .crm.users.list()
      .then(undefined, (error: Error) => {
        throw new Error(error.message.replaceAll(port, '4012'));
      });
  },
  '… could not connect to …: getaddrinfo ENOTFOUND …': () =>
    create({ baseUrl: 'https://nowhere.invalid', maxRetries: 0 }).crm.users.list(),
  '… failed with HTTP status 401: …': () => withResponse(() => Response.json({ message: 'No.' }, { status: 401 })),
  '… failed with HTTP status 404: …': () => withResponse(() => Response.json({ message: 'No.' }, { status: 404 })),
  '… returned status 200, but its body is not JSON (text/html)': () =>
    withResponse(() => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })),
  '… was redirected, and the client does not follow redirects: check baseUrl': () =>
    withResponse(() => new Response(null, { status: 302, headers: { location: 'https://login.example.com/' } })),
  '… The token endpoint rejected the request: …': () =>
    withResponse(() => Response.json({ message: 'No.' }, { status: 400 }), {
      auth: { clientId: 'id', clientSecret: 'secret' },
    }),
  '… dealId must be an integer; nothing was sent': () => create({}).crm.deals.get({ dealId: Number.NaN }),
  '… dealId is missing; nothing was sent': () => Reflect.apply(create({}).crm.deals.get, undefined, [{ dealID: 501 }]),
  'There is no operation GET …': () => Reflect.apply(create({}).crm.GET, undefined, ['/deal', {}]),
  'Port 4012 on 127.0.0.1 is in use. Stop the program that uses it, or choose another port with --port (0 selects any free port).':
    async () => {
      const server = await listen(() => {});
      const { port } = new URL(server.url);
      await serve({ fetch: async () => new Response() }, { port: Number(port) }).then(undefined, (error: Error) => {
        throw new Error(error.message.replace(port, '4012'));
      });
    },
};

/** Messages of npm, of other versions of Node, of shells and of browsers. */
const elsewhere = [
  'npm error 404 Not Found - GET https://registry.npmjs.org/carillon',
  "npm error enoent ENOENT: no such file or directory, open '…/carillon-0.1.0.tgz'",
  'npm warn EBADENGINE Unsupported engine',
  'Unknown file extension ".ts" for …',
  "Access to fetch at '…' from origin '…' has been blocked by CORS policy",
  'carillon: command not found',
];

it('the page of messages has each message with a cause here, and no other', () => {
  expect(messages.toSorted()).toEqual([...Object.keys(causes), ...elsewhere].sort());
});

it.each(Object.entries(causes))('%s is what the code says', async (message, cause) => {
  const parts = message.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = parts.join('[\\s\\S]+');
  const said: unknown = await (async () => cause())().catch((error: unknown) => error);
  // Node prints more than the message.
  if (said instanceof Error) expect(said.message).toMatch(new RegExp(`^${pattern}$`));
  else expect(said).toMatch(new RegExp(pattern));
});
