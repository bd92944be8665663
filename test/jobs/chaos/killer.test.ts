import { expect, test, vi } from 'vitest';
import { Killer } from './killer.ts';

test('kills do not outpace the work on a busy machine', () => {
  vi.useFakeTimers();
  try {
    let requests = 5;
    let kills = 0;
    const killOne = (): void => {
      kills += 1;
    };
    const killer = new Killer({ killOne }, () => requests, 80);
    killer.start();
    vi.advanceTimersByTime(60_000);
    expect(kills).toBe(0);
    requests = 90;
    vi.advanceTimersByTime(60_000);
    expect(kills).toBe(1);
    requests = 1_000;
    vi.advanceTimersByTime(60_000);
    expect(kills).toBe(2);
    killer.stop();
    requests = 2_000;
    vi.advanceTimersByTime(60_000);
    expect(kills).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
