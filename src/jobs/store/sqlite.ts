/// <reference types="node" />
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainSqlite, type FileKind, isBusy, openSharedFile, type SharedFile } from '../../shared/sqlite-file.ts';
import { JobsError } from '../jobs-error.ts';
import { assertLocalFolder, createFolder, namesIn } from './create-folder.ts';
import type { Batch, Dialect, Parameter, Run, Sql } from './sql.ts';
import { createTables } from './tables.ts';

const fileName = 'jobs.sqlite';

/** Milliseconds for which a statement may block this thread while another process writes. */
const blocking = 100;

/** Milliseconds after which a statement that waits for another process fails. */
const maxWait = 60_000;

/** A parameter of a statement. */
const numbered = /\$(\d+)/g;

const batchOf: Dialect['batch'] = (n, columns) =>
  `(SELECT ${Object.keys(columns)
    .map((column, index) => `value->>${index} AS ${column}`)
    .join(', ')} FROM json_each($${n})) AS g`;

const dialect: Dialect = {
  prefix: '',
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  rowOptions: 'WITHOUT ROWID',
  now: `CAST(unixepoch('subsec') * 1000 AS integer)`,
  lock: '',
  skipLocked: '',
  // SQLite would otherwise choose the primary key, and read all rows that have ended.
  indexedBy: (index) => `INDEXED BY ${index}`,
  batch: batchOf,
  place: 'NULL',
  isUnsafe: '0',
};

const kind: FileKind = {
  what: 'a carillon-jobs file',
  applicationId: 0x4361_4a6f,
  version: 1,
  schema: createTables(dialect),
};

/** Opens the jobs in a folder on this machine. `create` creates the file. Any number of processes can open the file. */
export function openSqlite(folder: string): Sql {
  const path = resolve(folder, fileName);
  let opened: Promise<SharedFile> | undefined;
  let place: string | undefined;
  const statements = new Map<string, { statement: StatementSync; order: readonly number[] }>();
  /** Statements of this process wait for its transaction, because both use the same connection. */
  let last: Promise<unknown> = Promise.resolve();

  async function open(): Promise<SharedFile> {
    opened ??= (async () => {
      assertLocalFolder(folder);
      const file = await openSharedFile(path, kind, { patience: blocking });
      place = placeOf(path);
      return file;
    })();
    return opened.catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
  }
  const exists = (): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;
  async function existing(): Promise<SharedFile> {
    if (opened === undefined && !exists()) throw new JobsError(`There are no jobs in ${path}: plan a job first.`);
    return open();
  }

  function execute(file: SharedFile, text: string, parameters: readonly (Parameter | Batch)[] = []): unknown[] {
    let prepared = statements.get(text);
    if (!prepared) {
      // Parameters have no numbers, because Node 22.13 treats numbers as names. Statements are kept, because SQLite would otherwise
      // finalize a statement while it is used.
      const order = [...text.matchAll(numbered)].map(([, number]) => Number(number) - 1);
      prepared = { statement: file.database.prepare(text.replaceAll(numbered, '?')), order };
      statements.set(text, prepared);
    }
    const given = parameters.map((each) =>
      each !== null && typeof each === 'object' ? JSON.stringify(each.rows) : each,
    );
    return prepared.statement.all(...prepared.order.map((index) => given[index] ?? null));
  }
  /** Runs a function after all earlier functions of this process have finished. */
  function inTurn<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = last.then(act, act);
    last = result.catch(() => undefined);
    return result;
  }
  const run: Run = async <Found>(text: string, parameters?: readonly (Parameter | Batch)[]) => {
    const file = await existing();
    return inTurn(() => retryWhileBusy(path, () => execute(file, text, parameters) as Found[]));
  };

  return {
    dialect,
    location: join(folder, fileName),
    silence: undefined,
    run,
    async transaction(act) {
      const file = await existing();
      return inTurn(async () => {
        await retryWhileBusy(path, () => file.database.exec('BEGIN IMMEDIATE'));
        try {
          const result = await act(async <Found>(text: string, parameters?: readonly (Parameter | Batch)[]) => {
            return execute(file, text, parameters) as Found[];
          });
          file.database.exec('COMMIT');
          return result;
        } catch (error) {
          if (file.database.isTransaction) file.database.exec('ROLLBACK');
          throw explainSqlite(error, path);
        }
      });
    },
    async place() {
      await existing();
      const now = placeOf(path);
      if (now !== place)
        throw new JobsError(
          `${path} is not the file that this process opened: the file was removed, replaced or moved. Nothing is sent. Restart the program.`,
        );
      return now;
    },
    analyze: async () => undefined,
    async create() {
      createFolder(folder);
      assertNoOldJobs(folder);
      await open();
    },
    async check() {
      if (!exists()) assertNoOldJobs(folder);
      await existing();
    },
    isNew: async () => !exists(),
    async close() {
      const file = await opened?.catch(() => undefined);
      if (!file) return;
      await last;
      statements.clear();
      file.database.close();
      opened = undefined;
    },
  };
}

/** Runs a statement. While another process writes, retries without blocking this thread. */
export async function retryWhileBusy<Result>(path: string, act: () => Result): Promise<Result> {
  const end = performance.now() + maxWait;
  for (;;) {
    try {
      return act();
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw explainSqlite(error, path);
      await sleep(20 + Math.random() * 30);
    }
  }
}

/** Identifies a file. A copy, a restored file or a file that was moved to another disk has a different inode or creation time. */
function placeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `file ${found.ino} ${Math.round(found.birthtimeMs)}` : 'no file';
}

/** @throws `JobsError` if the folder contains jobs in an earlier format, because their record of sent rows would be ignored */
export function assertNoOldJobs(folder: string): void {
  const old = namesIn(folder).find((name) => /-sent-\d+\.sqlite$/.test(name));
  if (old !== undefined)
    throw new JobsError(
      `${join(folder, old)} was written by an earlier version of carillon-jobs. This version cannot read its jobs. Finish the jobs with the earlier version, or use another folder.`,
    );
}
