import { replaceInvisible } from '../../shared/invisible.ts';
import type { Params } from '../catalogue/check-params.ts';
import { describeCall } from '../catalogue/describe-call.ts';
import type { Method } from '../catalogue/methods.ts';
import { effectTexts } from '../catalogue/type-text.ts';
import { UnconfirmedError } from './exit-codes.ts';
import type { Io } from './io.ts';

/** A thousand recipients are no help: their number is shown. */
const mostCharacters = 500;

/**
 * Asks before a call that deletes, reaches people or costs money. Without a terminal, nobody can be asked.
 *
 * @param where - what would answer: the address, or the sandbox
 * @throws `UnconfirmedError` unless the answer is yes
 */
export async function confirm(method: Method, params: Params, where: string, io: Io): Promise<void> {
  const what = `${method.name} ${effectTexts[method.effect]}`;
  if (!io.isTerminal.input || !io.isTerminal.error) {
    throw new UnconfirmedError(
      `${what}, so it asks a person, and nobody can be asked here. Run it in a terminal, and answer the question. Nothing was sent.`,
    );
  }
  const { what: does, params: lines } = describeCall(method, params, shown);
  io.note(`${does}\nAt ${where}, with:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  const answer = await io.ask('Continue? [y/N] ');
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UnconfirmedError('Not confirmed. Nothing was sent.');
}

/** A value in short, on one line. Long texts are cut; bytes are counted. */
function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (inner instanceof Uint8Array) return `${inner.length} bytes`;
    return typeof inner === 'string' && inner.length > 200
      ? `${inner.slice(0, 200)}… (${inner.length} characters)`
      : inner;
  });
  const safe = replaceInvisible(text);
  return safe.length > mostCharacters ? `${safe.slice(0, mostCharacters)}…` : safe;
}
