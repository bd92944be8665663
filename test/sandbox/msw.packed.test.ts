import { createRequire } from 'node:module';
import { join } from 'node:path';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';

const baseUrl = 'https://api.example.com';

type Answer = (request: Request) => Promise<Response>;

/** Answers requests of this process with a sandbox, as in the guide. Covers both major versions in use. */
const servers = {
  async 'MSW 2'(answer: Answer): Promise<ReturnType<typeof setupServer>> {
    const nodeModules = inject('tools');
    const require = createRequire(import.meta.url);
    const msw2: typeof import('msw') = require(join(nodeModules, 'msw-2'));
    const node2: typeof import('msw/node') = require(join(nodeModules, 'msw-2', 'node'));
    return node2.setupServer(msw2.http.all(`${baseUrl}/*`, ({ request }) => answer(request)));
  },
  async 'MSW 3'(answer: Answer): Promise<ReturnType<typeof setupServer>> {
    return setupServer(http.all(`${baseUrl}/*`, ({ request }) => answer(request)));
  },
};

const start = async (setUp: (typeof servers)[keyof typeof servers], sandbox: Sandbox) => {
  const server = await setUp((request) => sandbox.handle(request));
  server.listen();
  onTestFinished(() => server.close());
  return createClient({ baseUrl, auth: { apiKey: 'any' }, logger: { warn: () => undefined } });
};

test.each(Object.entries(servers))('a sandbox answers behind %s, with request bodies', async (_, setUp) => {
  const sandbox = createSandbox();
  const api = await start(setUp, sandbox);
  const { id } = await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' });
  expect(await api.crm.deals.get({ dealId: id })).toMatchObject({ id, name: 'Renewal' });
  expect(sandbox.requests.map(({ operation }) => operation)).toEqual(['createDeal', 'getDeal']);
});

test.each(Object.entries(servers))(
  'a dropped connection behind %s is a lost connection, not a response',
  async (_, setUp) => {
    const sandbox = createSandbox();
    sandbox.faults.add({ operation: 'createDeal', drop: 'after' });
    const created = (await start(setUp, sandbox)).crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' });
    await expect(created).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
  },
);

test.each(Object.entries(servers))(
  'a caller who does not wait behind %s leaves the record, and no messages',
  async (_, setUp) => {
    const logged = vi.spyOn(console, 'error');
    const sandbox = createSandbox();
    sandbox.faults.add({ operation: 'createDeal', delay: 3_000_000 });
    const before = sandbox.state.crm.deals.size;
    const api = await start(setUp, sandbox);
    const created = api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' }, { timeout: 100 });
    await expect(created).rejects.toMatchObject({ sent: 'maybe' });
    expect(sandbox.state.crm.deals.size).toBe(before + 1);
    await expect.poll(() => sandbox.requests.at(-1)?.milliseconds).toBeGreaterThan(0);
    expect(logged).not.toHaveBeenCalled();
  },
);

test.each(Object.entries(servers))(
  'a caller who does not wait behind %s leaves no record, and no wait, if the delay comes before the operation',
  async (_, setUp) => {
    const sandbox = createSandbox();
    sandbox.faults.add({ operation: 'createDeal', delay: 3_000_000, delayAt: 'before' });
    const before = sandbox.state.crm.deals.size;
    const api = await start(setUp, sandbox);
    const created = api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' }, { timeout: 100 });
    await expect(created).rejects.toMatchObject({ sent: 'maybe' });
    await expect.poll(() => sandbox.requests.at(-1)?.milliseconds).toBeGreaterThan(0);
    expect(sandbox.state.crm.deals.size).toBe(before);
  },
);

test('a single world can handle requests, too', async () => {
  const sandbox = createSandbox({ worlds: 'credential' });
  sandbox.world('other').faults.add({ drop: 'before' });
  const request = new Request(`${baseUrl}/crm/v1/users`, { headers: { authorization: 'Bearer any' } });
  expect((await sandbox.handle(request.clone())).status).toBe(200);
  expect((await sandbox.world('other').handle(request)).type).toBe('error');
});
