import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const core = fileURLToPath(new URL('../../../src/client/core/call.ts', import.meta.url));

/** Programs that use a failed call, each with its number of unhandled rejections. */
const cases: Record<string, readonly [program: string, count: number]> = {
  'nobody reads': ['', 1],
  'one reader takes': ['call.catch(() => undefined);', 0],
  'withResponse takes': ['call.withResponse().catch(() => undefined);', 0],
  'two readers take': ['call.catch(() => undefined); call.withResponse().catch(() => undefined);', 0],
  'a reader passes on': ['call.then(() => undefined);', 1],
};

test('a failed call causes the unhandled rejections of one promise', async () => {
  const programs = Object.entries(cases).map(
    ([what, [program]]) => `${JSON.stringify(what)}: (call) => { ${program} }`,
  );
  const script = `
    import { setImmediate } from 'node:timers/promises';
    import { toMethodCall } from ${JSON.stringify(core)};
    let count = 0;
    process.on('unhandledRejection', () => { count += 1; });
    const counts = {};
    for (const [what, read] of Object.entries({ ${programs.join(', ')} })) {
      count = 0;
      read(toMethodCall(Promise.reject(new Error("reset")), {}));
      await setImmediate();
      await setImmediate();
      counts[what] = count;
    }
    console.log(JSON.stringify(counts));`;
  // An unhandled rejection in this process would fail the run.
  const args = ['--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
  expect(JSON.parse(stdout)).toEqual(
    Object.fromEntries(Object.entries(cases).map(([what, [, count]]) => [what, count])),
  );
});
