import { sleep } from './sleep.ts';

/** How the body of a response is sent, if not all at once. */
export interface BodyDelivery {
  /** Time in which the parts of the body are sent, in milliseconds. */
  milliseconds: number;
  /** `during-body` drops the connection halfway through the body, and `after-body` drops the connection at the next request. */
  drop?: 'during-body' | 'after-body' | undefined;
}

const parts = 10;

/**
 * Yields the parts of a body over time.
 *
 * @throws the error from `dropped` halfway through the body, if `drop` is `during-body`; the signal's abort reason, if the
 * signal is aborted
 */
export async function* deliver(
  text: string,
  { milliseconds, drop }: BodyDelivery,
  dropped: () => Error,
  signal?: AbortSignal | null,
): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const end = drop === 'during-body' ? Math.floor(bytes.length / 2) : bytes.length;
  const length = Math.max(1, Math.ceil(bytes.length / parts));
  for (let start = 0; start < end; start += length) {
    if (milliseconds > 0) await sleep(milliseconds / parts, signal);
    yield bytes.slice(start, Math.min(start + length, end));
  }
  if (drop === 'during-body') throw dropped();
}
