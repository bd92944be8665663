import { existsSync, readFileSync, statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findMethod } from '../../../src/cli/catalogue/index.ts';
import { CallSet, KeptSets } from '../../../src/cli/mcp/call-set.ts';

import type { ReadyCall } from '../../../src/cli/mcp/outcome.ts';
import { createSession } from '../../../src/cli/mcp/session.ts';
import { type Answer, connectAgent, no, type Version, versions, yes } from './connect.ts';
import { slowContext } from './slow-context.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const notes = (count: number) => Array.from({ length: count }, (_, at) => ({ dealId: 501, message: `Note ${at}` }));
const create = 'crm.deals.comments.create';
const limit = 45_000;

describe.each(Object.keys(versions) as Version[])('a set of calls, with a client of %s', (version) => {
  it('ends at the time limit with what was done, and goes on when it is repeated, with no call twice', async () => {
    const { context, changes, sent, open } = await slowContext(6);
    const agent = await connectAgent(version, { context, answer: yes });
    onTestFinished(() => agent.close());
    const first = agent.call('write', { method: create, calls: notes(9) });
    await sent(7);
    await vi.advanceTimersByTimeAsync(limit);
    const { text, isError } = await first;
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(
        /^crm\.deals\.comments\.create: stopped, because the request reached its time limit\. 6 of 9 calls were made: 6 succeeded, 0 failed; calls\[6\] was sent but has no response yet, so it may have been processed; calls that were not sent: 2\.\nnext: Call crm\.deals\.comments\.create again with set: "[\w-]{36}" or the same calls/,
      ),
    ]);
    expect(changes).toHaveLength(7);
    open();
    const second = await agent.call('write', { method: create, calls: notes(9) });
    expect([second.isError, second.text]).toEqual([false, expect.stringContaining('9 of 9 calls succeeded.')]);
    expect(changes).toHaveLength(9);
    expect(new Set(changes).size).toBe(9);
    // Afterwards, the same calls are new ones.
    await agent.call('write', { method: create, calls: notes(9) });
    expect(changes).toHaveLength(18);
  });

  it('goes on by its handle, with the tool of its effect and for its method only', async () => {
    const { context, changes, sent, open } = await slowContext(1);
    const agent = await connectAgent(version, { context, answer: yes });
    onTestFinished(() => agent.close());
    const first = agent.call('write', { method: create, calls: notes(3) });
    await sent(2);
    await vi.advanceTimersByTimeAsync(limit);
    const [, set = ''] = /set: "([\w-]+)"/.exec((await first).text) ?? [];
    open();
    expect((await agent.call('delete', { method: create, set })).text).toContain('with the tool "write"');
    expect((await agent.call('write', { method: 'crm.tags.create', set })).text).toContain(
      'no interrupted set has this handle',
    );
    expect((await agent.call('write', { method: create, set: 'x' })).text).toContain(
      'no interrupted set has this handle',
    );
    expect((await agent.call('write', { method: create, set })).text).toContain('3 of 3 calls succeeded.');
    expect(changes).toHaveLength(3);
  });

  it('shows progress after each call, to a client that asks for it', async () => {
    const { context } = await slowContext(9);
    const agent = await connectAgent(version, { context, answer: yes });
    onTestFinished(() => agent.close());
    const seen: [number, number | undefined][] = [];
    await agent.client.callTool(
      { name: 'write', arguments: { method: create, calls: notes(3) } },
      { onprogress: ({ progress, total }) => seen.push([progress, total]) },
    );
    expect(seen).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
  });

  it('is not told to another agent, and another agent cannot go on with it', async () => {
    const { context, changes, sent, open } = await slowContext(1);
    const one = await connectAgent(version, { context, answer: yes });
    const other = await connectAgent(version, { context, answer: yes });
    onTestFinished(async () => {
      await one.close();
      await other.close();
    });
    const first = one.call('write', { method: create, calls: notes(3) });
    await sent(2);
    await vi.advanceTimersByTimeAsync(limit);
    await first;
    open();
    expect((await other.call('write', { method: create, calls: notes(3) })).text).toContain('3 of 3 calls succeeded.');
    expect(changes).toHaveLength(5);
    expect((await one.call('write', { method: create, calls: notes(3) })).text).toContain('3 of 3 calls succeeded.');
    expect(changes).toHaveLength(6);
  });

  it('that the client gave up ends, and the call that repeats it is told what was done', async () => {
    const { context, changes, sent, open } = await slowContext(2);
    const agent = await connectAgent(version, { context, answer: yes });
    onTestFinished(() => agent.close());
    const first = agent.client
      .callTool({ name: 'write', arguments: { method: create, calls: notes(4) } }, { timeout: 20_000 })
      .catch((error: unknown) => String(error));
    await sent(3);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await first).toContain('timed out');
    open();
    await turn();
    expect(changes).toHaveLength(3);
    const told = await agent.call('write', { method: create, calls: notes(4) });
    expect(told.text).toMatch(
      /^crm\.deals\.comments\.create: 2 of 4 calls succeeded\.\ncalls\[2\]: \S+ was cancelled\nsent: maybe .*\nnext: Before you repeat the call, .*\ncalls\[3\]: \S+ not sent, because the request was cancelled\.\n/,
    );
    expect(changes).toHaveLength(3);
    // Afterwards, the same calls are new ones.
    await agent.call('write', { method: create, calls: notes(4) });
    expect(changes).toHaveLength(7);
  });
});

/** A person who answers when the test says so. */
function person() {
  const questions: { message: string; answer(answer: Answer): void }[] = [];
  return {
    questions,
    ask: (message: string) =>
      new Promise<ReturnType<Answer>>((resolve) => {
        questions.push({ message, answer: (answer) => resolve(answer(message)) });
      }),
  };
}

const deletion = (contactId: number) => ({ method: 'crm.contacts.delete', params: { contactId } });

async function withPerson(version: Version) {
  const { questions, ask } = person();
  const agent = await connectAgent(version, { answer: yes });
  agent.client.setRequestHandler('elicitation/create', ({ params }) => ask(params.message));
  onTestFinished(() => agent.close());
  const deleted = (): number =>
    agent.context.sandbox?.requests.filter(({ operation }) => operation === 'deleteContact').length ?? 0;
  const asked = async (count: number): Promise<void> => {
    for (let at = 0; at < 1_000 && questions.length < count; at += 1) await turn();
  };
  return { agent, questions, deleted, asked };
}

describe('a question that is open at the time limit', () => {
  it('ends with nothing done, and an answer that comes later counts for the repeated call', async () => {
    const { agent, questions, deleted, asked } = await withPerson('2025-11-25');
    const first = agent.call('delete', deletion(3001));
    await asked(1);
    await vi.advanceTimersByTimeAsync(limit);
    expect(await first).toEqual({
      isError: true,
      text: expect.stringMatching(
        /^The person did not decide in time\. Nothing was done\. The question stays open\. Repeat the same call/,
      ),
    });
    questions[0]?.answer(yes);
    await vi.advanceTimersByTimeAsync(1);
    expect(deleted()).toBe(0);
    expect((await agent.call('delete', deletion(3001))).isError).toBe(false);
    expect([deleted(), questions.length]).toEqual([1, 1]);
  });

  it('is joined by the repeated call while the person thinks', async () => {
    const { agent, questions, deleted, asked } = await withPerson('2025-11-25');
    const first = agent.call('delete', deletion(3001));
    await asked(1);
    await vi.advanceTimersByTimeAsync(limit);
    await first;
    const second = agent.call('delete', deletion(3001));
    await turn();
    questions[0]?.answer(yes);
    expect((await second).isError).toBe(false);
    expect([deleted(), questions.length]).toEqual([1, 1]);
  });

  it('is declined for the repeated call that waits, and counts once', async () => {
    const { agent, questions, deleted, asked } = await withPerson('2025-11-25');
    const first = agent.call('delete', deletion(3001));
    await asked(1);
    await vi.advanceTimersByTimeAsync(limit);
    await first;
    const second = agent.call('delete', deletion(3001));
    await turn();
    questions[0]?.answer(no);
    expect((await second).text).toContain('the person declined. Nothing was sent.');
    const third = agent.call('delete', deletion(3001));
    await asked(2);
    questions[1]?.answer(yes);
    expect((await third).isError).toBe(false);
    expect([deleted(), questions.length]).toEqual([1, 2]);
  });

  it('counts as declined after a late no, so that the second no is the last question', async () => {
    const { agent, questions, deleted, asked } = await withPerson('2025-11-25');
    for (const count of [1, 2]) {
      const call = agent.call('delete', deletion(3000 + count));
      await asked(count);
      await vi.advanceTimersByTimeAsync(limit);
      await call;
      questions[count - 1]?.answer(no);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect((await agent.call('delete', deletion(3001))).text).toContain('the person declined 2 times');
    expect([deleted(), questions.length]).toEqual([0, 2]);
  });

  it('shows progress while the person thinks', async () => {
    const { agent, questions, asked } = await withPerson('2025-11-25');
    const messages: string[] = [];
    const call = agent.client.callTool(
      { name: 'delete', arguments: deletion(3001) },
      { onprogress: ({ message = '' }) => messages.push(message) },
    );
    await asked(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(messages).toEqual(Array(3).fill('Waiting for the person to answer'));
    questions[0]?.answer(no);
    await call;
  });
});

describe.each(Object.keys(versions) as Version[])('parallel deletes, with a client of %s', (version) => {
  const all = Array.from({ length: 60 }, (_, at) => 3001 + at);

  it('are two questions at most, and end with the second no', async () => {
    const { agent, questions, deleted, asked } = await withPerson(version);
    const calls = all.map((id) => agent.call('delete', deletion(id)));
    await asked(1);
    questions[0]?.answer(no);
    await asked(2);
    questions[1]?.answer(no);
    const results = await Promise.all(calls);
    expect(results.every(({ isError }) => isError)).toBe(true);
    expect(results.at(-1)?.text).toContain('the person declined 2 times');
    expect([deleted(), questions.length]).toEqual([0, 2]);
  });

  it('are asked about one after the other', async () => {
    const { agent, questions, deleted, asked } = await withPerson(version);
    const calls = all.slice(0, 3).map((id) => agent.call('delete', deletion(id)));
    for (const at of [0, 1, 2]) {
      await asked(at + 1);
      expect(questions).toHaveLength(at + 1);
      questions[at]?.answer(yes);
    }
    await Promise.all(calls);
    expect(deleted()).toBe(3);
  });

  it('that were told that nothing was done are not made after a late yes', async () => {
    const { agent, questions, deleted, asked } = await withPerson(version);
    const calls = all.slice(0, 3).map((id) => agent.call('delete', deletion(id)));
    await asked(1);
    await vi.advanceTimersByTimeAsync(limit);
    const waiting = await Promise.all(calls.slice(1));
    expect(waiting.map(({ text }) => text)).toEqual(
      Array(2).fill(
        'crm.contacts.delete: the person did not decide in time, because another question was open. Nothing was done. Put several calls into `calls`, so that the person is asked once, or repeat the call later.',
      ),
    );
    questions[0]?.answer(yes);
    await turn();
    await calls[0];
    expect([deleted(), questions.length]).toEqual([version === '2025-11-25' ? 0 : 1, 1]);
  });
});

/** The file that a question about a set names. */
function listIn(message: string | undefined): string {
  return /^The whole list: (\S+) \(deleted after you answer\)$/m.exec(message ?? '')?.[1] ?? '';
}

describe.each(Object.keys(versions) as Version[])('the question about a set, with a client of %s', (version) => {
  it('says where the whole list is: a private file that exists until the answer', async () => {
    const { agent, questions, asked } = await withPerson(version);
    const calls = [3001, 3002, 3003].map((contactId) => ({ contactId }));
    const call = agent.call('delete', { method: 'crm.contacts.delete', calls });
    await asked(1);
    const file = listIn(questions[0]?.message);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(calls);
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    questions[0]?.answer(no);
    await call;
    expect(existsSync(file)).toBe(false);
  });

  it('loses its list when it expires', async () => {
    const { agent, questions, asked } = await withPerson(version);
    const call = agent.call('delete', { method: 'crm.contacts.delete', calls: [{ contactId: 1 }, { contactId: 2 }] });
    await asked(1);
    const file = listIn(questions[0]?.message);
    expect(existsSync(file)).toBe(true);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(existsSync(file)).toBe(false);
    questions[0]?.answer(no);
    await call;
  });
});

it('a set without a session is found by its handle alone', () => {
  const kept = new KeptSets();
  const method = findMethod(create);
  if (!method) throw new Error(create);
  const ready = notes(2).map((params): ReadyCall => ({ method, params, notes: [] }));
  const [own, shared] = [createSession(), { ...createSession(), isShared: true }];
  const sets = [own, shared].map((session) => {
    const set = new CallSet(method, ready, () => Promise.reject(new Error('not called')));
    kept.keep(set, session);
    return set;
  });
  expect(kept.takeSame(create, ready, shared)).toBe('needs handle');
  expect(kept.take(sets[1]?.handle ?? '', create)).toBe(sets[1]);
  expect(kept.takeSame(create, ready, createSession())).toBeUndefined();
  expect(kept.takeSame(create, ready.slice(1), own)).toBeUndefined();
  expect(kept.takeSame(create, ready, own)).toBe(sets[0]);
  expect(kept.takeSame(create, ready, own)).toBeUndefined();
});
