import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Programs } from '../../../src/cli/mcp/run/programs.ts';
import { connectAgent } from './connect.ts';

/** Short, because most of these programs use a full core until then. */
const deadline = 250;
const worker = new URL('../../../src/cli/bin/mcp-worker.ts', import.meta.url);

const hostile = {
  loops: 'while (true) {}',
  'loops in a promise': 'const again = () => Promise.resolve().then(again); await again();',
  'fills the memory': 'const all = []; while (true) all.push(new Array(1e5).fill(all.length));',
  'builds a long text': "let text = 'x'; while (true) text += text;",
  'calls itself': 'const f = () => f() + f(); return f();',
  'never ends': 'await new Promise(() => {});',
  'runs a costly pattern': "return /^(a+)+$/.test('a'.repeat(40) + 'b');",
  'returns too much': "return 'x'.repeat(5e7);",
  'asks without waiting': "while (true) call('crm.users.list');",
  'asks without end': "while (true) await call('crm.users.list');",
};

it('hostile programs end within half a second after their deadline, and other calls still get answers', async () => {
  const { call, close } = await connectAgent('2026-07-28', { programs: new Programs(worker, ['read'], deadline) });
  const left = Object.entries(hostile);
  while (left.length > 0) {
    // One program per core.
    const programs = left.splice(0, 2);
    const open = new Set(programs.map(([what]) => what));
    let late: string[] = [];
    onTooLate(programs.length, () => {
      late = [...open];
    });
    const running = programs.map(async ([what, program]) => {
      const { text } = await call('run', { program }).finally(() => open.delete(what));
      expect(text.length).toBeLessThan(25_000);
    });
    let answered = 0;
    let slowest = 0;
    while (open.size > 0) {
      const before = process.threadCpuUsage();
      await call('describe', { methods: ['crm.users.list'] });
      const { user, system } = process.threadCpuUsage(before);
      slowest = Math.max(slowest, (user + system) / 1_000);
      answered += 1;
      await turn();
    }
    await Promise.all(running);
    expect([programs.map(([what]) => what), late, answered > 3]).toEqual([expect.anything(), [], true]);
    expect(slowest).toBeLessThan(500);
  }
  await close();
});

/**
 * Acts half a second after the deadline of the last program. Uses this process's timers, and answers are measured in this thread's
 * processor time, so that load on the machine does not change the outcome.
 */
function onTooLate(programs: number, act: () => void): void {
  let started = 0;
  const listener = (): void => {
    started += 1;
    if (started < programs) return;
    unsubscribe('worker_threads', listener);
    setTimeout(() => setTimeout(afterTurns, 500, 50), deadline);
  };
  // Let due events arrive first.
  const afterTurns = (turns: number): unknown => (turns === 0 ? act() : setImmediate(afterTurns, turns - 1));
  subscribe('worker_threads', listener);
}
