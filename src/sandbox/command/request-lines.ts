import { write } from 'node:fs';
import type { Answered } from '../../shared/server/serve.ts';
import { withoutSecrets } from '../logged-request.ts';

const standardOutput = 1;
const flushMilliseconds = 25;
const retryMilliseconds = 100;
/** Lines that wait for a slow reader of the output. Further ones are counted, not kept. */
const mostWaiting = 10_000;
const longestPath = 200;

/** One line about a request: method, path, status, rule or choice, milliseconds. No credentials, nothing of its body. */
export function formatLine({ method, target, status, header, milliseconds }: Answered): string {
  const query = target.indexOf('?');
  const path = query === -1 ? target : target.slice(0, query) + withoutSecrets(target.slice(query));
  // Other characters could control the terminal.
  const printable = path.replace(/[^\x20-\x7e]/g, '?');
  const shown = printable.length > longestPath ? `${printable.slice(0, longestPath)}…` : printable;
  const cause = header('x-sandbox-rule')?.split(';', 1)[0] ?? (status >= 400 ? header('x-sandbox-choice') : null);
  return [method, shown, status || 'dropped', cause, `${milliseconds.toFixed(1)} ms`].filter(Boolean).join(' ');
}

/**
 * Writes lines together, and without waiting: output that nobody reads must not stop the server, as `console.log` to a
 * full pipe would.
 */
export class RequestLines {
  #waiting: string[] = [];
  #omitted = 0;
  #isBusy = false;

  add(line: string): void {
    if (this.#waiting.length >= mostWaiting) this.#omitted += 1;
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
    write(standardOutput, text, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#write(text), retryMilliseconds);
      else if (!error && written < text.length) this.#write(text.subarray(written));
      else this.#flush();
    });
  }
}
