import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import {
  type Account,
  addObserved,
  type Observed,
  ObservedFileError,
  readObserved,
  writeObserved,
} from './observed.ts';

/** A file with the observations of one account. Several processes can add to it. */
export class ObservedFile {
  readonly #path: string;
  /** Temporary file for the new content, renamed to the final name. It is also the lock: only its creator writes. */
  readonly #next: string;
  readonly #isKnown: (name: string) => boolean;
  /** Random ID of the account, for a new file. */
  readonly #newAccount = randomUUID();
  /** Observations that the file contains when it is opened. */
  readonly account: Account;

  /** @throws `ObservedFileError` if the file exists, but is not a file of observations of one account */
  constructor(path: string, isKnown: (name: string) => boolean) {
    this.#path = path;
    this.#next = `${path}.new`;
    this.#isKnown = isKnown;
    this.account = Object.values(this.#read(readIfThere(path)).accounts)[0] ?? {};
  }

  /**
   * Adds observations.
   *
   * @returns `false` if another process is writing. The caller tries again.
   */
  async add(account: Account): Promise<boolean> {
    const handle = await open(this.#next, 'wx').catch(unlessTaken);
    if (!handle) {
      // The other process may have finished since.
      if (isStale((await stat(this.#next).catch(unlessMissing))?.mtimeMs)) await rm(this.#next, { force: true });
      return false;
    }
    try {
      const before = await readFile(this.#path, 'utf8').catch(unlessMissing);
      await handle.writeFile(this.#with(before, account));
      await handle.sync();
      await handle.close();
      await rename(this.#next, this.#path);
      return true;
    } catch (error) {
      await handle.close();
      await rm(this.#next, { force: true });
      throw error;
    }
  }

  /** The same as {@link add}, synchronously, for the end of the process. */
  addNow(account: Account): boolean {
    let handle: number;
    try {
      handle = openSync(this.#next, 'wx');
    } catch (error) {
      unlessTaken(error);
      if (isStale(statSync(this.#next, { throwIfNoEntry: false })?.mtimeMs)) rmSync(this.#next, { force: true });
      return false;
    }
    try {
      writeFileSync(handle, this.#with(readIfThere(this.#path), account));
      renameSync(this.#next, this.#path);
      return true;
    } catch (error) {
      rmSync(this.#next, { force: true });
      throw error;
    } finally {
      closeSync(handle);
    }
  }

  /** Returns the content of the file with observations added. */
  #with(before: string | undefined, account: Account): string {
    const known = this.#read(before);
    const [id = this.#newAccount] = Object.keys(known.accounts);
    return writeObserved(addObserved(this.#isKnown, known, { accounts: { [id]: account } }));
  }

  #read(before: string | undefined): Observed {
    const known = before === undefined ? { accounts: {} } : readObserved(before, this.#path, this.#isKnown);
    const count = Object.keys(known.accounts).length;
    if (count > 1) {
      throw new ObservedFileError(
        `${this.#path} has the observations of ${count} accounts, so it is not clear to which of them new ones belong. Name another file, and merge them with: carillon learn merge`,
      );
    }
    return known;
  }
}

/** Removes the temporary file of a process that ended while it wrote. */
function isStale(modified: number | undefined): boolean {
  return modified !== undefined && Date.now() - modified > 10_000;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return unlessMissing(error);
  }
}

function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
}

function unlessTaken(error: unknown): undefined {
  if (!hasCode(error, 'EEXIST')) throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
