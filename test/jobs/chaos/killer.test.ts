import { expect, test, vi } from 'vitest';
import { Killer } from './killer.ts';

test('kills that find nobody at work are not made up for', () => {
  vi.useFakeTimers();
  try {
    let isWorking = true;
    let kills = 0;
    const killOne = (): void => {
      if (isWorking) kills += 1;
    };
    const killer = new Killer({ killOne }, 1_000);
    killer.start();
    vi.advanceTimersByTime(2_500);
    expect(kills).toBe(2);
    isWorking = false;
    vi.advanceTimersByTime(10_000);
    isWorking = true;
    vi.advanceTimersByTime(400);
    expect(kills).toBe(2);
    vi.advanceTimersByTime(1_200);
    expect(kills).toBe(4);
    killer.stop();
    vi.advanceTimersByTime(5_000);
    expect(kills).toBe(4);
  } finally {
    vi.useRealTimers();
  }
});
