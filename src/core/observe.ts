/** Runs what only observes: whatever it does, the outcome of the call stays. */
export async function observe(action: () => unknown, onFailure?: () => void): Promise<void> {
  try {
    await action();
  } catch {
    onFailure?.();
  }
}
