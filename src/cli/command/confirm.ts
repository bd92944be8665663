import type { Client } from 'carillon';
import { readBefore } from '../catalogue/before-call.ts';
import type { Params } from '../catalogue/check-params.ts';
import { describeCalls } from '../catalogue/describe-call.ts';
import type { Method } from '../catalogue/methods.ts';
import { replaceInvisible } from '../text/invisible.ts';
import { UnconfirmedError } from './exit-codes.ts';
import type { Io } from './io.ts';

/** Maximum length of the parameters, which fits on a screen with the question. */
const maxCharacters = 2_000;

/** A call that a person decides about. */
interface Asked {
  method: Method;
  /** The parameters of the call, or of the first and the last of a set. */
  calls: readonly Params[];
  /** Number of calls. */
  count: number;
  /** Why a person is asked, as it follows "This". */
  reason: string;
  /** Lines about all calls of a set. */
  differences?: readonly string[] | undefined;
}

/**
 * Asks before a call, which needs a terminal.
 *
 * @param where - destination of the calls, the address or the sandbox
 * @throws `UnconfirmedError` unless the answer is yes
 */
export async function confirm(
  client: Client,
  { method, calls, count, reason, differences }: Asked,
  where: string,
  io: Io,
): Promise<void> {
  if (!io.isTerminal.input || !io.isTerminal.error) {
    throw new UnconfirmedError(
      `${method.name} ${reason}, so a person must confirm it. Run it in a terminal, and answer the question. Nothing was sent.`,
    );
  }
  const facts = await Promise.all(
    calls.map(async (params) => ({ params, facts: await readBefore(client, method, params, io.signal) })),
  );
  const { what, lines } = describeCalls(method, reason, facts, count, maxCharacters, replaceInvisible, differences);
  io.note(`${what}\nAt ${where}, with:\n${lines.map((line) => `  ${replaceInvisible(line)}\n`).join('')}`);
  const answer = await io.ask('Continue? [y/N] ');
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UnconfirmedError('Not confirmed. Nothing was sent.');
}
