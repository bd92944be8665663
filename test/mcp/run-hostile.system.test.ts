import { expect, it } from 'vitest';
import { Programs } from '../../src/mcp/run/programs.ts';
import { type Connected, connectAgent } from './connect.ts';

const deadline = 500;
const worker = new URL('../../src/bin/mcp-worker.ts', import.meta.url);

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

it('hostile programs end within half a second of their deadline, while other calls are answered', async () => {
  const agent = await connectAgent('2026-07-28', { programs: new Programs(worker, ['read'], deadline) });
  const left = Object.entries(hostile);
  // Two at a time, as there are two cores.
  while (left.length > 0) await Promise.all(left.splice(0, 2).map(([what, program]) => prove(agent, what, program)));
  await agent.close();
});

async function prove({ call }: Connected, what: string, program: string): Promise<void> {
  let ended = 0;
  // A timer of this process, so that a machine that is busy with other things delays both.
  const due = new Promise<number>((resolve) => setTimeout(() => resolve(performance.now()), deadline));
  const running = call('run', { program }).finally(() => {
    ended = performance.now();
  });
  let answered = 0;
  let slowest = 0;
  while (ended === 0) {
    const before = performance.now();
    await Promise.race([call('describe', { methods: ['crm.users.list'] }), running]);
    slowest = Math.max(slowest, performance.now() - before);
    if (ended === 0) answered += 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { text } = await running;
  const late = ended - (await due);
  const found = { what, isInTime: late <= 500, isAnswered: answered > 10 && slowest < deadline };
  expect(found, `${late} ms late, slowest ${slowest} ms`).toEqual({ what, isInTime: true, isAnswered: true });
  expect(text.length).toBeLessThan(25_000);
}
