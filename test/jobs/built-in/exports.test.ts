import { expect, test } from 'vitest';
import { exportContacts, exportDeals } from '../../../src/jobs/built-in/exports.ts';
import { readIds } from '../../../src/jobs/built-in/read-ids.ts';
import { collect } from '../sources/files.ts';
import { notesInMemory, openAccount, rowsOf, runRow } from './in-process.ts';

test('an export of contacts reads each contact with the requested details', async () => {
  const { api } = openAccount();
  const options = { details: ['deals', 'attributes'] as const };
  const rows = await rowsOf(exportContacts, options, api);
  expect(rows.map(({ key, line }) => [key, line])).toEqual([
    ['3001', 1],
    ['3002', 2],
  ]);
  const [ann] = rows;
  if (!ann) throw new Error('no row');
  const { results } = await runRow(exportContacts, ann, options, api);
  expect(Object.keys(results)).toEqual(['contact', 'attributes', 'deals']);
  expect(results.contact).toMatchObject({ id: 3001, firstName: 'Ann', phones: [{ phone: '+15550100123' }] });
});

test('an export of deals reads each deal with the requested details', async () => {
  const { api } = openAccount();
  const options = { details: ['contacts', 'comments', 'payments', 'attributes'] as const };
  const rows = await rowsOf(exportDeals, options, api);
  const total = (await api.crm.deals.list()).data.length;
  expect(rows).toHaveLength(total);
  const [deal] = rows;
  if (!deal) throw new Error('no row');
  const { results } = await runRow(exportDeals, deal, options, api);
  expect(results.deal).toMatchObject({ id: Number(deal.key) });
  expect(Object.keys(results)).toEqual(['deal', 'attributes', 'comments', 'contacts', 'payments']);
});

/** A list of records. Record `remove` is deleted after the page with that number. */
function changing(ids: number[], deleted: Record<number, number[]>) {
  let left = ids;
  let pages = 0;
  return async (offset: number, limit: number) => {
    const data = left.slice(offset, offset + limit).map((id) => ({ id }));
    const total = left.length;
    pages += 1;
    left = left.filter((id) => !deleted[pages]?.includes(id));
    return { data, total };
  };
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test('misses no record and reads none twice if earlier ones are deleted meanwhile', async () => {
  const deleted = { 1: [1, 2, 3], 3: [11, 12, 13, 14, 15, 16, 17] };
  const found = await collect(readIds('contacts', 10, changing(numbers(45), deleted), notesInMemory()));
  expect(new Set(found).size).toBe(found.length);
  expect(found).toEqual(expect.arrayContaining(numbers(45).slice(17)));
});

test('an export is not planned if the list has fewer records than its total', async () => {
  const readPage = async (offset: number, limit: number) => ({
    data: numbers(5)
      .slice(offset, offset + limit)
      .map((id) => ({ id })),
    total: 6,
  });
  await expect(collect(readIds('deals', 10, readPage, notesInMemory()))).rejects.toThrow(
    'The service reports a total of 6 deals, but its list contains 5. Nothing was planned. Run the export again.',
  );
});
