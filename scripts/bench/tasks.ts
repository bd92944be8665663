/** What the parts ask of the programs in `peers/`, and get from them. */

/** Where calls go, and with what. */
export interface Surroundings {
  baseUrl: string;
  token: string;
  dealId: number;
  /** For clients that know addresses only. */
  addresses: { deal: string; contacts: string };
}

/** Two reads. Each returns the payload of its reply: everyone reads the body, parses it and opens its envelope. */
export interface Calls {
  deal(): Promise<unknown>;
  contacts(): Promise<unknown>;
}

export interface CallTask {
  surroundings: Surroundings;
  call: keyof Calls;
  /** A stub answers, and nothing travels over a network. */
  inProcess: boolean;
  inFlight: number;
  /** For all clients and rounds together. */
  seconds: number;
}

/** Client → microseconds per call, of each turn. */
export type CallTimes = Record<string, number[]>;

export interface ExportTask {
  client: string;
  baseUrl: string;
  token: string;
  /** The largest page that is documented. */
  pageSize: number;
}

export interface ExportOutcome {
  contacts: number;
  milliseconds: number;
  /** The most memory that the process had at any time. */
  peakBytes: number;
  /** The most that was in use on the heap right after a collection. */
  liveBytes: number;
}
