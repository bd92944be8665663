import { formatComparison } from '../format.ts';
import { interleave } from '../interleave.ts';
import { withReplyServer } from '../replies/start.ts';
import { largestPage } from '../requests.ts';
import { runPeer } from '../run-peer.ts';
import { buildTable, cellOf } from '../table.ts';
import type { ExportOutcome, ExportTask } from '../tasks.ts';
import { readVersions } from '../versions.ts';
import type { Part } from './part.ts';

const loop = 'a loop over openapi-fetch';
const own = 'carillon by method';
const subjects = [loop, own];

/** Milliseconds that the server waits before each page. */
const delay = 5;
/** The larger one shows whether memory grows with the list. */
const sizes = { small: 10_000, large: 100_000 };
/** A tie with the loop, or faster. */
const mostTime = 1.05;
/** What counts as flat: so many times the live memory of the smaller export. */
const flat = 1.1;

const pageSize = largestPage('listContacts');

export const exporting: Part = {
  title: 'Export of 100,000 contacts',
  async measure({ quick, report }) {
    const sized = quick ? { small: 1_000, large: 5_000 } : sizes;
    // Fewer than 6 rounds have no interval.
    const rounds = quick ? 1 : 9;
    const run = (contacts: number): Promise<Record<string, ExportOutcome[]>> => {
      report(`Exporting ${contacts.toLocaleString('en-GB')} contacts …`);
      return withReplyServer({ contacts, delay }, (url) =>
        interleave(
          Object.fromEntries(
            subjects.map((client) => [
              client,
              () => runExport({ client, baseUrl: url, token: 'any', pageSize }, contacts),
            ]),
          ),
          rounds,
        ),
      );
    };
    const small = await run(sized.small);
    const large = await run(sized.large);
    const count = (contacts: number): string => contacts.toLocaleString('en-GB');
    const live = (outcomes: typeof large) => pick(outcomes, ({ liveBytes }) => liveBytes / 1e6);
    const table = buildTable(
      `Reading ${count(sized.large)} contacts, page by page`,
      subjects,
      [
        {
          title: 'time',
          unit: 's',
          better: 'lower',
          baseline: loop,
          chart: 'export-time',
          samples: pick(large, ({ milliseconds }) => milliseconds / 1_000),
        },
        {
          title: 'peak memory',
          unit: 'MB',
          better: 'lower',
          baseline: loop,
          samples: pick(large, ({ peakBytes }) => peakBytes / 1e6),
        },
        {
          title: `live heap, ${count(sized.small)} contacts`,
          unit: 'MB',
          better: 'lower',
          baseline: loop,
          samples: live(small),
        },
        {
          title: `live heap, ${count(sized.large)} contacts`,
          unit: 'MB',
          better: 'lower',
          baseline: loop,
          samples: live(large),
        },
      ],
      `The server waits ${delay} ms before each page. Peak memory is that of the process; live heap is the most that was in use right after a collection.`,
    );
    const time = cellOf(table, own, 'time');
    const growth =
      cellOf(table, own, `live heap, ${count(sized.large)} contacts`).median /
      cellOf(table, own, `live heap, ${count(sized.small)} contacts`).median;
    return {
      tables: [table],
      goals: [
        {
          text: `At most ${mostTime} × the time of the loop, also at the end of the interval`,
          figure: formatComparison(time),
          met: (time.interval?.high ?? Number.POSITIVE_INFINITY) <= mostTime,
        },
        {
          text: `Memory is flat: ten times the contacts need at most ${flat} times the live heap`,
          figure: `${growth.toFixed(2)} ×`,
          met: growth <= flat,
        },
      ],
      versions: readVersions(['openapi-fetch']),
    };
  },
};

async function runExport(task: ExportTask, contacts: number): Promise<ExportOutcome> {
  const outcome = await runPeer<ExportOutcome>('export.ts', task, ['--expose-gc']);
  if (outcome.contacts !== contacts)
    throw new Error(`${task.client} exported ${outcome.contacts} of ${contacts} contacts`);
  return outcome;
}

function pick(
  outcomes: Record<string, ExportOutcome[]>,
  figure: (outcome: ExportOutcome) => number,
): Record<string, number[]> {
  return Object.fromEntries(Object.entries(outcomes).map(([name, list]) => [name, list.map(figure)]));
}
