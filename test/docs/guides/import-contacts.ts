import { expect } from 'vitest';
import { type GuideProgram, prepareGuide } from './program.ts';

export const guide = 'import-contacts';

/** Rows as expected in the account: one contact with one email each. */
export const people = ['Ada Adler', 'Bela Boros', 'Carl Costa'].map((name, index) => {
  const [firstName = '', lastName = ''] = name.split(' ');
  return { key: `c-${index + 1}`, firstName, lastName, email: `${lastName.toLowerCase()}@example.com` };
});
const header = 'key,first_name,last_name,email\n';
export const csv = (rows: typeof people): string =>
  header + rows.map(({ key, firstName, lastName, email }) => `${key},${firstName},${lastName},${email}\n`).join('');

export async function prepare(options?: Parameters<typeof prepareGuide>[1]): Promise<GuideProgram> {
  const program = await prepareGuide(guide, options);
  await program.write('contacts.csv', csv(people));
  return program;
}

/** The contacts that the import has added. */
export function imported({ sandbox }: GuideProgram): { firstName?: string; lastName?: string; emails: unknown[] }[] {
  return [...sandbox.state.crm.contacts.values()]
    .filter(({ record }) => record.id > 10_000)
    .map(({ record: { firstName, lastName }, emails }) => ({
      firstName,
      lastName,
      emails: emails.map(({ email }) => email),
    }));
}

export function expectEachOnce(program: GuideProgram): void {
  const wanted = people.map(({ firstName, lastName, email }) => ({ firstName, lastName, emails: [email] }));
  const byName = (one: { lastName?: string }, other: { lastName?: string }): number =>
    (one.lastName ?? '') < (other.lastName ?? '') ? -1 : 1;
  expect(imported(program).sort(byName)).toEqual(wanted);
}
