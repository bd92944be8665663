import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';

/**
 * Moments that a timer rarely meets: before a statement of a plan, before outcomes are written, before the next statement after them, while
 * the rows of a dead worker are recovered, and between the two files of a log that is written anew.
 */
export type Moment = 'plan' | 'settle' | 'settled' | 'recovery' | 'rewriting';

const settle = /THEN r\.state ELSE g\.new_state/;
const statements: Partial<Record<Moment, RegExp>> = {
  plan: /INSERT INTO \S*rows |SET name = /,
  settle,
  recovery: /SELECT job, number, attempt, state FROM|DELETE FROM \S*workers WHERE id/,
};

/** Kills this process with -9 when it meets a moment for the nth time. */
export async function dieAt(moment: Moment, count: number): Promise<void> {
  let left = count;
  const meet = (): void => {
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
  };
  if (moment === 'rewriting') {
    const { renameSync } = fs;
    fs.renameSync = (from, to) => {
      meet();
      renameSync(from, to);
    };
    syncBuiltinESMExports();
    return;
  }
  let isSettled = false;
  const onStatement = (text: string): void => {
    if (moment === 'settled' && isSettled) meet();
    isSettled = settle.test(text);
    if (statements[moment]?.test(text)) meet();
  };
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (text, ...options) {
    const statement = prepare.call(this, text, ...options);
    const { all } = statement;
    return Object.assign(statement, {
      all(...given: unknown[]) {
        onStatement(text);
        return Reflect.apply(all, statement, given);
      },
    });
  };
  const { default: pg } = await import('pg');
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: unknown, ...given: unknown[]) {
    if (typeof given[0] === 'string') onStatement(given[0]);
    return Reflect.apply(query, this, given);
  };
}
