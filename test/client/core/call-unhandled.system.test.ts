import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const core = fileURLToPath(new URL('../../../src/client/core/call.ts', import.meta.url));

/** Counts the unhandled rejections of a program in its own process, because one would fail this run. */
async function unhandledRejections(program: string): Promise<number> {
  const script = `
    import { toMethodCall } from ${JSON.stringify(core)};
    let count = 0;
    process.on('unhandledRejection', () => { count += 1; });
    const call = toMethodCall(Promise.reject(new Error("reset")));
    ${program}
    setImmediate(() => setImmediate(() => console.log(count)));`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { timeout: 30_000 });
  return Number(stdout);
}

test.each([
  ['nobody reads', '', 1],
  ['one reader takes', 'call.catch(() => undefined);', 0],
  ['withResponse takes', 'call.withResponse().catch(() => undefined);', 0],
  ['two readers take', 'call.catch(() => undefined); call.withResponse().catch(() => undefined);', 0],
  ['a reader passes on', 'call.then(() => undefined);', 1],
])('a failure that %s causes the unhandled rejections of one promise', async (_, program, count) => {
  expect(await unhandledRejections(program)).toBe(count);
});
