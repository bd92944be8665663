interface Waiting<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Collects items while the previous statement is running, and then runs one statement for all of them. The rows in flight thus
 * share a commit, which takes most of the time, without waiting for a timer.
 *
 * @param run - runs a statement and returns a result for each item, in order
 * @param most - maximum number of concurrent statements
 */
export function createBatcher<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  most = 1,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  async function flush(): Promise<void> {
    running += 1;
    // Let rows that are ready at the same time share the first statement.
    await Promise.resolve();
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
    running -= 1;
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running < most) void flush();
    });
}
