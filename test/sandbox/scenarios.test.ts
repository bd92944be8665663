import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { references as ofProducts } from '../../generated/reference.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { type Client, createClient } from '../../src/client/index.ts';
import { createSandbox, type Sandbox, type Scenario, type Store, type StoredChange } from '../../src/sandbox/index.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { scenarioFields } from '../../src/sandbox/world/scenarios/scenario-fields.ts';
import { scenarioNames } from '../../src/sandbox/world/scenarios/scenarios.ts';
import type { OperationReference } from '../../src/shared/reference.ts';
import { hour, minute, rejectionOf, start, startAt, unchecked } from './support.ts';

const references: Record<string, OperationReference> = Object.assign({}, ...Object.values(ofProducts));

/** A client of a sandbox, with a key that the sandbox accepts unless its scenario forbids it. */
function clientOf(
  sandbox: Pick<Sandbox, 'fetch'>,
  auth: Parameters<typeof createClient>[0]['auth'] = { apiKey: 'any' },
) {
  return createClient({ baseUrl: 'https://sandbox.example.com', auth, maxRetries: 0, fetch: sandbox.fetch });
}

function begin(scenario: SandboxOptions['scenario'], options: SandboxOptions = {}) {
  const sandbox = createSandbox({ scenario, startAt, ...options });
  return { sandbox, api: clientOf(sandbox) };
}

const resubscribe = (api: Client) =>
  api.email.unsubscribes.requestResubscription({ email: 'ben.ito@example.com', sender: 'sales@example.com' });
const push = { title: 'Sale', body: 'Today only', website_id: 42, ttl: 3600 };

describe('each built-in scenario works as described', () => {
  test('empty: all lists of records are empty', async () => {
    const { sandbox, api } = begin('empty');
    expect((await api.crm.contacts.list()).data).toEqual([]);
    expect((await api.crm.deals.list()).data).toEqual([]);
    expect((await api.email.messages.list()).data).toEqual([]);
    expect((await api.messaging.blacklist.list()).data).toEqual([]);
    const records = Object.values(sandbox.snapshot().state).flatMap((area) =>
      Object.values(area).filter(Array.isArray),
    );
    expect(records.flat()).toEqual([]);
  });

  test('large: thousands of contacts, in many pages', async () => {
    const { api } = begin('large');
    const ids = new Set<number | undefined>();
    for await (const { id } of api.crm.contacts.list()) ids.add(id);
    expect(ids.size).toBeGreaterThan(5_000);
    expect((await api.crm.contacts.list()).data.length).toBeLessThan(ids.size / 10);
    expect((await api.crm.deals.list()).data.length).toBeGreaterThan(500);
  });

  test('quota-used-up: every documented quota is used up, and Retry-After gives the time left', async () => {
    const asked: Record<string, (api: Client) => PromiseLike<unknown>> = {
      requestEmailResubscription: resubscribe,
      createPushCampaign: (api) => api.messaging.push.campaigns.create(push),
    };
    const withQuota = Object.keys(references).filter((id) => references[id]?.quota);
    expect(Object.keys(asked).toSorted()).toEqual(withQuota.toSorted());
    for (const [operation, call] of Object.entries(asked)) {
      const { sandbox, api } = begin('quota-used-up');
      sandbox.clock.freeze();
      expect(sandbox.scenario?.usedUpQuotas).toContain(operation);
      const error = await Promise.resolve(call(api)).catch((thrown: unknown) => thrown);
      const { seconds = 0 } = references[operation]?.quota ?? {};
      expect(error, operation).toMatchObject({ name: 'RateLimitError', status: 429 });
      expect(sandbox.requests.at(-1)).toMatchObject({ operation, status: 429 });
      expect(Number(Object(error).headers.get('retry-after')), operation).toBe(seconds);
      sandbox.clock.advance(seconds * 1_000);
      await call(api);
    }
  });

  describe("with the test's own clock", () => {
    afterEach(() => vi.useRealTimers());

    test('slow: each response takes at least a second and arrives', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { api } = begin('slow');
      let isDone = false;
      const call = Promise.resolve(api.crm.deals.get({ dealId: 501 })).finally(() => {
        isDone = true;
      });
      await vi.advanceTimersByTimeAsync(990);
      expect(isDone).toBe(false);
      await vi.advanceTimersByTimeAsync(3_100);
      expect(await call).toMatchObject({ id: 501 });
    });
  });

  test('failing: about half of the requests fail with a 5xx status or a lost response after the change', async () => {
    const { sandbox, api } = begin('failing');
    const outcomes: Record<string, number> = {};
    for (let count = 0; count < 200; count += 1) {
      const outcome = await Promise.resolve(api.crm.deals.get({ dealId: 501 })).then(
        () => 'ok',
        (error: unknown) => String(Object(error).status ?? Object(error).name),
      );
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    expect(Object.keys(outcomes).sort()).toEqual(['500', '503', 'ConnectionError', 'ok']);
    expect(outcomes.ok).toBeGreaterThan(70);
    expect(outcomes.ok).toBeLessThan(130);
    const before = sandbox.state.crm.tags.size;
    let lost = 0;
    let made = 0;
    for (let count = 0; count < 60; count += 1)
      await Promise.resolve(api.crm.tags.create({ name: `Tag ${count}` })).then(
        () => (made += 1),
        (error: unknown) => (lost += Object(error).sent === 'maybe' && Object(error).status === undefined ? 1 : 0),
      );
    expect(lost).toBeGreaterThan(0);
    expect(sandbox.state.crm.tags.size - before).toBe(made + lost);
  });

  test('expired-key: a static key always gets 401, and a client with credentials works', async () => {
    const { sandbox } = begin('expired-key');
    expect(await rejectionOf(clientOf(sandbox).crm.users.list())).toMatchObject({ status: 401 });
    const renewing = clientOf(sandbox, { clientId: 'shop', clientSecret: 'hush' });
    expect((await renewing.crm.users.list()).length).toBeGreaterThan(0);
    sandbox.clock.advance(30 * 24 * hour);
    expect((await renewing.crm.users.list()).length).toBeGreaterThan(0);
    expect(sandbox.log.list({ operation: 'createToken' }).length).toBe(2);
  });

  test('unsubscribed: each contact is on the unsubscribed list and on the blacklist, and an email bounced', async () => {
    const { sandbox, api } = begin('unsubscribed', { startAt: undefined });
    const contacts = [...sandbox.state.crm.contacts.values()];
    expect(contacts.length).toBeGreaterThan(0);
    const unsubscribed = (await api.email.unsubscribes.list()).data.map(({ email }) => email);
    const blacklisted = (await api.messaging.blacklist.list()).data.map(({ phone }) => String(phone));
    const bounced = (await api.email.bounces.list()).data.map(({ recipient }) => recipient);
    expect(contacts.map(({ emails }) => emails[0]?.email)).toEqual(expect.arrayContaining(bounced));
    expect(bounced).toHaveLength(1);
    for (const { emails, phones } of contacts) {
      expect(unsubscribed).toContain(emails[0]?.email);
      expect(blacklisted).toContain(phones[0]?.phone?.replace('+', ''));
    }
  });
});

test('each built-in scenario is a JSON file of the same name', () => {
  for (const name of scenarioNames) {
    const file = join(repositoryRoot, 'src', 'sandbox', 'world', 'scenarios', `${name}.json`);
    const scenario: Scenario = JSON.parse(readFileSync(file, 'utf8'));
    expect(scenario.name).toBe(name);
    expect(createSandbox({ scenario }).scenario).toEqual(scenario);
    expect(createSandbox({ scenario: name }).scenario).toEqual(scenario);
  }
});

describe('options and scenario', () => {
  test('fields of the scenario apply instead of the options, which set all others', async () => {
    const { sandbox, api } = begin('failing', {
      seed: 10,
      apiKeys: ['any'],
      startAt: Date.UTC(2027, 0),
      faults: [{ operation: 'getDeal', status: 418, times: 'always' }],
    });
    expect(sandbox.state.crm.contacts.size).toBe(12);
    expect(new Date(sandbox.clock.now()).getUTCFullYear()).toBe(2027);
    expect(sandbox.faults.list()).toHaveLength(3);
    expect((await rejectionOf(clientOf(sandbox, { apiKey: 'another' }).crm.deals.get({ dealId: 501 }))).status).toBe(
      401,
    );
    sandbox.startScenario('empty');
    expect([sandbox.state.crm.contacts.size, sandbox.faults.list().length]).toEqual([0, 1]);
    expect((await rejectionOf(api.crm.deals.get({ dealId: 501 }))).status).toBe(418);
    expect(begin('empty', { seed: 10 }).sandbox.state.crm.contacts.size).toBe(0);
  });

  test('a custom scenario sets seed, clock, faults, keys and tables', async () => {
    const { api, sandbox } = begin(
      {
        name: 'checkout',
        seed: false,
        clock: { startAt: '2026-12-24', isFrozen: true },
        faults: [{ operation: 'listUsers', status: 503 }],
        apiKeys: ['any'],
        state: { crm: { tags: [{ id: 15, name: 'VIP' }] } },
      },
      { startAt: undefined },
    );
    expect(sandbox.clock).toMatchObject({ isFrozen: true });
    expect(sandbox.clock.now()).toBe(Date.UTC(2026, 11, 24));
    expect((await rejectionOf(api.crm.users.list())).status).toBe(503);
    expect(sandbox.snapshot().state.crm).toMatchObject({ tags: [{ id: 15, name: 'VIP' }], contacts: [] });
    expect((await rejectionOf(clientOf(sandbox, { apiKey: 'other' }).crm.users.list())).status).toBe(401);
  });

  test('a frozen clock shows its start exactly, however long the sandbox takes to start', () => {
    const real = Date.now();
    let reads = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => {
      reads += 1;
      return real + reads;
    });
    const { sandbox } = begin({ name: 'frozen', clock: { startAt, isFrozen: true } });
    expect(sandbox.clock.now()).toBe(startAt);
  });

  test("a reset restores the scenario's data and faults, and keeps the clock", async () => {
    const { sandbox, api } = begin({
      name: 'once',
      clock: { startAt, isFrozen: true },
      faults: [{ operation: 'getDeal', status: 503 }],
      usedUpQuotas: ['createPushCampaign'],
    });
    sandbox.clock.advance(hour);
    expect((await rejectionOf(api.crm.deals.get({ dealId: 501 }))).status).toBe(503);
    await api.crm.deals.delete({ dealId: 501 });
    sandbox.faults.add({ status: 500 });
    sandbox.reset();
    expect(sandbox.faults.list()).toMatchObject([{ operation: 'getDeal', status: 503, times: 1, seen: 0 }]);
    expect(sandbox.clock.now()).toBe(startAt + hour);
    expect(sandbox.state.crm.deals.has(501)).toBe(true);
    expect((await rejectionOf(api.messaging.push.campaigns.create(push))).status).toBe(429);
    expect(sandbox.scenario?.name).toBe('once');
  });
});

describe('another scenario', () => {
  test('replaces data, clock, faults, keys and log', async () => {
    const { sandbox, api } = begin('expired-key', { startAt: undefined });
    const tokens = clientOf(sandbox, { clientId: 'shop', clientSecret: 'hush' });
    await tokens.crm.deals.delete({ dealId: 501 });
    sandbox.clock.freeze(sandbox.clock.now() + hour);
    sandbox.startScenario('failing');
    expect(sandbox.scenario?.name).toBe('failing');
    expect([sandbox.requests.length, sandbox.faults.list().length]).toEqual([0, 3]);
    expect(sandbox.state.crm.deals.has(501)).toBe(true);
    expect(sandbox.clock.isFrozen).toBe(false);
    expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(minute);
    sandbox.startScenario(undefined);
    expect([sandbox.scenario, sandbox.faults.list()]).toEqual([undefined, []]);
    expect(await api.crm.deals.get({ dealId: 501 })).toMatchObject({ id: 501 });
  });

  test('changes nothing if it is invalid', () => {
    const { sandbox } = begin('slow');
    const before = JSON.stringify([sandbox.snapshot().state, sandbox.faults.list(), sandbox.scenario]);
    for (const scenario of [
      { name: 'x', faults: [{ status: 200, drop: 'befor' }] },
      { name: 'x', state: { crm: { tags: [{ id: 'one' }] } } },
      { name: 'x', seed: 9_999_999 },
      { name: 'x', clock: { startAt: 1e15 } },
      { name: 'x', faults: [{ operation: 'getDeal', match: { parameters: { id: 1 } }, status: 500 }] },
    ])
      expect(() => sandbox.startScenario(unchecked(scenario)), JSON.stringify(scenario)).toThrow();
    expect(JSON.stringify([sandbox.snapshot().state, sandbox.faults.list(), sandbox.scenario])).toBe(before);
  });

  test('changes only its world', async () => {
    const sandbox = createSandbox({ worlds: { header: 'x-world' } });
    const [one, other] = [sandbox.world('one'), sandbox.world('other')];
    one.startScenario('expired-key');
    expect((await rejectionOf(clientOf(one).crm.users.list())).status).toBe(401);
    expect((await clientOf(other).crm.users.list()).length).toBeGreaterThan(0);
    expect([one.scenario?.name, other.scenario]).toEqual(['expired-key', undefined]);
  });

  test('is the start of all worlds', async () => {
    const sandbox = createSandbox({ worlds: { header: 'x-world' }, scenario: 'empty' });
    const read = await sandbox.fetch('https://sandbox.example.com/crm/v1/users', {
      headers: { authorization: 'Bearer any', 'x-world': 'new' },
    });
    expect(await read.json()).toMatchObject({ data: [] });
  });
});

describe('over HTTP', () => {
  interface Answer {
    active: Scenario | null;
    scenarios: Scenario[];
    message: string;
  }

  async function send(sandbox: Sandbox, method: string, body?: object): Promise<{ status: number; answer: Answer }> {
    const response = await sandbox.fetch('http://localhost/__sandbox/scenario', {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, answer: await response.json() };
  }

  test('lists scenarios with the active one, and starts another', async () => {
    const own: Scenario = { name: 'mine', description: 'My own.', seed: false };
    const sandbox = createSandbox({ control: true, scenario: own });
    const { answer } = await send(sandbox, 'GET');
    expect(answer.active).toEqual(own);
    expect(answer.scenarios.map(({ name }: Scenario) => name)).toEqual([...scenarioNames, 'mine']);
    expect(answer.scenarios[0]).toEqual({ name: 'empty', description: expect.stringMatching(/^An account without/) });
    expect((await send(sandbox, 'POST', { scenario: 'slow' })).answer.active?.name).toBe('slow');
    expect(sandbox.faults.list()).toHaveLength(1);
    expect((await send(sandbox, 'POST', { scenario: 'mine' })).answer.active).toEqual(own);
    expect((await send(sandbox, 'POST', { scenario: { name: 'sent', seed: 3 } })).answer.active?.seed).toBe(3);
    expect(sandbox.state.crm.contacts.size).toBe(5);
    expect((await send(sandbox, 'POST', { scenario: null })).answer.active).toBeNull();
    expect(sandbox.state.crm.contacts.size).toBe(2);
  });

  test('an invalid scenario gets the reason', async () => {
    const sandbox = createSandbox({ control: true });
    expect(await send(sandbox, 'POST', { scenario: 'slwo' })).toEqual({
      status: 400,
      answer: { message: expect.stringContaining("There is no scenario 'slwo'. Did you mean slow?") },
    });
    expect((await send(sandbox, 'POST', {})).status).toBe(400);
    expect((await send(sandbox, 'POST', { scenario: { name: 'x', sed: 1 } })).answer.message).toContain(
      'Did you mean seed?',
    );
    expect(sandbox.scenario).toBeUndefined();
  });
});

describe('a scenario with mistakes is invalid: the message has the place and a correction', () => {
  test.each<[string, object, string]>([
    ['an unknown field', { name: 'x', sed: 1 }, 'scenario: there is no field sed. Did you mean seed?'],
    ['an unlike field', { name: 'x', worlds: 1 }, 'The fields are $schema, name, description, seed, clock, faults,'],
    ['a missing name', { seed: 1 }, 'Expected: Lower-case letters, digits and hyphens'],
    ['a wrong type', { name: 'x', seed: 'many' }, 'seed: Invalid input. Expected: true for the small data set'],
    [
      'an unknown field of the clock',
      { name: 'x', clock: { startsAt: 1 } },
      'clock: Unrecognized key: "startsAt". Expected: { "startAt": ',
    ],
    [
      'a wrong date',
      { name: 'x', clock: { startAt: 'tomorrow' } },
      'clock.startAt: Invalid input. Expected: { "startAt": ',
    ],
    [
      'an unknown fault',
      { name: 'x', faults: [{ delai: 1 }] },
      'faults[0]: there is no property delai. Did you mean delay?',
    ],
    [
      'an unknown operation',
      { name: 'x', faults: [{ operation: 'getDeals', status: 500 }] },
      "faults[0].operation: There is no operation with the operationId 'getDeals'. Did you mean getDeal?",
    ],
    [
      'an operation unlike any other',
      { name: 'x', faults: [{ operation: 'xyz', status: 500 }] },
      "'xyz'. An example of an operationId is 'createDeal'.",
    ],
    ['a wrong drop', { name: 'x', faults: [{ drop: 'befor' }] }, 'faults[0].drop: Invalid option'],
    ['a fault without effect', { name: 'x', faults: [{}] }, 'A fault must have status, delay, slowBody or drop'],
    ['six keys', { name: 'x', apiKeys: ['1', '2', '3', '4', '5', '6'] }, 'apiKeys: Too big'],
    [
      'an operation without quota',
      { name: 'x', usedUpQuotas: ['getDeal'] },
      "usedUpQuotas[0]: No quota is documented for 'getDeal'. Expected: Operations whose documented quota is used up at the start: requestEmailResubscription, createPushCampaign.",
    ],
    [
      'a wrong record',
      { name: 'x', state: { crm: { tags: [{ id: 'a' }] } } },
      'The scenario is not valid. state.crm.tags[0].id: ',
    ],
    ['an unknown table', { name: 'x', state: { crm: { tag: [] } } }, 'Unrecognized key: "tag"'],
  ])('%s', (_, scenario, message) => {
    expect(() => createSandbox({ scenario: unchecked(scenario) })).toThrow(message);
  });

  test('an unknown name', () => {
    expect(() => createSandbox({ scenario: unchecked('expired' as never) })).toThrow(
      "There is no scenario 'expired'. The scenarios are empty, large,",
    );
    expect(() => createSandbox({ scenario: unchecked('expired-keys' as never) })).toThrow('Did you mean expired-key?');
  });
});

describe('with a store', () => {
  function memoryStore(): Store {
    const stored = new Map<string, StoredChange>();
    const write: Store['write'] = (changes) => {
      for (const change of changes) {
        const { world, snapshot = null, table, key, value } = change;
        const area = JSON.stringify([world, snapshot]).slice(0, -1);
        const place = `${area},${JSON.stringify([table, key])}`;
        if (table === undefined) for (const one of stored.keys()) if (one.startsWith(area)) stored.delete(one);
        if (value === undefined) stored.delete(place);
        else stored.set(place, structuredClone(change));
      }
    };
    return {
      read: () => [...stored.values()],
      write,
      close() {},
    };
  }

  async function open(store: Store, options: SandboxOptions = {}): Promise<Sandbox> {
    const sandbox = createSandbox({ control: true, ...options, store });
    onTestFinished(() => sandbox.close());
    return sandbox;
  }

  test('a new store starts with the scenario, including its faults', async () => {
    const sandbox = await open(memoryStore(), { scenario: 'failing' });
    expect([sandbox.scenario?.name, sandbox.faults.list().length]).toEqual(['failing', 3]);
    const plain = await open(memoryStore(), { faults: [{ status: 500 }] });
    expect(plain.faults.list()).toHaveLength(1);
  });

  test('keeps the scenario with its keys, whatever the options of the next start', async () => {
    const store = memoryStore();
    const first = await open(store, { seed: 3 });
    first.startScenario('expired-key');
    const second = await open(store, { scenario: 'slow' });
    expect([second.scenario?.name, second.faults.list()]).toEqual(['expired-key', []]);
    expect((await rejectionOf(clientOf(second).crm.users.list())).status).toBe(401);
    const response = await second.fetch('http://localhost/__sandbox/scenario', {
      method: 'POST',
      body: '{"scenario": "failing"}',
    });
    expect(response.status).toBe(200);
    await clientOf(second)
      .crm.users.list()
      .then(undefined, () => undefined);
    const third = await open(store);
    expect([third.scenario?.name, third.faults.list().length]).toEqual(['failing', 3]);
    third.startScenario(undefined);
    const fourth = await open(store);
    expect([fourth.scenario, fourth.faults.list()]).toEqual([undefined, []]);
  });
});

test('the same scenario gives the same responses', async () => {
  const outcomes = await Promise.all(
    ['one', 'two'].map(async () => {
      const { sandbox } = start({ scenario: 'failing' });
      const api = clientOf(sandbox);
      const seen: string[] = [];
      for (let count = 0; count < 30; count += 1)
        seen.push(
          await Promise.resolve(api.crm.deals.get({ dealId: 501 })).then(
            () => 'ok',
            (error: unknown) => String(Object(error).status),
          ),
        );
      return seen.join();
    }),
  );
  expect(outcomes[0]).toBe(outcomes[1]);
});

describe('the guide on scenarios', () => {
  const guide = readFileSync(join(repositoryRoot, 'docs', 'guides', 'scenarios.md'), 'utf8');

  test('names the built-in scenarios in order', () => {
    expect(Array.from(guide.matchAll(/^\| `([\w-]+)` \|/gm), ([, name]) => name)).toEqual([...scenarioNames]);
  });

  test('shows a valid scenario with every field', () => {
    const [, text = ''] = /^```json\n(.*?)^```$/ms.exec(guide) ?? [];
    const scenario: Scenario = JSON.parse(text);
    expect(createSandbox({ scenario }).scenario).toEqual(scenario);
    expect(Object.keys(scenario).sort()).toEqual(Object.keys(scenarioFields).sort());
  });
});

test("an empty name is no scenario, and not the same as 'undefined'", () => {
  const sandbox = createSandbox({ scenario: 'empty' });
  // @ts-expect-error: untyped callers can pass it
  expect(() => sandbox.startScenario('')).toThrow("There is no scenario ''");
  // @ts-expect-error: untyped callers can pass it
  expect(() => sandbox.startScenario(null)).toThrow(RangeError);
  expect(sandbox.scenario?.name).toBe('empty');
});
