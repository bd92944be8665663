/** Limits that protect the process. The sandbox rejects a request that exceeds a limit, and the message says what to do. */

/** Maximum size of a request body, in bytes. */
export const maxBodySize = 16 * 1024 * 1024;

/** Maximum nesting depth of arrays and objects in a request body. */
export const maxNesting = 100;

/**
 * Maximum nesting depth in the body of a control request. A snapshot nests its records, which can be as deep as a request body.
 */
export const maxControlNesting = maxNesting + 10;

/** Maximum number of violations in the body of a response, and of ignored fields in its header. */
export const maxListed = 20;

/** Default of the option `maxWorlds`: the maximum number of worlds, not counting the default world. */
export const defaultMaxWorlds = 100;

/** Maximum length of the name of a world or a snapshot, in characters. */
export const maxNameLength = 100;

/** Maximum number of records in all worlds and their snapshots together. This many records take about 2 GB of memory. */
export const maxRecords = 5_000_000;

/** The largest seed, which creates about 3.4 million records. */
export const maxSeed = 1_000_000;

/** Maximum number of named snapshots in a world. */
export const maxSnapshots = 50;

/** Maximum number of faults in a world. Each request is compared with these faults. */
export const maxFaults = 100;

/** Maximum delay of a fault, in milliseconds. */
export const maxDelay = 3_600_000;

/** Limits on the size of the log. If a limit is exceeded, the log drops its oldest requests. */
export const logLimits = {
  requests: 1_000,
  /** Maximum length of a logged body, in characters. The log does not keep longer bodies. */
  body: 64 * 1024,
  /** Maximum length of all logged bodies together, in characters. */
  total: 8 * 1024 * 1024,
} as const;
