import * as msw3 from 'msw';
import { setupServer as setupServer3 } from 'msw/node';
import * as msw2 from 'msw-2';
import { setupServer as setupServer2 } from 'msw-2/node';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/index.ts';

const baseUrl = 'https://api.example.com';

/** Answers requests of this process with a sandbox, as the guide shows it. */
const servers = {
  'MSW 2'(answer: (request: Request) => Promise<Response>) {
    return setupServer2(msw2.http.all(`${baseUrl}/*`, ({ request }) => answer(request)));
  },
  'MSW 3'(answer: (request: Request) => Promise<Response>) {
    return setupServer3(msw3.http.all(`${baseUrl}/*`, ({ request }) => answer(request)));
  },
};

const start = (setUp: (typeof servers)[keyof typeof servers], sandbox: Sandbox) => {
  const server = setUp((request) => sandbox.handle(request));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  return createClient({ baseUrl, auth: { apiKey: 'any' }, logger: { warn: () => undefined } });
};

test.each(Object.entries(servers))('a sandbox answers behind %s, bodies included', async (_, setUp) => {
  const sandbox = createSandbox();
  const api = start(setUp, sandbox);
  const { id } = await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' });
  expect(await api.crm.deals.get({ dealId: id })).toMatchObject({ id, name: 'Renewal' });
  expect(sandbox.requests.map(({ operation }) => operation)).toEqual(['createDeal', 'getDeal']);
});

test.each(Object.entries(servers))(
  'a dropped connection behind %s is a lost connection, not a reply',
  async (_, setUp) => {
    const sandbox = createSandbox();
    sandbox.faults.add({ operation: 'createDeal', drop: 'after' });
    const created = start(setUp, sandbox).crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' });
    await expect(created).rejects.toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
  },
);

test('a world of its own handles requests, too', async () => {
  const sandbox = createSandbox({ worlds: 'credential' });
  sandbox.world('other').faults.add({ drop: 'before' });
  const request = new Request(`${baseUrl}/crm/v1/users`, { headers: { authorization: 'Bearer any' } });
  expect((await sandbox.handle(request.clone())).status).toBe(200);
  expect((await sandbox.world('other').handle(request)).type).toBe('error');
});
