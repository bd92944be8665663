import type { Client } from 'carillon';

/** An account record, such as a tag, to which files refer by name. */
interface Named {
  id: number;
  name?: string | undefined;
}

/**
 * A row refers to a record that does not exist in the account. The job is not planned, so that the user can create the record or
 * correct the row first.
 */
export class MissingReference extends Error {}

/**
 * Returns the IDs of account records that a file specifies by name or ID. Each function throws a `MissingReference` if there is no
 * match, or if the name is ambiguous.
 */
export interface AccountNames {
  tagId(text: string): number;
  attributeId(text: string): number;
  /** Returns the ID if it belongs to a team member. */
  memberId(id: number): number;
}

/** Reads all names once, so that rows need no requests. */
export async function readAccountNames(api: Client): Promise<AccountNames> {
  const members = (await api.crm.users.list()).map(({ id }) => id);
  return {
    tagId: finder('tag', await api.crm.tags.list()),
    attributeId: finder('contact attribute', await api.crm.contactAttributes.list()),
    memberId(id) {
      if (members.includes(id)) return id;
      throw new MissingReference(
        `the account has no active team member with the ID ${id}: the IDs of its active members are ${members.slice(0, 10).join(', ')}${members.length > 10 ? ' …' : ''}`,
      );
    },
  };
}

function finder(kind: string, items: readonly Named[]): (text: string) => number {
  const byName = new Map<string, number[]>();
  for (const { id, name } of items) {
    if (name === undefined) continue;
    // Unicode has two spellings for an accented letter.
    const form = name.normalize('NFC');
    byName.set(form, [...(byName.get(form) ?? []), id]);
  }
  const ids = new Set(items.map(({ id }) => id));
  return (text) => {
    const [found, ...others] = byName.get(text.normalize('NFC')) ?? [];
    if (found !== undefined && others.length === 0) return found;
    if (found !== undefined) {
      throw new MissingReference(
        `the account has several ${kind}s named "${text}": write the ID instead, ${found} or ${others.join(' or ')}`,
      );
    }
    if (/^\d+$/.test(text) && ids.has(Number(text))) return Number(text);
    throw new MissingReference(`the account has no ${kind} "${text}"`);
  };
}
