import { expect, test, vi } from 'vitest';
import { Killer } from './killer.ts';

test('kills that were due while nobody worked do not follow one another', () => {
  vi.useFakeTimers();
  try {
    let isWorking = true;
    let kills = 0;
    const killOne = (): boolean => {
      if (isWorking) kills += 1;
      return isWorking;
    };
    const killer = new Killer({ killOne }, 1_000);
    killer.start();
    vi.advanceTimersByTime(2_500);
    expect(kills).toBe(2);
    isWorking = false;
    vi.advanceTimersByTime(10_000);
    isWorking = true;
    vi.advanceTimersByTime(900);
    expect(kills).toBe(3);
    vi.advanceTimersByTime(1_200);
    expect(kills).toBe(5);
    killer.stop();
    vi.advanceTimersByTime(5_000);
    expect(kills).toBe(5);
  } finally {
    vi.useRealTimers();
  }
});
