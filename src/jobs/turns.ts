/** Runs something when what was given before has ended: a connection takes one statement at a time. */
export type Turn = <Result>(run: () => Promise<Result>) => Promise<Result>;

export function createTurns(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}
