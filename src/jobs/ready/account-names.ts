import type { Client } from '../../client.ts';
import { JobsError } from '../jobs-error.ts';
import { RowProblem } from './values.ts';

/** Something of the account that files name, such as a tag. */
interface Named {
  id: number;
  name?: string | undefined;
}

/** IDs of the account's tags and contact attributes, by name or by ID. */
export interface AccountNames {
  /** @throws `RowProblem` if there is no such tag, or if several have the name */
  tagId(text: string): number;
  /** @throws `JobsError` if there is no such attribute, or if several have the name: every row would have the problem */
  attributeId(text: string): number;
}

/** Reads the names once, so that a row costs no lookup. */
export async function readAccountNames(api: Client): Promise<AccountNames> {
  const tag = finder('tag', await api.crm.tags.list(), (reason) => new RowProblem(reason));
  const attributes = await api.crm.contactAttributes.list();
  const attribute = finder('contact attribute', attributes, (reason) => new JobsError(`${reason}.`));
  return { tagId: tag, attributeId: attribute };
}

function finder(kind: string, items: readonly Named[], problem: (reason: string) => Error): (text: string) => number {
  const byName = new Map<string, number[]>();
  for (const { id, name } of items) {
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), id]);
  }
  const ids = new Set(items.map(({ id }) => id));
  return (text) => {
    const [found, ...others] = byName.get(text) ?? [];
    if (found !== undefined && others.length === 0) return found;
    if (found !== undefined) {
      throw problem(
        `several of the account's ${kind}s have the name "${text}": write the ID instead, ${found} or ${others.join(' or ')}`,
      );
    }
    if (/^\d+$/.test(text) && ids.has(Number(text))) return Number(text);
    throw problem(`the account has no ${kind} "${text}"`);
  };
}
