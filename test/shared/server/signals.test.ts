import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { closeOnSignal } from '../../../src/shared/server/signals.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.each(signals)('%s closes the server once, and a second signal is left to Node', (signal) => {
  vi.stubEnv('npm_lifecycle_event', '');
  const before = signals.map((name) => process.listenerCount(name));
  const close = vi.fn(async () => undefined);
  closeOnSignal({ close });
  const [listener] = process.listeners(signal).slice(-1);
  listener?.(signal);
  expect(close).toHaveBeenCalledTimes(1);
  expect(signals.map((name) => process.listenerCount(name))).toEqual(before);
});

test('a server started by npm closes when its parent process is gone', () => {
  vi.stubEnv('npm_lifecycle_event', 'mock');
  const parent = vi.spyOn(process, 'ppid', 'get').mockReturnValue(100);
  const close = vi.fn(async () => undefined);
  closeOnSignal({ close });
  vi.advanceTimersByTime(500);
  expect(close).not.toHaveBeenCalled();
  parent.mockReturnValue(1);
  vi.advanceTimersByTime(500);
  expect(close).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5_000);
  expect(close).toHaveBeenCalledTimes(1);
});
