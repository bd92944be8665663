import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Connection } from '../../../src/cli/catalogue/index.ts';
import { createClient } from '../../../src/client/client.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { carillon, type Surroundings } from '../../support/terminal.ts';

const baseUrl = 'https://api.example.com';

/** A connection to a service that is a sandbox, or answers as the test says. */
function connectionTo(fetch: NonNullable<Parameters<typeof createClient>[0]['fetch']>, options = {}): Connection {
  return {
    client: createClient({ ...options, baseUrl, auth: { apiKey: 'k' }, maxRetries: 0, fetch }),
    isSandbox: false,
    baseUrl,
  };
}

/** A service that answers with these bodies or statuses, one after the other. */
function answering(...answers: (object | number)[]): Surroundings {
  let at = 0;
  return {
    connect: async () =>
      connectionTo(async () => {
        const answer = answers[Math.min(at, answers.length - 1)] ?? 500;
        at += 1;
        return typeof answer === 'number' ? new Response('{}', { status: answer }) : Response.json(answer);
      }),
  };
}

const push = (status: number) => ({ id: 8101, status });
const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('--watch', () => {
  const watch = ['messaging', 'push', 'campaigns', 'get', '8101', '--watch'];

  it('repeats a read until a final state of the spec, and writes each change once', async () => {
    const waits: number[] = [];
    const { code, output, errors } = await carillon(watch, {
      ...answering(push(0), push(2), push(2), push(3), push(0)),
      wait: async (milliseconds) => void waits.push(milliseconds),
    });
    expect([code, lines(output), waits]).toEqual([0, [push(0), push(2), push(3)], [10_000, 10_000, 10_000]]);
    expect(errors).toBe('Every 10 s, until status is 3, 12, 16, 30. Ctrl+C stops.\n');
  });

  it('does not take a state for final that only some campaigns end in', async () => {
    const { output } = await carillon(watch, answering(push(8), push(16)));
    expect(lines(output)).toEqual([push(8), push(16)]);
  });

  it('ends at --until, and says if the documents do not name an end', async () => {
    const get = ['messaging', 'campaigns', 'get', '1', '--watch', '--every', '2'];
    const ended = await carillon([...get, '--until', 'status=sent'], answering({ status: null }, { status: 'sent' }));
    expect([ended.code, lines(ended.output).length]).toEqual([0, 2]);
    const abort = new AbortController();
    const stopped = await carillon(get, {
      ...answering({ status: 'sent' }),
      signal: abort.signal,
      wait: async () => {
        abort.abort(new Error('Interrupted'));
        throw new Error('aborted');
      },
    });
    expect(stopped.code).toBe(130);
    expect(stopped.errors).toContain('the documents do not say when it is done (--until name=value)');
  });

  it('fails when the record is final without the state of --until, which will then not come', async () => {
    const { code, output, errors } = await carillon([...watch, '--until', 'status=2'], answering(push(0), push(3)));
    expect([code, lines(output)]).toEqual([11, [push(0), push(3)]]);
    expect(errors).toContain('status is 3, which is final: it will not become 2');
    const reached = await carillon([...watch, '--until', 'status=3'], answering(push(0), push(3)));
    expect(reached.code).toBe(0);
  });

  it('goes on after a passing failure, and ends after five in a row or another one', async () => {
    const passing = await carillon(watch, answering(503, 503, 503, 503, push(2), 503, push(3)));
    expect([passing.code, lines(passing.output)]).toEqual([0, [push(2), push(3)]]);
    expect((await carillon(watch, answering(503))).code).toBe(8);
    expect((await carillon(watch, answering(push(2), 404))).code).toBe(5);
  });

  it.each([
    ['--every 0', '--every must be a number of seconds from 1 to 86400'],
    ['--until status', '--until takes name=value'],
    ['--until state=3', 'returned no field state. The fields are id, status.'],
  ])('refuses %s', async (option, message) => {
    const { code, errors } = await carillon([...watch, ...option.split(' ')], answering(push(2)));
    expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
  });

  it('is no option of calls that change something, and needs itself for --every', async () => {
    expect((await carillon(['crm', 'deals', 'delete', '501', '--watch'])).code).toBe(2);
    expect((await carillon(['crm', 'deals', 'get', '501', '--every', '5'])).errors).toContain('need --watch');
    expect((await carillon(['crm', 'contacts', 'list', '--watch', '--all'])).errors).toContain('Remove --all');
  });
});

describe('an argument', () => {
  it.each([
    ['as a flag', ['--deal-id', '501']],
    ['as a flag with a sign', ['--deal-id=501']],
    ['as a literal flag', ['--deal-id', '@=501']],
    ['in its place', ['501']],
  ])('can be given %s', async (_, words) => {
    const { code, output } = await carillon(['--sandbox', 'crm', 'deals', 'get', ...words, '--json', 'id']);
    expect([code, JSON.parse(output)]).toEqual([0, { id: 501 }]);
  });

  it('can be a flag while another one is in its place', async () => {
    for (const words of [
      ['--tag-id', '15', '3002'],
      ['15', '--contact-id', '3002'],
      ['--contact-id', '3002', '--tag-id', '15'],
    ]) {
      const { output } = await carillon(['crm', 'tags', 'assign', ...words, '--dry-run']);
      expect(output).toContain('/contact-tags/15/contact/3002');
    }
  });

  it('cannot be given twice, and is needed once', async () => {
    const twice = await carillon(['crm', 'deals', 'get', '501', '--deal-id', '502']);
    expect([twice.code, twice.errors]).toEqual([2, expect.stringContaining("takes no argument '501'")]);
    const missing = await carillon(['crm', 'deals', 'get']);
    expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining("Missing required argument 'deal-id'")]);
  });

  it('is a column of --each, or a flag for all rows', async () => {
    const rows = 'contactId\n3002\n';
    const { output } = await carillon(['crm', 'tags', 'assign', '--each', 'r.csv', '--tag-id', '15', '--dry-run'], {
      files: { 'r.csv': rows },
    });
    expect(output).toContain('/contact-tags/15/contact/3002');
  });
});

/** Two accounts, each with a contact of its own name. */
function twoAccounts(failing?: string): Surroundings {
  return {
    connect: async ({ env }) => {
      const name = env?.CARILLON_PROFILE ?? '';
      return connectionTo(async () =>
        name === failing
          ? new Response('{}', { status: 401 })
          : Response.json({ data: { list: [{ id: 1, firstName: name }], total: 1 } }),
      );
    },
  };
}

describe('two accounts side by side', () => {
  const list = ['crm', 'contacts', 'list', '--profile', 'one', '--profile', 'other'];

  it.each([
    ['json', '{"one":[{"id":1,"firstName":"one"}],"other":[{"id":1,"firstName":"other"}]}'],
    ['ndjson', '{"profile":"one","id":1,"firstName":"one"}{"profile":"other","id":1,"firstName":"other"}'],
    ['csv', 'profile,id,firstNameone,1,oneother,1,other'],
    ['text', 'one1oneother1other'],
    ['table', 'one:IDFIRSTNAME1oneother:IDFIRSTNAME1other'],
  ])('are written as %s', async (format, expected) => {
    const { code, output } = await carillon([...list, '--output', format], twoAccounts());
    expect([code, output.replace(/\s/g, '')]).toEqual([0, expected]);
  });

  it('show what succeeded if one of them fails, with the code of the failure', async () => {
    const { code, output, errors } = await carillon(list, twoAccounts('one'));
    expect([code, JSON.parse(output)]).toEqual([4, { other: [{ id: 1, firstName: 'other' }] }]);
    expect(errors).toMatch(/^one: carillon: /m);
  });

  it('are refused for a call that changes something, twice the same, and with --sandbox', async () => {
    const connect = vi.fn();
    for (const [words, message] of [
      ['crm deals delete 501 --yes --profile one --profile other', 'takes one --profile'],
      ['crm contacts list --profile one --profile one', 'named twice'],
      ['crm contacts list --sandbox --profile one --profile other', '--sandbox takes one'],
    ] as const) {
      const { code, errors } = await carillon(words.split(' '), { connect });
      expect([code, errors]).toEqual([2, expect.stringContaining(message)]);
    }
    expect(connect).not.toHaveBeenCalled();
  });
});

describe('carillon api', () => {
  const body =
    '{\n\t"id" : 12345678901234567890, "name":"\\u00e9\\/x", "id": 1.0,\n "list":[ {"api_key":"hush", "b":[1]} ],"access_token" : {"a":"hush"}, "z":1e2 }\n';
  const service = (text: string): Surroundings => ({
    connect: async ({ options }) =>
      connectionTo(async () => new Response(text, { headers: { 'content-type': 'application/json' } }), options),
  });

  it('prints the body as it came, without credentials', async () => {
    const { output } = await carillon(['api', 'GET', '/crm/v1/deals/501'], service(body));
    expect(output).toBe(body.replace('"hush", "b"', '"[hidden]", "b"').replace('{"a":"hush"}', '"[hidden]"'));
  });

  it('hides the own key in any field of a reply', async () => {
    const { output } = await carillon(['api', 'GET', '/crm/v1/deals/501'], {
      ...service('{"echo": "Bearer key-of-the-test", "name":"key-of"}\n'),
      env: { CARILLON_BASE_URL: baseUrl, CARILLON_API_KEY: 'key-of-the-test' },
    });
    expect(output).toBe('{"echo": "Bearer [hidden]", "name":"key-of"}\n');
  });

  it('finds the ends of texts after escaped quotes and backslashes', async () => {
    const text = '{"a":"\\"x\\"", "b":"\\\\", "token_type":"x", "secret" : "hush" }';
    const { output } = await carillon(['api', 'GET', '/crm/v1/deals/501'], service(text));
    expect(output).toBe(text.replace('"hush"', '"[hidden]"'));
  });

  it('ends the line on a terminal, and replaces control characters there', async () => {
    const { output } = await carillon(['api', 'GET', '/crm/v1/deals/501'], {
      ...service('{"a":"\u009b31m"}'),
      isTerminal: { output: true },
    });
    expect(output).toMatch(/^\{"a":"[^\u009b]31m"\}\n$/);
  });
});

it.each([
  ['watch campaign', 'carillon messaging push campaigns get 8101 --watch'],
  ['compare accounts', 'carillon crm tags list --profile staging --profile live'],
  ['undo changes', 'carillon history'],
])('carillon search finds the task: %s', async (words, line) => {
  expect((await carillon(['search', ...words.split(' ')])).output).toContain(line);
});

describe('carillon history', () => {
  const email = 'Ann.Kowal@example.com';

  function service() {
    const stateFolder = mkdtempSync(join(tmpdir(), 'carillon-history-'));
    onTestFinished(() => rmSync(stateFolder, { recursive: true, force: true }));
    const sandbox = createSandbox();
    const surroundings: Surroundings = {
      stateFolder,
      connect: async ({ options }) => ({ ...connectionTo(sandbox.fetch, options), profile: 'staging' }),
    };
    const run = (line: string, more: Surroundings = {}) => carillon(line.split(' '), { ...surroundings, ...more });
    return { file: join(stateFolder, 'history.ndjson'), run };
  }

  it('shows time, account, method, the record by its ID, and what undoes it', async () => {
    const { run, file } = service();
    await run('crm tags assign 15 3002');
    await run('crm deals create --pipeline-id 1 --step-id 11 --name Secret');
    await run('crm contacts delete 3001 --yes');
    await run('crm contacts list');
    const { output } = await run('history');
    const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ`;
    expect(output).toMatch(
      new RegExp(
        [
          `^${time}  staging  crm\\.tags\\.assign  tagId 15, contactId 3002`,
          '  undo: carillon crm tags unassign 15 3002',
          `${time}  staging  crm\\.deals\\.create  ID (\\d+)`,
          '  undo: no call undoes it|  undo: carillon crm deals delete \\1',
        ].join('\n'),
      ),
    );
    expect(output).toMatch(/crm\.contacts\.delete {2}contactId 3001\n {2}undo: no call undoes it\n$/);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readFileSync(file, 'utf8')).not.toContain('Secret');
  });

  it('has addresses and numbers only as hashes, and finds calls about them', async () => {
    const { run, file } = service();
    await run(`email unsubscribes add --emails {"email":"${email}"}`);
    await run('messaging blacklist add --phones 15550100777');
    await run('email domains add example.org --yes');
    const text = readFileSync(file, 'utf8').toLowerCase();
    for (const value of ['kowal', 'example.com', '15550100777', 'example.org']) expect(text).not.toContain(value);
    const methodsAbout = async (about: string) =>
      lines((await run(`history --json --about ${about}`)).output || '0').map((entry) => Object(entry).method);
    expect(await methodsAbout('ann.kowal@example.com')).toEqual(['email.unsubscribes.add']);
    expect(await methodsAbout('+1-555-010-0777')).toEqual(['messaging.blacklist.add']);
    expect(await methodsAbout('example.org')).toEqual(['email.domains.add']);
    expect((await run('history --about nobody@example.com')).errors).toBe('No call concerned nobody@example.com.\n');
  });

  it('records a call whose reply was lost, and none that was refused or went to a sandbox', async () => {
    const { run, file } = service();
    const failing = (answer: () => Promise<Response>): Surroundings => ({
      connect: async () => connectionTo(answer),
    });
    await run(
      'crm tags create --name A',
      failing(async () => new Response('{}', { status: 422 })),
    );
    await run('--sandbox crm tags create --name A', { connect: undefined });
    expect(existsSync(file)).toBe(false);
    await run(
      'crm tags create --name A',
      failing(async () => Promise.reject(new TypeError('terminated'))),
    );
    expect((await run('history')).output).toContain('the reply was lost: it may have been processed');
  });

  it('counts the rows of --each, and has calls by path', async () => {
    const { run } = service();
    const folder = mkdtempSync(join(tmpdir(), 'carillon-rows-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const rows = join(folder, 'tags.csv');
    writeFileSync(rows, 'name\nOne\nTwo\n');
    await run(`crm tags create --each ${rows}`);
    await run('api DELETE /crm/v1/contact-tags/16 --yes');
    const { output } = await run('history');
    expect(output).toMatch(/crm\.tags\.create {2}2 rows\n.*crm\.tags\.delete {2}tagId 16\n/);
  });

  it('is off with an option, for one call or for all', async () => {
    const { run, file } = service();
    await run('crm tags create --name A --no-history');
    await run('api POST /crm/v1/contact-tags --set name=B --no-history');
    expect(existsSync(file)).toBe(false);
    await run('history --off');
    await run('crm tags create --name C');
    await run('history --clear');
    await run('crm tags create --name D');
    const off = await run('history');
    expect([off.output, off.errors]).toEqual(['', expect.stringContaining('No history is kept')]);
    await run('history --on');
    await run('crm tags create --name E');
    expect((await run('history')).output).toContain('crm.tags.create');
    await run('history --clear');
    expect(existsSync(file)).toBe(false);
  });

  it('needs something to look for', async () => {
    const { run } = service();
    const { code, errors } = await carillon(['history', '--about', ' ']);
    expect([code, errors]).toEqual([2, expect.stringContaining('--about takes an address, a number or an ID')]);
    expect((await run('history')).code).toBe(0);
  });

  it('forgets a call after 90 days', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { run, file } = service();
    await run('crm tags create --name A');
    vi.setSystemTime(Date.now() + 89 * 86_400_000);
    await run('crm tags create --name B');
    expect(lines((await run('history --json')).output)).toHaveLength(2);
    vi.setSystemTime(Date.now() + 2 * 86_400_000);
    expect(lines((await run('history --json')).output)).toHaveLength(1);
    await run('crm tags create --name C');
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(3);
  });

  it('that others can read, or is damaged, does not fail a call', async () => {
    const { run, file } = service();
    for (const damaged of ['damaged\n{"time":\n', '', '{"key":"k"}\n{"time":"20']) {
      writeFileSync(file, damaged, { mode: 0o600 });
      expect((await run('messaging blacklist add --phones 15550100777')).code).toBe(0);
      expect((await run('history --about 15550100777')).output).toContain('messaging.blacklist.add');
    }
    chmodSync(file, 0o644);
    const before = readFileSync(file, 'utf8');
    const { code, errors } = await run('crm tags create --name B');
    expect([code, errors]).toEqual([
      0,
      expect.stringContaining('The call is not in carillon history: Others can read'),
    ]);
    expect((await run('crm tags create --name B --quiet')).errors).toBe('');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect((await run('history')).code).toBe(3);
  });
});
