/** Long work in steps. It can pause at every `yield`. */
export type Steps<Result = void> = Generator<void, Result>;

/** Longest time without a pause, in milliseconds. */
const slice = 15;

/** Does long work without a pause. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Number of tasks that are being done in slices. */
let tasks = 0;

/** Does long work in slices. Other work, such as requests, runs in between. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  tasks += 1;
  try {
    // The first slice of a lonely task needs no turn.
    if (tasks > 1) await ownTurn();
    for (;;) {
      const end = performance.now() + slice;
      do {
        const { done, value } = steps.next();
        if (done) return value;
      } while (performance.now() < end);
      await ownTurn();
    }
  } finally {
    tasks -= 1;
  }
}

/** Turns between two slices. A request needs two of them: to be read, and to be answered. */
const turnsBetween = 3;

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop in which no other long work runs. All long work of a process takes turns, so that other
 * requests wait for one slice, however many tasks there are.
 */
export function ownTurn(): Promise<void> {
  last = last.then(async () => {
    for (let turn = 0; turn < turnsBetween; turn += 1) await nextTurn();
  });
  return last;
}

/** Waits for the next turn of the event loop. Unlike a timer, a message has no minimum delay in a browser. */
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
