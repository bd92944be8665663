import * as msw3 from 'msw';
import { setupServer as setupServer3 } from 'msw/node';
import * as msw2 from 'msw-2';
import { setupServer as setupServer2 } from 'msw-2/node';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/index.ts';
import { createSandbox } from '../../src/sandbox/index.ts';

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

test.each(Object.entries(servers))('a sandbox answers behind %s, bodies included', async (_, setUp) => {
  const sandbox = createSandbox();
  const server = setUp((request) => sandbox.fetch(request));
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
  const api = createClient({ baseUrl, auth: { apiKey: 'any' } });
  const { id } = await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Renewal' });
  expect(await api.crm.deals.get({ dealId: id })).toMatchObject({ id, name: 'Renewal' });
  expect(sandbox.requests.map(({ operation }) => operation)).toEqual(['createDeal', 'getDeal']);
});
