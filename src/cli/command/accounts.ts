import { UsageError } from '../../shared/command-line.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { CallFlags } from './call-options.ts';
import { exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { json, type Layout, pick } from './output.ts';
import { describeFailure, exitCodeOf } from './report-error.ts';
import { createOutput, type Output } from './write-value.ts';

/** A profile that a person named, and the surroundings with it. */
export interface Account {
  readonly name: string;
  readonly io: Io;
}

/**
 * Makes a call that reads in several accounts, one after the other, and writes their results together. A failure in one account
 * does not stop the others.
 *
 * @param read - makes the call with the credentials of an account
 * @returns the exit code, that of the first failure if there is one
 * @throws `UsageError` if a profile is named twice
 */
export async function readAccounts(
  accounts: readonly Account[],
  layout: Layout,
  { quiet = false }: CallFlags,
  io: Io,
  read: (io: Io, output: Output) => Promise<void>,
): Promise<number> {
  const names = accounts.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`The profile ${twice} is named twice.`);
  const output = createAccountsOutput(layout, io);
  let code: number = exitCodes.done;
  for (const { name, io: own } of accounts) {
    try {
      await read({ ...own, note: (text) => own.note(quiet ? text : `${name}: ${text}`) }, await output.of(name));
    } catch (error) {
      if (io.signal.aborted) throw error;
      if (code === exitCodes.done) code = exitCodeOf(error);
      io.note(`${name}: ${describeFailure(error, undefined, own.env)}`);
    }
  }
  await output.end();
  return code;
}

interface AccountsOutput {
  /** Returns the output for the results of an account. */
  of(name: string): Promise<Output>;
  end(): Promise<void>;
}

/**
 * A table for each account, one JSON object with a key for each, or one list whose items begin with the profile.
 */
function createAccountsOutput(layout: Layout, io: Io): AccountsOutput {
  const { format, fields, columns } = layout;
  if (format === 'table')
    return {
      async of(name) {
        await io.write(`${name}:\n`);
        return createOutput(layout, io);
      },
      end: async () => undefined,
    };
  if (format === 'json') {
    const results: [string, unknown][] = [];
    return {
      async of(name) {
        const list: unknown[] = [];
        return {
          value: async (value) => void results.push([name, pick(value, fields)]),
          items: async (items) => void list.push(...items.map((item) => pick(item, fields))),
          end: async () => void results.push([name, list]),
          dropped: () => new Set(),
        };
      },
      end: async () => void (await io.write(`${json(Object.fromEntries(results), 2)}\n`)),
    };
  }
  const shared = createOutput(
    {
      ...layout,
      ...(fields && { fields: ['profile', ...fields] }),
      ...(columns && { columns: ['profile', ...columns] }),
      documented: layout.documented && new Set(['profile', ...layout.documented]),
    },
    io,
  );
  return {
    async of(profile) {
      const withProfile = (item: unknown): unknown => ({ profile, ...(isRecord(item) ? item : { value: item }) });
      return {
        value: (value) => shared.items([withProfile(value)]),
        items: (items) => shared.items(items.map(withProfile)),
        end: async () => undefined,
        dropped: shared.dropped,
      };
    },
    end: shared.end,
  };
}
