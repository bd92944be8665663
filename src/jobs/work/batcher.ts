interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Collects the items of a turn of the event loop, and those that come while a statement is running, and runs one statement for all of
 * them. The rows in flight thus share a commit, which takes most of the time, without waiting for a timer.
 *
 * @param run - runs a statement and returns a result for each item, in order
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function flush(): Promise<void> {
    isRunning = true;
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const batch = waiting.splice(0, 500);
      try {
        const results = await run(batch.map(({ item }) => item));
        batch.forEach((each, index) => {
          const result = results[index];
          if (result === undefined) each.reject(new Error('The statement returned no result for an item'));
          else each.resolve(result);
        });
      } catch (error) {
        for (const each of batch) each.reject(error);
      }
    }
    isRunning = false;
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isRunning) void flush();
    });
}
