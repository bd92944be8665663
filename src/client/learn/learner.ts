import { resolve } from 'node:path';
import { replies } from '../../../generated/replies.ts';
import { type Account, addObserved } from '../../shared/observed/observed.ts';
import { ObservedFile } from '../../shared/observed/observed-file.ts';
import { Recorder } from '../../shared/observed/recorder.ts';
import { observe } from '../core/observe.ts';
import type { Logger, ResponseValidator } from '../core/options.ts';

/** Options of {@link createLearner}. */
export interface LearnerOptions {
  /** Path of the file with the observations of one account, in an existing folder. Observations in the file are kept. */
  file: string;
  /**
   * Validator that also checks the responses.
   * @default responses are not validated
   */
  validate?: ResponseValidator | undefined;
  /**
   * Whether to write the names in maps, such as those of your own variables, and in the details of failures. They may be personal data.
   * @default false
   */
  names?: boolean | undefined;
  /**
   * Called with a warning if the file cannot be written. The observations are kept for the next write.
   * @default console.warn
   */
  logger?: Pick<Logger, 'warn'> | undefined;
}

/** Value of the `validate` option that observes responses. */
export interface Learner extends ResponseValidator {
  observe(operationId: string, status: number, body: unknown): void;
  /**
   * Writes the remaining observations and stops. Otherwise they are written when the process exits. A process that is killed by a signal
   * loses those of its last second.
   */
  close(): Promise<void>;
}

/** Minimum time between two writes, in milliseconds. */
const interval = 1_000;

/** Learners that write at the end of the process. They share one listener. */
const atExit = /* @__PURE__ */ new Set<() => void>();
/** Files of the learners in this process by path. Learners of one file share it, because they cannot wait for each other at the end. */
const files = /* @__PURE__ */ new Map<string, { observed: ObservedFile; learners: number }>();

function openFile(path: string, isKnown: (name: string) => boolean): ObservedFile {
  const entry = files.get(path) ?? { observed: new ObservedFile(path, isKnown), learners: 0 };
  entry.learners += 1;
  files.set(path, entry);
  return entry.observed;
}

function closeFile(path: string): void {
  const entry = files.get(path);
  if (!entry) return;
  entry.learners -= 1;
  if (entry.learners === 0) files.delete(path);
}

/**
 * Creates a `validate` option that writes the form of responses to a file: types, formats and names of fields, without values.
 * `carillon learn report` compares the file with the specs.
 *
 * @param options - path of the file, and further options
 * @returns the option for `createClient` and the other clients
 * @throws `Error` if the folder does not exist, or if the file does not contain observations of one account
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { createLearner } from 'carillon/learn';
 *
 * const learner = createLearner({ file: 'observed.json' });
 * const api = createClient({ baseUrl: 'https://api.example.com', auth: { apiKey: 'my-key' }, validate: learner });
 * console.log(await api.crm.users.list());
 * await learner.close();
 * ```
 */
export function createLearner({ file, validate, names, logger = console }: LearnerOptions): Learner {
  const path = resolve(file);
  const recorder = new Recorder(Object.values(replies), { names });
  const observed = openFile(path, recorder.isKnown);
  recorder.keep(observed.account);
  /** Observations of a failed write. */
  let waiting: Account = {};
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isClosed = false;
  let closing: Promise<void> | undefined;
  let hasWarned = false;

  function takeAll(isLast: boolean): Account {
    const account = addObserved(recorder.isKnown, one(waiting), one(recorder.take({ isLast }))).accounts.all ?? {};
    waiting = {};
    return account;
  }

  function warn(error: unknown): void {
    if (hasWarned) return;
    hasWarned = true;
    const reason = error instanceof Error ? error.message : 'unknown reason';
    void observe(() => logger.warn(`carillon: the learner could not write ${path}: ${reason}`));
  }

  async function write(add: (account: Account) => Promise<boolean>, isLast: boolean): Promise<boolean> {
    const account = takeAll(isLast);
    if (Object.keys(account).length === 0) return true;
    try {
      if (await add(account)) return true;
    } catch (error) {
      warn(error);
    }
    waiting = account;
    return false;
  }

  function schedule(): void {
    timer ??= setTimeout(() => {
      writing = write((account) => observed.add(account), false).then((isDone) => {
        timer = undefined;
        if (!isDone && !isClosed) schedule();
      });
    }, interval).unref();
  }

  function finish(): void {
    const account = takeAll(true);
    try {
      // Another process holds the file for a few milliseconds.
      for (let attempts = 0; attempts < 200; attempts += 1) {
        if (observed.addNow(account)) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
      warn(new Error('another process is writing it'));
    } catch (error) {
      warn(error);
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    clearTimeout(timer);
    await writing;
    if (!(await write((account) => observed.addAndWait(account), true)))
      warn(new Error('another process is writing it'));
    atExit.delete(finish);
    closeFile(path);
    if (atExit.size === 0) process.off('exit', finishAll);
  }

  if (atExit.size === 0) process.once('exit', finishAll);
  atExit.add(finish);
  return {
    onInvalid: validate?.onInvalid ?? 'report',
    check: (operationId, body) => validate?.check(operationId, body) ?? [],
    observe(operationId, status, body) {
      if (!isClosed) {
        recorder.record(operationId, status, body);
        schedule();
      }
      return validate?.observe?.(operationId, status, body);
    },
    close: () => (closing ??= close()),
  };
}

function finishAll(): void {
  for (const finish of atExit) finish();
}

function one(account: Account): { accounts: { all: Account } } {
  return { accounts: { all: account } };
}
