import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import {
  chmodSync,
  closeSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeLeftovers, temporaryName } from '../temporary-file.ts';
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
  /** Permissions of the file, if it existed. */
  readonly #mode: number | undefined;
  /** Random ID of the account, for a new file. */
  readonly #newAccount = randomUUID();
  /** Observations of a running {@link add}, and the new content of the file once it has been read. */
  #adding: { account: Account; content?: string } | undefined;
  /** Observations that the file contains when it is opened. */
  readonly account: Account;

  /**
   * @throws `ObservedFileError` if the file exists, but is not a file of observations of one account, or if its folder does not exist
   */
  constructor(path: string, isKnown: (name: string) => boolean) {
    const present = checkFile(path);
    // A rename would replace a symbolic link.
    this.#path = present ? realpathSync(path) : path;
    this.#mode = present && present.mode & 0o777;
    this.#next = `${this.#path}.new`;
    this.#isKnown = isKnown;
    removeLeftovers(this.#path);
    this.account = Object.values(this.#read(readIfThere(this.#path)).accounts)[0] ?? {};
  }

  /**
   * Adds observations.
   *
   * @returns `false` if another process is writing. The caller tries again.
   */
  async add(account: Account): Promise<boolean> {
    if (!this.#lock()) return false;
    const adding: { account: Account; content?: string } = { account };
    this.#adding = adding;
    try {
      adding.content = this.#with(await readFile(this.#path, 'utf8').catch(unlessMissing), account);
      await writeFile(this.#next, adding.content, { flush: true });
      if (this.#mode !== undefined) await chmod(this.#next, this.#mode);
      await rename(this.#next, this.#path);
      return true;
    } catch (error) {
      await rm(this.#next, { force: true });
      throw error;
    } finally {
      this.#adding = undefined;
    }
  }

  /** Adds observations, and waits up to two seconds for another process that is writing. */
  async addAndWait(account: Account): Promise<boolean> {
    for (let tries = 0; tries < 100; tries += 1) {
      if (await this.add(account)) return true;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return false;
  }

  /**
   * The same as {@link add}, synchronously, for the end of the process. It also writes the observations of an unfinished {@link add}.
   */
  addNow(account: Account): boolean {
    const adding = this.#adding;
    if (!adding && Object.keys(account).length === 0) return true;
    if (!adding && !this.#lock()) return false;
    // An unfinished `add` may still be writing to its temporary file.
    const next = adding ? temporaryName(this.#path) : this.#next;
    try {
      // The file may already have the content of an unfinished `add`, or still the one before.
      const before = adding
        ? (adding.content ?? this.#with(readIfThere(this.#path), adding.account))
        : readIfThere(this.#path);
      const content = this.#with(before, account);
      writeFileSync(next, content, { flag: adding ? 'wx' : 'w', mode: this.#mode ?? 0o666 });
      if (this.#mode !== undefined) chmodSync(next, this.#mode);
      renameSync(next, this.#path);
      if (adding) this.#adding = { account: {}, content };
      return true;
    } catch (error) {
      rmSync(next, { force: true });
      throw error;
    } finally {
      if (adding) rmSync(this.#next, { force: true });
    }
  }

  /** Creates the temporary file, unless another process has created it. */
  #lock(): boolean {
    try {
      closeSync(openSync(this.#next, 'wx', this.#mode ?? 0o666));
      return true;
    } catch (error) {
      unlessTaken(error);
      // The other process may have finished since.
      if (isStale(statSync(this.#next, { throwIfNoEntry: false })?.mtimeMs)) rmSync(this.#next, { force: true });
      return false;
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

/**
 * Checks that a file can be written.
 *
 * @returns its metadata, or `undefined` if it does not exist
 * @throws `ObservedFileError` if it is a folder, or in none
 */
export function checkFile(path: string): Stats | undefined {
  const present = statSync(path, { throwIfNoEntry: false });
  if (present?.isDirectory()) throw new ObservedFileError(`${path} is a folder. Name a file.`);
  if (!statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory())
    throw new ObservedFileError(`The folder of ${path} does not exist. Create it, or name another file.`);
  return present;
}

/** Whether the process that created a temporary file ended while it wrote. Its clock may be ahead. */
function isStale(modified: number | undefined): boolean {
  return modified !== undefined && Math.abs(Date.now() - modified) > 10_000;
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
