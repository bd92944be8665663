/** Restores what tests fake, so that a failing test does not affect others. */
import { afterAll, beforeEach, vi } from 'vitest';

const environment = { ...process.env };
const globals = Object.getOwnPropertyDescriptors(globalThis);
const folder = process.cwd();

// Vitest ends its processes with SIGTERM. Without a listener, programs would not remove their temporary files, as they do at their exit.
if (process.listenerCount('SIGTERM') === 0) process.on('SIGTERM', () => process.exit());

// Registered first, so it runs last: a test may close its servers while its time is still faked.
beforeEach(({ onTestFinished }) => {
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
});

// Values shared by the tests of a file last until all have run.
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  Object.defineProperties(globalThis, globals);
  process.chdir(folder);
});
