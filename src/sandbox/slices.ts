/** Long work in steps: it can rest at every `yield`. */
export type Steps<Result = void> = Generator<void, Result>;

/** Longest time without a rest, in milliseconds. */
const slice = 15;

/** Does long work without a rest. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does long work in slices. Others, such as requests, have their turn in between. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + slice;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < end);
    await nextTurn();
  }
}

/** The next turn of the event loop. Unlike a timer, a message has no least delay in a browser. */
function nextTurn(): Promise<void> {
  if (typeof setImmediate === 'function') return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
