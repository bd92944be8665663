import { write } from 'node:fs';
import type { ServedRequest } from '../../shared/server/serve.ts';
import { withoutSecrets } from '../log/logged-request.ts';

const standardOutput = 1;
const flushMilliseconds = 25;
const retryMilliseconds = 100;
/** Maximum number of lines that wait for a slow reader. Further lines are counted and dropped. */
const maxWaiting = 10_000;
const maxPathLength = 200;

/** Formats a request as one line: method, path, status, rule or choice, milliseconds. Omits credentials and the body. */
export function formatLine({ method, target, status, header, milliseconds }: ServedRequest): string {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query) + withoutSecrets(target.slice(query));
  // Other characters could control the terminal.
  const printable = path.replace(/[^\x20-\x7e]/g, '?');
  const shown = printable.length > maxPathLength ? `${printable.slice(0, maxPathLength)}…` : printable;
  const cause = header('x-sandbox-rule')?.split(';', 1)[0] ?? (status >= 400 ? header('x-sandbox-choice') : null);
  return [method, shown, status || 'dropped', cause, `${milliseconds.toFixed(1)} ms`].filter(Boolean).join(' ');
}

/**
 * Writes lines in batches, without waiting. Unread output must not block the server, as `console.log` to a full pipe would.
 */
export class RequestLines {
  readonly #output: number;
  #waiting: string[] = [];
  #omitted = 0;
  #isBusy = false;

  /** @param output - descriptor of the output */
  constructor(output: number = standardOutput) {
    this.#output = output;
  }

  add(line: string): void {
    if (this.#waiting.length >= maxWaiting) this.#omitted += 1;
    else this.#waiting.push(line);
    if (this.#isBusy) return;
    this.#isBusy = true;
    setTimeout(() => this.#flush(), flushMilliseconds);
  }

  #flush(): void {
    const omitted = this.#omitted > 0 ? [`… ${this.#omitted} more requests`] : [];
    const lines = [...this.#waiting, ...omitted];
    this.#waiting = [];
    this.#omitted = 0;
    this.#isBusy = lines.length > 0;
    if (this.#isBusy) this.#write(Buffer.from(`${lines.join('\n')}\n`));
  }

  #write(text: Buffer): void {
    write(this.#output, text, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#write(text), retryMilliseconds);
      else if (!error && written < text.length) this.#write(text.subarray(written));
      else this.#flush();
    });
  }
}
