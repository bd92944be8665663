/** Rows per message of the queue. Small enough to be repeated quickly, and large enough to keep the cost of the queue low. */
export const chunkSize = 100;

/** Seconds without a heartbeat after which other workers end the session of a worker. */
export const silenceSeconds = 30;
