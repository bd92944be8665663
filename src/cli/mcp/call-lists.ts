import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Params } from '../catalogue/index.ts';
import { hideSecretFields } from '../catalogue/secret-fields.ts';
import { consentMilliseconds } from './consent.ts';

/**
 * Files with all calls of the sets that a person is asked about, because a question has room for the first and the last one.
 * Only the owner can read them. They exist until the question is decided.
 */
export class CallLists {
  readonly #mask: (text: string) => string;
  readonly #files = new Map<string, { path: string; timer: NodeJS.Timeout }>();
  #folder: string | undefined;

  /** @param mask - hides credentials */
  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  /**
   * Writes the parameters of each call on a line, as JSON.
   *
   * @param question - ID of the question
   * @returns the place in words, or `undefined` if the file cannot be written
   */
  write(question: string, calls: readonly Params[]): string | undefined {
    const lines = calls.map((params) => `${this.#mask(JSON.stringify(hideSecretFields(params)))}\n`);
    let path: string;
    try {
      this.#folder ??= this.#createFolder();
      path = join(this.#folder, `${question}.ndjson`);
      writeFileSync(path, lines.join(''), { mode: 0o600, flag: 'wx' });
    } catch {
      return undefined;
    }
    const timer = setTimeout(() => this.remove(question), consentMilliseconds).unref();
    this.#files.set(question, { path, timer });
    return `${path} (until you answer)`;
  }

  /** Removes the list of a question, if it has one. */
  remove(question: string): void {
    const file = this.#files.get(question);
    if (!file) return;
    this.#files.delete(question);
    clearTimeout(file.timer);
    rmSync(file.path, { force: true });
  }

  #createFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-mcp-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
}
