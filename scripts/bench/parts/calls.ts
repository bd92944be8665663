import { formatComparison } from '../format.ts';
import { addresses, replyBytes } from '../replies/replies.ts';
import { withReplyServer } from '../replies/start.ts';
import type { Goal } from '../results.ts';
import { runPeer } from '../run-peer.ts';
import { compare } from '../statistics.ts';
import { buildTable, type MeasuredColumn, type Table } from '../table.ts';
import type { CallTask, CallTimes } from '../tasks.ts';
import { readVersions } from '../versions.ts';
import type { Part, Settings } from './part.ts';

const raw = 'raw fetch';
const bare = 'openapi-fetch';
const byMethod = 'carillon by method';
const subjects = [raw, bare, 'ky', 'axios', '@hey-api/openapi-ts', 'carillon by path', byMethod];

/** The most that a short call by method may take, as a ratio: to raw fetch over loopback, to openapi-fetch in process. */
const goals = { loopback: 1.15, inProcess: 1.25 };

const replies = [
  { call: 'deal', size: `${replyBytes.deal} bytes` },
  { call: 'contacts', size: '1 MB' },
] as const;
type Reply = (typeof replies)[number];

const inFlight = [1, 10, 100];

/** Short single calls decide the goals. Differences of a few hundredths matter there, so they take more rounds. */
function secondsOf({ call }: Reply, count: number): number {
  return call === 'deal' && count === 1 ? 48 : 12;
}

const oneAtATime = 'one at a time';

export const calls: Part = {
  title: 'Cost of a call',
  async measure(settings) {
    const network = await withReplyServer({ contacts: 0, delay: 0 }, (url) => measureReplies(settings, url));
    const local = await measureReplies(settings);
    return {
      tables: [...network.tables, ...local.tables],
      goals: [
        judge(network.shortCalls, raw, 'over loopback', goals.loopback),
        judge(local.shortCalls, bare, 'in process', goals.inProcess),
      ],
      versions: readVersions(['openapi-fetch', 'ky', 'axios', '@hey-api/openapi-ts']),
    };
  },
};

/** Over loopback if there is an address. `shortCalls`: times of the short reply, one call at a time. */
async function measureReplies(
  { quick, report }: Settings,
  url?: string,
): Promise<{ tables: Table[]; shortCalls: CallTimes }> {
  let shortCalls: CallTimes = {};
  const place = url === undefined ? 'in process' : 'over loopback';
  const tables: Table[] = [];
  for (const reply of replies) {
    const columns: MeasuredColumn[] = [];
    for (const count of inFlight) {
      report(`Calls ${place}, ${reply.size}, ${count} in flight …`);
      const times = await runCalls(reply, count, quick ? 0.5 : secondsOf(reply, count), url);
      if (reply.call === 'deal' && count === 1) shortCalls = times;
      columns.push(
        count === 1
          ? timeColumn(times, `call-${url === undefined ? 'in-process' : 'loopback'}-${reply.call}`)
          : rateColumn(times, count),
      );
    }
    tables.push(buildTable(`A reply of ${reply.size}, ${place}`, subjects, columns));
  }
  return { tables, shortCalls };
}

function runCalls({ call }: Reply, inFlight: number, seconds: number, url?: string): Promise<CallTimes> {
  const task: CallTask = {
    surroundings: {
      baseUrl: url ?? 'http://127.0.0.1',
      token: 'any',
      dealId: Number(addresses.deal.split('/').at(-1)),
      addresses,
    },
    call,
    inProcess: url === undefined,
    inFlight,
    seconds,
  };
  return runPeer<CallTimes>('calls.ts', task);
}

function timeColumn(samples: CallTimes, chart: string): MeasuredColumn {
  return { title: oneAtATime, unit: 'µs', better: 'lower', baseline: raw, chart, samples };
}

function rateColumn(times: CallTimes, count: number): MeasuredColumn {
  const samples = Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, list.map((microseconds) => 1_000_000 / microseconds)]),
  );
  return { title: `${count} in flight`, unit: 'calls/s', better: 'higher', baseline: raw, samples };
}

function judge(times: CallTimes, other: string, place: string, most: number): Goal {
  const comparison = compare(times[byMethod] ?? [], times[other] ?? []);
  const rounds = times[byMethod]?.length ?? 0;
  return {
    text: `By method at most ${most} × ${other} ${place} (one at a time, ${replyBytes.deal} bytes; median of ${rounds} rounds)`,
    figure: formatComparison(comparison),
    met: comparison.ratio <= most,
  };
}
