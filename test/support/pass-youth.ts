import { onTestFinished, vi } from 'vitest';
import { maxYouth } from '../../src/client/core/client-credentials.ts';

/** The real clock, taken before a test replaces it. */
const now = performance.now.bind(performance);
let ahead = 0;

/** Advances the monotonic clock of this process so far that a refusal replaces every access token that was issued before. */
export function passYouth(): void {
  ahead += maxYouth;
  const advanced = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  onTestFinished(() => {
    advanced.mockRestore();
    ahead = 0;
  });
}
