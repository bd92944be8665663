/** Messages of a program's worker, in batches. Values travel as JSON. */
export type FromWorker =
  | { kind: 'call'; id: number; method: string; params: string }
  | { kind: 'done'; value: string }
  | { kind: 'failed'; reason: string };

/** The answer to a call of a program, which is JSON of the reply or the reason of the failure. */
export type ToWorker = { id: number; reply: string; failure?: never } | { id: number; failure: string; reply?: never };

export const limits = {
  /** Time of a program, not counting the time for which it waits for the person. */
  milliseconds: 10_000,
  /** Of the whole WebAssembly memory. */
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 512 * 1024,
  calls: 200,
  /** Concurrent programs. */
  programs: 4,
  /** Programs that wait for the person. */
  waiting: 16,
  /** Characters of a program. */
  characters: 100_000,
  /** Characters of a result. Parsing a huge one would block other calls. */
  resultCharacters: 1_000_000,
} as const;

export const tooManyCalls = `A program makes at most ${limits.calls} calls. Nothing was sent.`;
