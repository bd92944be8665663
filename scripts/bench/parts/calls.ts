import { addresses, responseBytes } from '../responses/responses.ts';
import { withResponseServer } from '../responses/with-response-server.ts';
import type { BenchPart, Settings } from '../results.ts';
import { readVersions, runPeer } from '../run-peer.ts';
import { buildTable, type MeasuredColumn, type Table } from '../table.ts';

/** The server to call and the data that calls use. */
export interface Surroundings {
  baseUrl: string;
  token: string;
  dealId: number;
  /** For clients that take URLs only. */
  addresses: { deal: string; contacts: string };
}

export interface CallTask {
  surroundings: Surroundings;
  call: 'deal' | 'contacts';
  /** A stub replaces `fetch`, so no network is used. */
  inProcess: boolean;
  inFlight: number;
  /** Total for all clients and rounds. */
  seconds: number;
}

/** Client → microseconds per call, one value for each turn. */
export type CallTimes = Record<string, number[]>;

const raw = 'raw fetch';
const subjects = [
  raw,
  'fetch with a Request',
  'openapi-fetch',
  'ky',
  'axios',
  '@hey-api/openapi-ts',
  'carillon by path',
  'carillon by method',
];

const responses = [
  { call: 'deal', size: `${responseBytes.deal} bytes` },
  { call: 'contacts', size: '1 MB' },
] as const;
type Response = (typeof responses)[number];

const inFlight = [1, 10, 100];

/** Single calls differ by a few percent, so they take more rounds. */
function secondsOf({ call }: Response, count: number): number {
  return call === 'deal' && count === 1 ? 48 : 12;
}

const oneAtATime = 'one at a time';

export const calls: BenchPart = {
  title: 'Cost of a call',
  async measure(settings) {
    const network = await withResponseServer((url) => measureResponses(settings, url));
    return {
      tables: [...network, ...(await measureResponses(settings))],
      versions: readVersions(['openapi-fetch', 'ky', 'axios', '@hey-api/openapi-ts', 'tinybench']),
    };
  },
};

/** Measures over loopback if `url` is given, else in process. */
async function measureResponses({ quick, report }: Settings, url?: string): Promise<Table[]> {
  const place = url === undefined ? 'in process' : 'over loopback';
  const tables: Table[] = [];
  for (const response of responses) {
    const columns: MeasuredColumn[] = [];
    for (const count of inFlight) {
      report(`Calls ${place}, ${response.size}, ${count} in flight …`);
      const times = await runCalls(response, count, quick ? 0.5 : secondsOf(response, count), url);
      columns.push(
        count === 1
          ? timeColumn(times, `call-${url === undefined ? 'in-process' : 'loopback'}-${response.call}`)
          : rateColumn(times, count),
      );
    }
    tables.push(buildTable(`A response of ${response.size}, ${place}`, subjects, columns));
  }
  return tables;
}

function runCalls({ call }: Response, inFlight: number, seconds: number, url?: string): Promise<CallTimes> {
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
  return runPeer<CallTimes>('measure-calls.ts', task);
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
