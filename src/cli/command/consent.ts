import { changesNeedTerminal, needsTerminal } from '../../shared/credentials.ts';
import type { Connection } from '../catalogue/connect.ts';
import type { Method } from '../catalogue/methods.ts';
import type { Question } from '../catalogue/question.ts';
import { replaceInvisible } from '../text/invisible.ts';
import { type ConnectionFlags, quietly } from './connection.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Maximum length of the parameters, so that the whole question fits on a screen. */
const maxCharacters = 2_000;

/**
 * Asks a person on the terminal to confirm calls that change something. If no confirmation is needed, only shows the address
 * that the calls go to.
 *
 * @param reason - why the person is asked, or `undefined` if no confirmation is needed
 * @throws `CommandError` unless the answer is yes
 */
export async function consent(
  method: Method,
  { isSandbox, baseUrl }: Connection,
  reason: string | undefined,
  readQuestion: (reason: string) => Promise<Question>,
  flags: ConnectionFlags,
  io: Io,
): Promise<void> {
  if (!isSandbox) requireTerminal(io);
  if (reason === undefined) {
    if (!isSandbox) quietly(io, flags).note(`At ${baseUrl}\n`);
    return;
  }
  return confirm(`${method.name} ${reason}`, io, async () => {
    const { describeCalls } = await import('../catalogue/question.ts');
    const { what, lines } = describeCalls(await readQuestion(reason), maxCharacters, replaceInvisible);
    const list = lines.map((line) => `  ${replaceInvisible(line)}\n`).join('');
    return `${what}\nAt ${isSandbox ? 'the sandbox' : baseUrl}, with:\n${list}`;
  });
}

/**
 * Asks a person on the terminal for confirmation.
 *
 * @param why - why a person is asked; part of the error if there is no terminal
 * @throws `CommandError` unless the answer is yes
 */
export async function confirm(why: string, io: Io, readText: () => Promise<string>): Promise<void> {
  if (!io.isTerminal.input || !io.isTerminal.error)
    throw unconfirmed(
      `${why}, so a person must confirm the call. Run the command in a terminal, and answer the question. Nothing was sent.`,
    );
  io.note(await readText());
  const answer = await io.ask('Continue? [y/N] ');
  if (!/^y(?:es)?$/i.test(answer.trim())) throw unconfirmed('Not confirmed. Nothing was sent.');
}

/** Requires a terminal for changes if the user chose that at login. `--yes` does not override this choice. */
export function requireTerminal(io: Io): void {
  if (io.isTerminal.input && io.isTerminal.error) return;
  if (changesNeedTerminal(io.env)) throw unconfirmed(needsTerminal);
}

function unconfirmed(message: string): CommandError {
  return new CommandError(exitCodes.unconfirmed, message);
}
