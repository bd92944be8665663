/** What the worker of a program says. Values travel as JSON. */
export type FromWorker =
  | { kind: 'call'; id: number; method: string; params: string }
  | { kind: 'done'; value: string }
  | { kind: 'failed'; reason: string };

/** The answer to a call of a program: JSON of the reply, or why there is none. */
export type ToWorker = { id: number; reply: string; failure?: never } | { id: number; failure: string; reply?: never };

export const limits = {
  /** Time of a program without the time for which it waits for the person. */
  milliseconds: 10_000,
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 512 * 1024,
  calls: 200,
  /** Programs at a time, also those that wait for the person. */
  programs: 4,
  /** Characters of a program. */
  characters: 100_000,
  /** Characters of a result: parsing a huge one would block the other calls. */
  resultCharacters: 1_000_000,
} as const;
