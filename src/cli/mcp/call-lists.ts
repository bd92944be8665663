import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Params } from '../catalogue/index.ts';
import { hideSecretFields } from '../catalogue/secret-fields.ts';
import { consentMilliseconds } from './consent.ts';

/** Folder for the lists of this process. Absent until the first list is written. */
let folder: string | undefined;

/**
 * Files that list the calls in a set, because a question has room only for the first and the last call. Only the owner can
 * read the files. A file exists until its question is answered or expires.
 */
export class CallLists {
  readonly #mask: (text: string) => string;
  readonly #files = new Map<string, { path: string; timer: NodeJS.Timeout }>();

  /** @param mask - hides credentials */
  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  /**
   * Writes the parameters of each call as JSON on one line.
   *
   * @param question - ID of the question
   * @returns the path of the file with a note, or `undefined` if the file cannot be written
   */
  write(question: string, calls: readonly Params[]): string | undefined {
    const lines = calls.map((params) => `${this.#mask(JSON.stringify(hideSecretFields(params)))}\n`);
    let path: string;
    try {
      folder ??= createFolder();
      path = join(folder, `${question}.ndjson`);
      writeFileSync(path, lines.join(''), { mode: 0o600, flag: 'wx' });
    } catch {
      return undefined;
    }
    const timer = setTimeout(() => this.remove(question), consentMilliseconds).unref();
    this.#files.set(question, { path, timer });
    return `${path} (deleted after you answer)`;
  }

  /** Removes the list for a question, if there is one. */
  remove(question: string): void {
    const file = this.#files.get(question);
    if (!file) return;
    this.#files.delete(question);
    clearTimeout(file.timer);
    rmSync(file.path, { force: true });
  }
}

function createFolder(): string {
  const created = mkdtempSync(join(tmpdir(), 'carillon-mcp-'));
  process.once('exit', () => rmSync(created, { recursive: true, force: true }));
  return created;
}
