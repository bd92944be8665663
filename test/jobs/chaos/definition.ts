import { foundBy, shortest } from '../../../src/jobs/define-job.ts';
import { defineJob, findMarked } from '../../../src/jobs/index.ts';
import type { Json } from '../../../src/jobs/types.ts';

// Tests cannot wait for the deadlines that users need.
shortest.deadline = 0;

/** Options shared by all programs of a chaos run. */
export interface ChaosOptions {
  rows: number;
}

/** Interval of rows that also get an email, which cannot be looked up. */
export const emailEvery = 10;

/** Header of the time, in milliseconds since 1970, at which the program of a worker sent a request. */
export const sentAtHeader = 'x-sent-at';

export interface Person {
  firstName: string;
  lastName: string;
  email: string | null;
}

/** A job with contacts, which can be found by their markers, and emails, which cannot. */
export function chaosJob(
  deadline: number,
  changes: { rate?: number; concurrency?: number; version?: number } = {},
  onAnswer: (key: string) => void = () => undefined,
  resultOf: (key: string, id: number) => Json = (_, id) => id,
) {
  return defineJob<Person, ChaosOptions>({
    name: 'chaos',
    version: 1,
    deadline,
    ...changes,
    source: ({ rows }) => ({
      checksum: async () => String(rows),
      *rows() {
        for (let row = 0; row < rows; row += 1) {
          const email = row % emailEvery === 0 ? `person-${row}@example.com` : null;
          yield { key: `row-${row}`, line: row + 2, values: { firstName: `First ${row}`, lastName: 'Last', email } };
        }
      },
    }),
    steps: [
      {
        name: 'contact',
        async send({ firstName, lastName }, { api, key, marker, signal }) {
          const values = { firstName, lastName, responsibleId: 77, externalContactId: marker };
          return resultOf(key, (await api.crm.contacts.create(values, { signal })).id);
        },
        find: async ({ firstName, lastName }, { api, marker, signal }) =>
          foundBy(
            await findMarked(
              api.crm.contacts.list({ firstName, lastName }, { signal }),
              marker,
              (contact) => contact.externalContactId,
            ),
          ),
      },
      {
        name: 'email',
        applies: ({ email }) => email !== null,
        async send({ email, firstName }, { api, key, signal }) {
          const to = [{ email: email ?? '', name: firstName }];
          const from = { email: 'sales@example.com', name: 'Sales' };
          const sent = await api.email.messages.send(
            { subject: key, from, to, html: '<p>Hello</p>', text: 'Hello' },
            { signal },
          );
          onAnswer(key);
          return sent.id ?? null;
        },
      },
    ],
  });
}

/** Whether the result of a row cannot be stored, if the workers are poisoned. */
export const isUnstorable = (row: number): boolean => row % 100 === 51;
