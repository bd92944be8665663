/** How much the tests do. The nightly run (`npm run test:nightly`) is `vitest run --mode nightly`, in which they do more. */

export const isNightly = process.env.TEST_MODE === 'nightly';

/** `npm run screenshots`: browser tests take pictures of pages for people to look at. */
export const takesScreenshots = process.env.TEST_MODE === 'screenshots';

/** While working and in CI, and at night. */
const all = {
  /** Factor for the samples that properties draw. */
  sampleScale: [1, 50],
  /** Sequences of faults over calls of the client. */
  modelSequences: [150, 20_000],
  /** Rows with unusual values. */
  poisonRows: [300, 10_000],
  /** Rows of a list whose memory is measured. */
  memoryRows: [0, 200_000],
  /** Rows that the command `carillon` sends with `--each`. */
  eachRows: [400, 100_000],
  /** Every how many operations a browser runs the samples. */
  browserSampleStep: [10, 1],
  /** Every how many methods the MCP inspector calls one. */
  inspectorStep: [20, 1],
  /** Kills of workers of a job, and rows for each of them. */
  jobKills: [4, 30],
  /** Kills of a sandbox that keeps its data in a folder. */
  kills: [3, 1_000],
  /** How often processes compete for a file. */
  lockRounds: [2, 100],
  /** Contacts, emails and subscribers of a folder that a sandbox opens. */
  storedRecords: [10_000, 1_000_000],
  /** Contacts that are created and deleted. */
  churnPairs: [3_000, 1_000_000],
  /** Requests over each connection of a load with faults. */
  faultyRequests: [3, 1_000],
} as const satisfies Record<string, readonly [day: number, night: number]>;

type Amounts = Record<keyof typeof all, number>;

export const amounts = Object.fromEntries(
  Object.entries(all).map(([name, [day, night]]) => [name, isNightly ? night : day]),
) as Amounts;
