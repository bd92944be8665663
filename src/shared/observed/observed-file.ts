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

/** The file of an account's observations. Several processes can add to one file. */
export class ObservedFile {
  readonly #path: string;
  /** The new content is written here, and takes the place of the file. Who creates it may write. */
  readonly #next: string;
  readonly #isKnown: (name: string) => boolean;
  /** For a file that does not exist yet. */
  readonly #newAccount = randomUUID();
  /** What the file has at first. */
  readonly account: Account;

  /** @throws `ObservedFileError` if there is a file that observations cannot be added to */
  constructor(path: string, isKnown: (name: string) => boolean) {
    this.#path = path;
    this.#next = `${path}.new`;
    this.#isKnown = isKnown;
    this.account = Object.values(this.#read(readIfThere(path)).accounts)[0] ?? {};
  }

  /**
   * Adds observations.
   *
   * @returns `false` if another process is writing: try again
   */
  async add(account: Account): Promise<boolean> {
    const handle = await open(this.#next, 'wx').catch(unlessTaken);
    if (!handle) {
      // It can be done by now.
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

  /** Does the same at once, while the process ends. */
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

  /** The content of the file with more observations of its account. */
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

/** A process that ended while it wrote leaves its file. */
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
