/// <reference types="node" />
import { hash } from 'node:crypto';
import type { ClientBase } from 'pg';
import type { SourceNotes } from '../types.ts';

/** Runs functions one after the other, because a connection executes one statement at a time. */
export type Turn = <Result>(run: () => Promise<Result>) => Promise<Result>;

export function createTurns(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run);
    last = result.catch(() => undefined);
    return result;
  };
}

/**
 * Notes of a transaction, in a temporary table that is dropped at its end.
 *
 * @param turn - runs the statements of the transaction
 */
export function openNotes(client: Pick<ClientBase, 'query'>, turn = createTurns()): SourceNotes {
  let isCreated = false;
  /** Runs a statement. Creates the table on first use, because most sources do not need it. */
  const query = (text: string, values: unknown[]) =>
    turn(async () => {
      if (!isCreated) {
        await client.query(
          'CREATE TEMP TABLE carillon_notes (id uuid PRIMARY KEY, number int NOT NULL) ON COMMIT DROP',
        );
      }
      isCreated = true;
      return client.query<{ place: number; number: number }>(text, values);
    });
  return {
    async add(notes) {
      if (notes.size === 0) return;
      await query(
        `INSERT INTO pg_temp.carillon_notes SELECT * FROM unnest($1::uuid[], $2::int[]) ON CONFLICT DO NOTHING`,
        [[...notes.keys()].map(idOf), [...notes.values()]],
      );
    },
    async find(texts) {
      const found = new Map<string, number>();
      if (texts.length === 0) return found;
      // A subquery for each text, because a join could read the whole table.
      const { rows } = await query(
        `SELECT * FROM (
          SELECT place::int, (SELECT number FROM pg_temp.carillon_notes n WHERE n.id = g.id) AS number
          FROM unnest($1::uuid[]) WITH ORDINALITY AS g (id, place)
        ) f WHERE number IS NOT NULL`,
        [texts.map(idOf)],
      );
      for (const { place, number } of rows) found.set(texts[place - 1] ?? '', number);
      return found;
    },
  };
}

/** Hashes a text, because an index refuses long texts, and Postgres refuses NUL. */
function idOf(text: string): string {
  return hash('sha256', text).slice(0, 32);
}
