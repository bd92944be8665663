import type { Params } from '../catalogue/check-params.ts';
import type { Method } from '../catalogue/methods.ts';
import { effectTexts } from '../catalogue/type-text.ts';
import { UnconfirmedError } from './exit-codes.ts';
import type { Io } from './io.ts';

/**
 * Asks before a call that deletes, reaches people or costs money. Without a terminal, nobody can be asked.
 *
 * @param where - what would answer: the address, or the sandbox
 * @throws `UnconfirmedError` unless the answer is yes
 */
export async function confirm(method: Method, params: Params, where: string, io: Io): Promise<void> {
  const what = `${method.name} ${effectTexts[method.effect]}`;
  if (!io.isTerminal.input || !io.isTerminal.error) {
    throw new UnconfirmedError(`${what}. Nobody can be asked here: add --yes to call it. Nothing was sent.`);
  }
  io.note(`${what}, at ${where}:\n  ${shown(params)}\n`);
  const answer = await io.ask('Continue? [y/N] ');
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new UnconfirmedError('Not confirmed. Nothing was sent.');
}

/** The parameters in short. Long texts are cut; bytes are counted. */
function shown(params: Params): string {
  const text = JSON.stringify(params, (_, value: unknown) => {
    if (value instanceof Uint8Array) return `${value.length} bytes`;
    return typeof value === 'string' && value.length > 200
      ? `${value.slice(0, 200)}… (${value.length} characters)`
      : value;
  });
  return text.replace(/[\u007f-\u009f]/g, '\u{fffd}');
}
