import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResponseValidator } from '../../../src/client/core/options.ts';
import { createClient } from '../../../src/client/index.ts';
import { createLearner, type LearnerOptions } from '../../../src/client/learn/index.ts';
import { createResponseValidator } from '../../../src/client/validate.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-learn-'));
  file = join(folder, 'observed.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Written {
  accounts: Record<string, Record<string, Record<string, { replies: number }>>>;
}

const written = (): Written => JSON.parse(readFileSync(file, 'utf8'));
const repliesOf = (operation: string, status = 200): number | undefined =>
  Object.values(written().accounts)[0]?.[operation]?.[status]?.replies;

function connect(options: Partial<LearnerOptions> = {}) {
  const learner = createLearner({ file, ...options });
  const sandbox = createSandbox();
  const api = createClient({
    baseUrl: 'https://sandbox.example.com',
    auth: { apiKey: 'any' },
    fetch: sandbox.fetch,
    validate: learner,
  });
  return { learner, api };
}

describe('a learner', () => {
  it('writes the form of successes and failures when it is closed', async () => {
    const { learner, api } = connect();
    await api.crm.users.list();
    await expect(api.crm.deals.get({ dealId: 999_999 })).rejects.toThrow();
    await learner.close();
    expect(repliesOf('listUsers')).toBe(1);
    expect(repliesOf('getDeal', 404)).toBe(1);
    expect(readFileSync(file, 'utf8')).not.toMatch(/Olena|999999|sandbox\.example/);
  });

  it('records the answers of attempts that are repeated', async () => {
    vi.useFakeTimers();
    const learner = createLearner({ file });
    let tokens = 0;
    const getToken = async () => `token-${++tokens}`;
    const answers = [
      Response.json({ message: 'slow down' }, { status: 429 }),
      new Response('<html>', { status: 503 }),
      Response.json({}, { status: 401 }),
      Response.json({ data: [] }),
    ];
    const api = createClient({
      baseUrl: 'https://api.example.com',
      auth: { getToken },
      fetch: async () => answers.shift() ?? Response.error(),
      validate: learner,
    });
    const call = api.crm.users.list();
    await vi.runAllTimersAsync();
    await call;
    vi.useRealTimers();
    await learner.close();
    expect([429, 503, 401, 200].map((status) => repliesOf('listUsers', status))).toEqual([1, 1, 1, 1]);
  });

  it('survives a logger that throws', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const broken = (): never => {
      throw new Error('the logger failed');
    };
    const { learner } = connect({ logger: { warn: broken } });
    learner.observe('listUsers', 200, { data: [] });
    writeFileSync(file, 'not JSON');
    await vi.advanceTimersByTimeAsync(1_000);
    vi.useRealTimers();
    await expect(learner.close()).resolves.toBeUndefined();
    expect(readFileSync(file, 'utf8')).toBe('not JSON');
  });

  it('closes once: all calls of close wait for the file', async () => {
    const { learner } = connect();
    learner.observe('listUsers', 200, { data: [] });
    await Promise.race([learner.close(), learner.close()]);
    expect(repliesOf('listUsers')).toBe(1);
  });

  it('adds to the account in the file', async () => {
    for (let run = 0; run < 2; run += 1) {
      const { learner, api } = connect();
      await api.crm.users.list();
      await learner.close();
    }
    expect(Object.keys(written().accounts)).toHaveLength(1);
    expect(repliesOf('listUsers')).toBe(2);
  });

  it('accepts the names in the file without three further records', async () => {
    for (const records of [3, 1]) {
      const learner = createLearner({ file });
      const data = Array.from({ length: records }, (_, id) => ({ id, jobTitle: 'CEO' }));
      learner.observe('listUsers', 200, { data });
      await learner.close();
    }
    expect(readFileSync(file, 'utf8')).toMatch(/"jobTitle": \{[\s\S]*?"types": \{\s*"string": 4/);
    expect(readFileSync(file, 'utf8')).not.toContain('unnamed');
  });

  it('writes at most once a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { learner } = connect();
    for (let call = 0; call < 500; call += 1) learner.observe('listUsers', 200, { data: [{ id: 1 }] });
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(() => written()).toThrow();
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    await vi.waitFor(() => expect(repliesOf('listUsers')).toBe(500), { timeout: 15_000, interval: 1 });
    await learner.close();
  });

  it('keeps the observations of several learners with one file', async () => {
    const warn = vi.fn();
    for (let round = 1; round <= 3; round += 1) {
      const learners = Array.from({ length: 8 }, () => createLearner({ file, logger: { warn } }));
      for (const learner of learners) learner.observe('listUsers', 200, { data: [] });
      await Promise.all(learners.map((learner) => learner.close()));
      expect(repliesOf('listUsers')).toBe(8 * round);
    }
    expect(Object.keys(written().accounts)).toHaveLength(1);
    expect(warn).not.toHaveBeenCalled();
  });

  it('replaces the temporary file of a process that ended while it wrote', async () => {
    const { learner, api } = connect();
    writeFileSync(`${file}.new`, '{');
    const before = new Date(Date.now() - 60_000);
    utimesSync(`${file}.new`, before, before);
    await api.crm.users.list();
    await learner.close();
    expect(repliesOf('listUsers')).toBe(1);
  });

  it('never fails a call, and keeps the observations of a failed write', async () => {
    const warn = vi.fn();
    const { learner, api } = connect({ logger: { warn } });
    writeFileSync(file, 'not JSON');
    expect(await api.crm.users.list()).toHaveLength(2);
    await learner.close();
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/could not write .*not JSON/));
    expect(readFileSync(file, 'utf8')).toBe('not JSON');
  });

  it('passes replies to a validator', async () => {
    const learner = createLearner({ file, validate: createResponseValidator({ onInvalid: 'throw' }) });
    const api = createClient({
      baseUrl: 'https://api.example.com',
      auth: null,
      fetch: async () => Response.json({ data: [{ id: 'x' }] }),
      validate: learner,
    });
    await expect(api.crm.users.list()).rejects.toMatchObject({ name: 'ResponseError' });
    await learner.close();
    expect(repliesOf('listUsers')).toBe(1);
  });

  it('throws for an invalid file, a file of several accounts, and a missing folder', () => {
    writeFileSync(file, '{}');
    expect(() => createLearner({ file })).toThrow(/has no observations/);
    const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
    writeFileSync(
      file,
      JSON.stringify({ carillonObserved: 1, accounts: Object.fromEntries(ids.map((id) => [id, {}])) }),
    );
    expect(() => createLearner({ file })).toThrow(/of 2 accounts.*carillon learn merge/);
    expect(() => createLearner({ file: join(folder, 'none', 'observed.json') })).toThrow(/does not exist/);
  });
});

describe('the option validate', () => {
  it('ignores an error of observe', async () => {
    const observe = vi.fn(() => {
      throw new Error('broken');
    });
    const api = createClient({
      baseUrl: 'https://api.example.com',
      auth: null,
      fetch: async () => Response.json({ data: [] }),
      validate: { onInvalid: 'report', check: () => [], observe },
    });
    expect(await api.crm.users.list()).toEqual([]);
    expect(observe).toHaveBeenCalledExactlyOnceWith('listUsers', 200, { data: [] });
  });
});

describe('observe', () => {
  function client(observe: ResponseValidator['observe'], answers: Response[]) {
    let isFirst = true;
    return createClient({
      baseUrl: 'https://api.example.com',
      auth: {
        async getToken() {
          if (!isFirst) throw new Error('no token');
          isFirst = false;
          return 'token';
        },
      },
      fetch: async () => answers.shift() ?? Response.error(),
      validate: { onInvalid: 'report', check: () => [], observe },
    });
  }

  it.each([
    [
      'throws',
      () => {
        throw new Error('observe failed');
      },
    ],
    ['rejects', () => Promise.reject(new Error('observe failed'))],
  ])('does not fail a call if it %s', async (_, observe) => {
    const api = client(observe, [Response.json({ data: [] })]);
    await expect(api.crm.users.list()).resolves.toEqual([]);
  });

  it('is called for a 401 if no other token is available', async () => {
    const statuses: number[] = [];
    const api = client((_, status) => void statuses.push(status), [Response.json({}, { status: 401 })]);
    await expect(api.crm.users.list()).rejects.toThrow('auth.getToken failed');
    expect(statuses).toEqual([401]);
  });
});
