import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { consentMilliseconds } from '../../../src/cli/mcp/consent.ts';
import { createContext } from '../../../src/cli/mcp/context.ts';
import { limits } from '../../../src/cli/mcp/run/messages.ts';
import { Programs, type RunOutcome } from '../../../src/cli/mcp/run/programs.ts';
import { createSession } from '../../../src/cli/mcp/session.ts';
import { yes } from './connect.ts';

const context = await createContext({ sandbox: true, warn() {}, version: '0' });
const url = new URL('../../../src/cli/bin/mcp-worker.ts', import.meta.url);
const loop = 'while (true) {}';
const deletion = "await call('crm.contacts.delete', { contactId: 3001 });";

/** Worker threads that this process has started. */
let workers: Worker[] = [];
const collect = (message: unknown): void => {
  const worker: unknown = Object(message).worker;
  if (worker instanceof Worker) workers.push(worker);
};

beforeEach(() => {
  workers = [];
  subscribe('worker_threads', collect);
  // The threads are real, but the clock is moved to reach deadlines.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(async () => {
  vi.useRealTimers();
  unsubscribe('worker_threads', collect);
  await Promise.all(workers.map((worker) => worker.terminate()));
});

/** An ended thread has the ID -1. */
const alive = (): number => workers.filter(({ threadId }) => threadId !== -1).length;

async function start(program: string, signal = new AbortController().signal) {
  const programs = new Programs(url, ['read', 'delete']);
  const go = (answered: { question?: string; answer?: unknown } = {}): Promise<RunOutcome> =>
    programs.run(context, program, { canAsk: true, signal, session: createSession(), ...answered });
  const outcome = go();
  const [worker] = workers;
  if (!worker) throw new Error('No thread was started');
  await once(worker, 'online');
  return { programs, outcome, go };
}

describe('the thread of a program ends', () => {
  afterEach(async () => {
    expect(workers).toHaveLength(1);
    await vi.waitFor(() => expect(alive()).toBe(0), { timeout: 15_000 });
  });

  it('at the deadline, not before', async () => {
    const { outcome } = await start(loop);
    vi.advanceTimersByTime(limits.milliseconds - 1);
    expect(alive()).toBe(1);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(1_000);
    expect(await outcome).toEqual({ kind: 'failure', text: expect.stringContaining('It was ended after 10 seconds.') });
  });

  it('when the client cancels it', async () => {
    const stop = new AbortController();
    const { outcome } = await start(loop, stop.signal);
    stop.abort();
    vi.advanceTimersByTime(1_000);
    expect(await outcome).toMatchObject({ text: expect.stringContaining('The client cancelled it.') });
  });

  it('when the server ends', async () => {
    const { programs, outcome } = await start(loop);
    programs.close();
    vi.advanceTimersByTime(1_000);
    expect(await outcome).toMatchObject({ text: expect.stringContaining('The server is stopping.') });
  });

  it('after its result, even if work is pending', async () => {
    const { outcome } = await start('return 1');
    await vi.waitFor(() => expect(alive()).toBe(0), { timeout: 15_000 });
    expect(await outcome).toEqual({ kind: 'text', text: expect.stringContaining('\n1\n') });
  });

  it('if its question is unanswered for ten minutes', async () => {
    const { outcome, go } = await start(`${deletion} return 1`);
    const asked = await outcome;
    vi.advanceTimersByTime(consentMilliseconds - 1);
    expect([asked.kind, alive()]).toEqual(['question', 1]);
    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(alive()).toBe(0), { timeout: 15_000 });
    const late = asked.kind === 'question' ? { question: asked.id, answer: yes('') } : {};
    expect(await go(late)).toMatchObject({ text: expect.stringContaining('Nothing was sent.') });
  });

  it("after a deadline that excludes the person's thinking time", async () => {
    const { outcome, go } = await start(`${deletion} ${loop}`);
    const asked = await outcome;
    vi.advanceTimersByTime(consentMilliseconds / 2);
    const going = go(asked.kind === 'question' ? { question: asked.id, answer: yes('') } : {});
    await vi.waitFor(() => expect(context.sandbox?.requests.at(-1)?.operation).toBe('deleteContact'), 15_000);
    vi.advanceTimersByTime(limits.milliseconds / 2);
    expect([asked.kind, alive()]).toEqual(['question', 1]);
    vi.advanceTimersByTime(limits.milliseconds / 2 + 1_000);
    expect(await going).toMatchObject({ text: expect.stringContaining('It was ended after 10 seconds.') });
  });
});

it('runs at most four programs at a time', async () => {
  const { programs, outcome, go } = await start(loop);
  const outcomes = [outcome, ...Array.from({ length: 5 }, () => go())];
  const refused = { kind: 'failure', text: '4 programs already run. This one did not run.' };
  expect([await outcomes[4], await outcomes[5], workers.length]).toEqual([refused, refused, 4]);
  programs.close();
  vi.advanceTimersByTime(1_000);
  for (const one of await Promise.all(outcomes.slice(0, 4)))
    expect(one).toMatchObject({ text: expect.stringContaining('The server is stopping.') });
  await vi.waitFor(() => expect(alive()).toBe(0), { timeout: 15_000 });
});

it('programs that wait for the person do not block others', async () => {
  const programs = new Programs(url, ['read', 'delete']);
  const go = (program: string): Promise<RunOutcome> =>
    programs.run(context, program, { canAsk: true, signal: new AbortController().signal, session: createSession() });
  const asked = await Promise.all(Array.from({ length: 4 }, () => go(deletion)));
  expect(asked.map(({ kind }) => kind)).toEqual(['question', 'question', 'question', 'question']);
  expect(await go('return 1')).toEqual({ kind: 'text', text: expect.stringContaining('\n1\n') });
  programs.close();
});
