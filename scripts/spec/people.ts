import type { People, PeopleCount } from '../../src/shared/reference.ts';

/** An entry of `x-people`: a field whose items are people, or a field that names a group of people. */
export type PeopleEntry = string | { field: string; who: string; count: PeopleCount | 'none' };

/** Separates the fields with single people from those that name a group. */
export function readPeople(entries: readonly PeopleEntry[]): People {
  const fields = entries.filter((entry) => typeof entry === 'string');
  const groups = entries.flatMap((entry) => {
    if (typeof entry === 'string') return [];
    const { field, who, count } = entry;
    return [{ field, who, ...(count !== 'none' && { count }) }];
  });
  return { fields, ...(groups.length > 0 && { groups }) };
}
