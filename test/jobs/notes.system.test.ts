import { expect, inject, test } from 'vitest';
import { openNotes } from '../../src/jobs/plan/notes.ts';
import type { SourceNotes } from '../../src/jobs/types.ts';
import fc, { samples } from '../fast-check.ts';
import { notesInMemory } from './ready/in-process.ts';
import { createDatabase, missingPostgres } from './start-postgres.ts';
import { connect, open, tagJob } from './tag-job.ts';

const skipped = missingPostgres ? ` (skipped: ${missingPostgres})` : '';
const aTest = test.skipIf(missingPostgres);

/** Includes texts that Postgres or its indexes reject. */
const text = fc.oneof(
  fc.integer({ min: 0, max: 20 }).map(String),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\0', '', '{}', "'", 'NULL', '9'.repeat(5_000), `${'9'.repeat(5_000)}8`),
);
const step = fc.record({
  add: fc.array(fc.tuple(text, fc.nat())).map((entries) => new Map(entries)),
  find: fc.array(text),
});

aTest(`notes in the database match notes in memory${skipped}`, { timeout: 300_000 }, async () => {
  const sql = await connect(await createDatabase(inject('postgresPort')));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
      await sql.query('BEGIN');
      const [notes, model] = [openNotes(sql), notesInMemory()];
      for (const { add, find } of steps) {
        await model.add(add);
        // A source may call `find` before `add` has resolved.
        const [, found] = await Promise.all([notes.add(add), notes.find(find)]);
        expect(found).toEqual(await model.find(find));
      }
      await sql.query('COMMIT');
    }),
    { numRuns: samples(30) },
  );
});

aTest(`removes notes after a plan, successful or not, and each plan has its own${skipped}`, async () => {
  const found: Map<string, number>[] = [];
  const tables: unknown[] = [];
  const note = async (notes: SourceNotes): Promise<void> => {
    found.push(await notes.find(['a']));
    await notes.add(new Map([['a', 7]]));
    found.push(await notes.find(['a']));
  };
  const planned = (problem?: string) =>
    tagJob({
      source: () => ({
        checksum: async () => 'same',
        async *rows(notes) {
          await note(notes);
          yield { key: 'a', line: 2, values: { name: 'a' } };
          if (problem) throw new Error(problem);
        },
      }),
    });
  const { jobs, database } = await open(planned());
  const sql = await connect(database);
  const tablesNow = async (): Promise<void> => {
    tables.push((await sql.query(`SELECT relname FROM pg_class WHERE relname = 'carillon_notes'`)).rows);
  };
  await expect(jobs.plan(planned('Line 3: a quote is not closed.'), { options: [] })).rejects.toThrow('Line 3');
  await tablesNow();
  expect(await jobs.list()).toEqual([]);
  await jobs.plan(planned(), { options: [] });
  await tablesNow();
  await jobs.plan(planned(), { name: 'other', options: [] });
  await tablesNow();
  const [none, one] = [new Map(), new Map([['a', 7]])];
  expect(found).toEqual([none, one, none, one, none, one]);
  expect(tables).toEqual([[], [], []]);
});
