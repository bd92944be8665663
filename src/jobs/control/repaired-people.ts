import { identityOf } from '../built-in/values.ts';
import type { Store } from '../store/store.ts';
import type { JobDefinition, SourceNotes } from '../types.ts';
import { pagesOf } from './read-rows.ts';

/** Text of the note of a person in a job that is repaired. Its number is the line of the row. */
export function inRepairedJob(person: string): string {
  return `in the job ${person}`;
}

/** A note that some rows do not say who gets them. */
export const unknownPeople = inRepairedJob('?');

/** Notes who gets what the rows of a job send, so that a source of rows to repair knows which people they share. */
export async function notePeople(
  store: Store,
  job: number,
  recipients: JobDefinition['recipients'],
  notes: SourceNotes,
): Promise<void> {
  if (!recipients) return;
  for await (const page of pagesOf(store, job)) {
    const lines = new Map<string, number>();
    for (const { key, line, values, state } of page) {
      // Completed rows keep only their key, which may be the address.
      const own = identityOf(key.replace(/ \(line \d+\)$/, ''));
      const people = values === null || state === 'invalid' ? [own] : recipients.of(values);
      if (values === null && !own.includes('@')) lines.set(unknownPeople, line);
      for (const person of people) if (!lines.has(inRepairedJob(person))) lines.set(inRepairedJob(person), line);
    }
    await notes.add(lines);
  }
}
