/** Limits that protect the process. Beyond them, the sandbox rejects the request and says what to do. */

/** Bytes of a request body. */
export const maxBodySize = 16 * 1024 * 1024;

/** Nesting of arrays and objects in a body. */
export const maxNesting = 100;

/** Nesting in the body of a control request, such as a snapshot with what a body can have. */
export const maxControlNesting = maxNesting + 10;

/** Violations that a response lists. */
export const maxListed = 20;

/** Worlds beside the default one, unless an option says otherwise. */
export const defaultMaxWorlds = 100;

/** Length of a world's name, in characters. */
export const maxNameLength = 100;

/** Records of all worlds and their snapshots together. They take about 2 GB. */
export const maxRecords = 5_000_000;

/** The largest seed, which creates about 3.4 million records. */
export const maxSeed = 1_000_000;

/** Snapshots with a name in a world. */
export const maxSnapshots = 50;

/** Faults of a world. Each request is compared with them. */
export const maxFaults = 100;

/** Delay of a fault, in milliseconds. */
export const maxDelay = 3_600_000;

/** The log. The oldest requests are dropped first. */
export const logLimits = {
  requests: 1_000,
  /** Characters of a body that is kept. */
  body: 64 * 1024,
  /** Characters of all bodies together. */
  total: 8 * 1024 * 1024,
} as const;
