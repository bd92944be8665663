import { expect, test } from 'vitest';
import { follow } from '../../../src/client/core/deadline.ts';
import { createClient } from '../../../src/client/index.ts';

/** A signal like a library's, which calls listeners without `this` and allows duplicates. */
class LibrarySignal {
  aborted = false;
  readonly listeners: (() => void)[] = [];

  addEventListener(_: 'abort', listener: () => void): void {
    this.listeners.push(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.listeners.splice(this.listeners.indexOf(listener), 1);
  }

  abort(): void {
    this.aborted = true;
    for (const listener of this.listeners) listener();
  }
}

test("followers of a signal share one listener, even if the signal is a library's", () => {
  const signal = new LibrarySignal();
  const told: number[] = [];
  const ends = Array.from({ length: 20 }, (_, index) =>
    follow(signal as unknown as AbortSignal, () => void told.push(index)),
  );
  expect(signal.listeners).toHaveLength(1);
  ends[0]?.();
  signal.abort();
  expect(told).toHaveLength(19);
  for (const end of ends) end();
  expect(signal.listeners).toEqual([]);
});

test('throws for a signal without addEventListener, and one without removeEventListener hides no outcome', async () => {
  const fetch = async () => Response.json({ data: { id: 1 } });
  const { boards } = createClient({ baseUrl: 'https://api.example.com', auth: null, fetch }).crm;
  const broken = (name: 'addEventListener' | 'removeEventListener'): AbortSignal => {
    const fail = (): never => {
      throw new Error('from the signal');
    };
    return Object.assign(new LibrarySignal(), { [name]: fail }) as unknown as AbortSignal;
  };
  const refused = boards.create({ name: 'Tasks' }, { signal: broken('addEventListener') });
  await expect(refused).rejects.toMatchObject({ name: 'ArgumentError', sent: 'no' });
  expect(await boards.create({ name: 'Tasks' }, { signal: broken('removeEventListener') })).toEqual({ id: 1 });
});
