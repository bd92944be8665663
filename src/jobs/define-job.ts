import { JobsError } from './jobs-error.ts';
import type { JobDefinition } from './types.ts';

/**
 * Defines a kind of job: where its rows come from, and what is sent for each.
 *
 * @param definition - name, version, source and steps
 * @returns the definition
 * @throws `JobsError` if it cannot work: a name that is not valid or appears twice, no steps, or a limit that is not above 0
 * @example
 * ```ts
 * import { defineJob } from 'carillon-jobs';
 * import { findMarked } from 'carillon/journal';
 *
 * const people = [{ firstName: 'Ada', lastName: 'Adler' }];
 * const contacts = defineJob({
 *   name: 'contacts',
 *   version: 1,
 *   source: () => ({
 *     checksum: async () => 'v1',
 *     rows: () => people.map((values, index) => ({ key: `c-${index}`, line: index + 1, values })),
 *   }),
 *   steps: [
 *     {
 *       name: 'contact',
 *       send: async (values, { api, marker, signal }) =>
 *         (await api.crm.contacts.create({ ...values, responsibleId: 77, externalContactId: marker }, { signal })).id,
 *       find: (values, { api, marker, signal }) =>
 *         findMarked(api.crm.contacts.list(values, { signal }), marker, (contact) => contact.externalContactId),
 *     },
 *   ],
 * });
 * console.log(contacts.name);
 * ```
 */
export function defineJob<Values, Options = unknown>(
  definition: JobDefinition<Values, Options>,
): JobDefinition<Values, Options> {
  const { name, version, steps, deadline, concurrency, rate } = definition;
  if (!/^[\w-]{1,60}$/.test(name))
    throw new JobsError(`"${name}" is not a name of a job: use letters, digits, - and _`);
  if (!Number.isSafeInteger(version) || version < 1)
    throw new JobsError(`${name}: version must be a whole number above 0`);
  const names = new Set(steps.map((step) => step.name));
  if (steps.length === 0 || names.size < steps.length)
    throw new JobsError(`${name}: steps need different names, at least one`);
  checkLimits(name, { deadline, concurrency, rate });
  return definition;
}

/** Refuses limits that are not above 0. */
export function checkLimits(name: string, limits: Record<string, number | undefined>): void {
  for (const [limit, value] of Object.entries(limits)) {
    if (value !== undefined && !(value > 0)) throw new JobsError(`${name}: ${limit} must be above 0`);
  }
}
