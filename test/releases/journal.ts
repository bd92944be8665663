import { join } from 'node:path';
import { openJournal } from '../../src/client/journal/index.ts';

/** The steps in the journal: one done, one started, and one that turned out not to be done. */
const steps = [
  { row: 'c-1', step: 'contact', values: { firstName: 'Ada', lastName: 'Adler' }, id: 3001 },
  { row: 'c-1', step: 'deal', values: { name: 'Renewal', price: 12.5 }, id: 'deal-7' },
  { row: 'c-2', step: 'contact', values: { firstName: 'Bo', lastName: 'Björk\u0000' } },
  { row: 'c-3', step: 'contact', values: { firstName: 'Cy', lastName: 'Cole' }, isUndone: true },
];

/** Step → its ID, or how a program that runs again continues: it looks up the marker, or sends with it. */
export type Steps = Record<string, unknown>;

class Stopped extends Error {}

function expectStop(error: unknown): void {
  if (!(error instanceof Stopped)) throw error;
}

/** Writes a journal. Returns the result that {@link readJournal} must have. */
export async function writeJournal(folder: string): Promise<Steps> {
  const journal = await openJournal({ file: join(folder, 'journal.sqlite') });
  const written: Steps = {};
  for (const { id, isUndone, ...given } of steps) {
    const { row, step, values } = given;
    const send = async (_: unknown, marker: string): Promise<number | string> => {
      if (id !== undefined) written[`${row} ${step}`] = { done: id };
      else written[`${row} ${step}`] = isUndone ? { sent: marker } : { lookedUp: marker, values };
      if (id === undefined) throw new Stopped();
      return id;
    };
    await journal.once({ ...given, send, find: async () => undefined }).catch(expectStop);
    if (isUndone) await journal.decide(row, step, undefined);
  }
  await journal.close();
  return written;
}

/** The journal's result for each step when a program runs again. */
export async function readJournal(folder: string): Promise<Steps> {
  const journal = await openJournal({ file: join(folder, 'journal.sqlite') });
  const read: Steps = {};
  for (const { row, step, values } of steps) {
    const key = `${row} ${step}`;
    await journal
      .once<unknown, number | string>({
        ...{ row, step, values },
        async send(_, marker) {
          read[key] ??= { sent: marker };
          throw new Stopped();
        },
        async find(sent, marker) {
          read[key] = { lookedUp: marker, values: sent };
          throw new Stopped();
        },
      })
      .then((id) => (read[key] = { done: id }), expectStop);
  }
  await journal.close();
  return read;
}
