import { escapeInvisible } from '../../shared/invisible.ts';
import { type CallFacts, describeCalls } from '../catalogue/describe-call.ts';
import type { Method } from '../catalogue/index.ts';

/** As much as a person reads in a dialogue. */
const mostCharacters = 3_000;

/** The name of the answer in the protocol. */
export const answerKey = 'consent';

/** The form that a person fills in. Sent empty, it is no consent. */
export const answerSchema = {
  type: 'object' as const,
  properties: {
    approve: {
      type: 'boolean' as const,
      title: 'Yes, do this',
      description: 'It is valid for what is described here only, once.',
    },
  },
  required: ['approve'],
};

/**
 * Writes the question about calls: their effect, the reason for the question, and what they concern.
 *
 * @param calls - the first, and the last of a set
 * @param count - how many calls the set has
 */
export function writeQuestion(
  method: Method,
  reason: string,
  calls: readonly CallFacts[],
  count: number,
  where: string,
): string {
  const { what, lines } = describeCalls(method, reason, calls, count, mostCharacters, asCode);
  const list = lines.map((line) => escapeInvisible(line, '\n')).join('\n');
  return `The agent wants to: ${what}\nAt: ${where}\nParameters:${list === '' ? ' none' : `\n${list}`}`;
}

/** Clients may show Markdown: inside of code, a link is a text. */
function asCode(json: string): string {
  return `\`${json.replaceAll('`', '\\u0060')}\``;
}

/** Whether the person agreed. Anything but a clear yes is a no. */
export function isYes(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const content: unknown = Reflect.get(answer, 'content');
  const approve: unknown =
    typeof content === 'object' && content !== null ? Reflect.get(content, 'approve') : undefined;
  return Reflect.get(answer, 'action') === 'accept' && approve === true;
}
