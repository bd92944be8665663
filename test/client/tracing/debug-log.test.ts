import { afterEach, expect, test, vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';
import { reply, serve, stall, status } from '../../support/fault-server.ts';
import { refusedUrl } from '../../support/ports.ts';
import { clientOf } from './support.ts';

const deal = reply({ data: { id: 501 } });
afterEach(() => vi.restoreAllMocks());

function collect() {
  const lines: string[] = [];
  // Durations differ between runs.
  const debug = (message: string) => void lines.push(message.replace(/ in \d+ ms/, ' in n ms'));
  return { lines, logger: { warn: () => undefined, debug } };
}

test('a line per attempt: operation, outcome, duration, number and the wait before it', async () => {
  const { lines, logger } = collect();
  const { url } = await serve(status(503), deal);
  await clientOf(url, { logger }).crm.deals.get({ dealId: 501 });
  expect(lines).toEqual([
    'carillon: GET /deals/{dealId} (getDeal): 503 in n ms, attempt 1, wait 0 ms',
    'carillon: GET /deals/{dealId} (getDeal): 200 in n ms, attempt 2, wait 5 ms',
  ]);
});

test("the line of an attempt without an answer has the error's name", async () => {
  const { lines, logger } = collect();
  const { url } = await serve(stall);
  const lost = clientOf(refusedUrl, { logger, maxRetries: 0 });
  const slow = clientOf(url, { logger, timeout: 1 });
  const controller = new AbortController();
  const abort = (): Promise<never> => {
    controller.abort();
    return new Promise(() => undefined);
  };
  const aborted = clientOf('https://api.example.com', { logger, fetch: abort });
  const calls = [
    () => lost.crm.users.list(),
    () => slow.crm.users.list(),
    () => aborted.crm.users.list({ signal: controller.signal }),
  ];
  for (const call of calls) await call().catch(() => undefined);
  expect(lines).toEqual(
    ['ConnectionError', 'DeadlineError', 'no answer'].map(
      (outcome) => `carillon: GET /users (listUsers): ${outcome} in n ms, attempt 1, wait 0 ms`,
    ),
  );
});

test('CARILLON_LOG=debug: writes lines to the console, without credential, id or body', async () => {
  vi.stubEnv('CARILLON_LOG', 'debug');
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { url } = await serve(reply({ access_token: 't0ken-value', expires_in: 3600 }), deal);
  const auth = { clientId: 'client-id', clientSecret: 'cl13nt-s3cret' };
  await createClient({ baseUrl: url, auth }).crm.deals.update({
    dealId: 987654,
    pipelineId: 1,
    stepId: 2,
    name: 'plan-of-ann',
    price: 1,
    status: 0,
  });
  const text = warn.mock.calls.join('\n');
  expect(text).toMatch(
    /^carillon: POST \/oauth\/access_token \(createToken\): 200 in \d+ ms, attempt 1, wait 0 ms\ncarillon: PUT \/deals\/\{dealId\} \(updateDeal\): 200 in \d+ ms, attempt 1, wait 0 ms$/,
  );
  for (const secret of ['cl13nt-s3cret', 't0ken-value', 'client-id', '987654', 'plan-of-ann']) {
    expect(text).not.toContain(secret);
  }
});

test("the program's logger overrides CARILLON_LOG", async () => {
  vi.stubEnv('CARILLON_LOG', 'debug');
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const { url } = await serve(deal);
  await clientOf(url, { logger: { warn: () => undefined } }).crm.deals.get({ dealId: 501 });
  expect(warn).not.toHaveBeenCalled();
});

test.each<[string, unknown]>([
  ['no process, as in a browser', undefined],
  ['a process without an environment', {}],
  [
    'an environment that may not be read, as in Deno',
    {
      get env(): never {
        throw new Error('Requires env access');
      },
    },
  ],
])('a client works where there is %s', async (_, process) => {
  vi.stubGlobal('process', process);
  const fetch = async () => Response.json({ data: { id: 501 } });
  const api = createClient({ baseUrl: 'https://api.example.com', auth: null, fetch });
  const call = api.crm.deals.get({ dealId: 501 });
  vi.unstubAllGlobals();
  expect(await call).toEqual({ id: 501 });
});
