import { vi } from 'vitest';

/** Makes long work pause often, as if each of its steps took long, until the end of the test. */
export function slowSteps(): void {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (time += 6));
}
