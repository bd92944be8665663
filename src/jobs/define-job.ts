import { JobsError } from './jobs-error.ts';
import type { Found, JobDefinition, Json } from './types.ts';

/**
 * Defines a type of job: the source of its rows, and the requests for each row.
 *
 * @param definition - name, version, source and steps
 * @returns the same definition
 * @throws `JobsError` for an invalid or duplicate name, missing steps, or a deadline below ten seconds
 * @example
 * ```ts
 * import { defineJob, findMarked, foundBy } from 'carillon-jobs';
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
 *       find: async (values, { api, marker, signal }) =>
 *         foundBy(await findMarked(api.crm.contacts.list(values, { signal }), marker, (contact) => contact.externalContactId)),
 *     },
 *   ],
 * });
 * console.log(contacts.name);
 * ```
 */
export function defineJob<Values, Options = unknown>(
  definition: JobDefinition<Values, Options>,
): JobDefinition<Values, Options> {
  const { name, version, steps, deadline } = definition;
  if (!/^[\w-]{1,60}$/.test(name))
    throw new JobsError(`"${name}" is not a valid job name: use letters, digits, - and _`);
  if (!Number.isSafeInteger(version) || version < 1)
    throw new JobsError(`${name}: version must be a whole number above 0`);
  const names = new Set(steps.map((step) => step.name));
  if (steps.length === 0 || names.size < steps.length)
    throw new JobsError(`${name}: at least one step is required, and step names must be unique`);
  if (deadline !== undefined && !(deadline >= shortest.deadline))
    throw new JobsError(`${name}: deadline must be at least ${shortest.deadline.toLocaleString('en')} milliseconds`);
  return definition;
}

/** Shortest deadline in milliseconds, so that a slow request is not treated as lost. Changed only by tests. */
export const shortest = { deadline: 10_000 };

/**
 * Converts the result of a lookup to the return value of `find`.
 *
 * @param result - result of the step. `undefined` means that the step was certainly not done
 *
 * @example
 * ```ts
 * import { foundBy } from 'carillon-jobs';
 *
 * console.log(foundBy(15)); // { outcome: 'done', result: 15 }
 * console.log(foundBy(undefined)); // { outcome: 'not done' }
 * ```
 */
export function foundBy(result: Json | undefined): Found {
  return result === undefined ? { outcome: 'not done' } : { outcome: 'done', result };
}

/** @throws `JobsError` if a limit is not above 0, or if the concurrency is not a whole number */
export function checkLimits(name: string, limits: Record<string, number | undefined>): void {
  for (const [limit, value] of Object.entries(limits)) {
    if (value !== undefined && !(value > 0)) throw new JobsError(`${name}: ${limit} must be above 0`);
  }
  if (limits.concurrency !== undefined && !Number.isSafeInteger(limits.concurrency))
    throw new JobsError(`${name}: concurrency must be a whole number`);
}

/** @throws `JobsError` if the priority is not a whole number in its range */
export function checkPriority(name: string, priority: number | undefined): void {
  if (priority !== undefined && !(Number.isInteger(priority) && Math.abs(priority) <= maxPriority))
    throw new JobsError(`${name}: priority must be a whole number from -${maxPriority} to ${maxPriority}`);
}

const maxPriority = 1_000;
