import { interleave } from '../interleave.ts';
import { requestsOf } from '../requests.ts';
import type { Goal } from '../results.ts';
import { summarize } from '../statistics.ts';
import { buildTable, type Table } from '../table.ts';
import { createTimer } from './in-process.ts';

/** The last size exceeds every cache of the processor, and shows how the time grows then. */
const sizes = [100, 10_000, 100_000, 200_000];

/** The most milliseconds that a list over 100,000 contacts may take. */
const mostMilliseconds = 50;
/** Twice the contacts take twice the time; the rest is left to the noise. */
const mostGrowth = 2.5;

/** How long a sandbox takes for each documented list of contacts, as it has more of them. */
export async function measureLists(quick: boolean): Promise<{ table: Table; goals: Goal[] }> {
  const requests = requestsOf('listContacts');
  const columns = [];
  for (const size of quick ? sizes.slice(0, 2) : sizes) {
    const time = await createTimer(size);
    const samples = await interleave(
      Object.fromEntries(requests.map((request) => [request.name, () => time(request)])),
      quick ? 2 : 25,
    );
    columns.push({ title: `${size.toLocaleString('en-GB')} contacts`, unit: 'ms', better: 'lower' as const, samples });
  }
  const table = buildTable(
    'Listing and filtering contacts, by the sandbox in process',
    requests.map(({ name }) => name),
    columns,
    'Left out: Prism and @scalar/mock-server, which answer with an example and hold no contacts.',
  );
  const [, , large, largest] = columns;
  if (!large || !largest) return { table, goals: [] };
  const slowest = Math.max(...medians(large.samples));
  const growth = Math.max(
    ...medians(largest.samples).map((value, index) => value / (medians(large.samples)[index] ?? 0)),
  );
  return {
    table,
    goals: [
      {
        text: `Every list over 100,000 contacts within ${mostMilliseconds} ms`,
        figure: `${slowest.toFixed(1)} ms`,
        met: slowest <= mostMilliseconds,
      },
      {
        text: `Linear: twice the contacts take at most ${mostGrowth} × the time`,
        figure: `${growth.toFixed(1)} ×`,
        met: growth <= mostGrowth,
      },
    ],
  };
}

function medians(samples: Record<string, readonly number[]>): number[] {
  return Object.values(samples).map((values) => summarize(values).median);
}
