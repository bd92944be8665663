import { expect, test, vi } from 'vitest';

// Two tests, in this order. The first ends like a test that fails before it restores its fakes.
test('a test fakes time, a global, a variable of the environment and the console', () => {
  vi.useFakeTimers({ now: 0 });
  vi.stubGlobal('fetch', 'a stub');
  vi.stubEnv('HOME', 'a stub');
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect(Date.now()).toBe(0);
});

test('the next test finds the real ones', () => {
  expect(vi.isFakeTimers()).toBe(false);
  expect(fetch).toBeTypeOf('function');
  expect(process.env.HOME).not.toBe('a stub');
  expect(vi.isMockFunction(console.warn)).toBe(false);
});
