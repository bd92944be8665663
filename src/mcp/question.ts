import type { Method, Params } from '../catalogue/index.ts';
import { effectTexts } from '../catalogue/type-text.ts';
import { hideSecretFields } from './result/mask.ts';
import { shorten } from './result/shorten.ts';

/** As much as a person reads in a dialogue. */
const mostCharacters = 3_000;

/** The name of the answer in the protocol. */
export const answerKey = 'consent';

/** What a person has to say yes to. A form that is sent empty is no consent. */
export const answerSchema = {
  type: 'object' as const,
  properties: {
    approve: {
      type: 'boolean' as const,
      title: 'Yes, make this call',
      description: 'It is valid for this call only, once.',
    },
  },
  required: ['approve'],
};

/**
 * What a person reads before a call. The parameters are the agent's words, so they are JSON: no line of them can look like
 * ours.
 */
export function writeQuestion(method: Method, params: Params, where: string): string {
  const { json, isShort } = shorten(hideSecretFields(params), (json) => json.length <= mostCharacters);
  const what = `${method.name} (${method.summary}). This ${effectTexts[method.effect]}.`;
  const note = isShort ? ' (shortened; the whole is sent)' : '';
  return `The agent wants to call ${what}\nAt: ${where}\nParameters${note}:\n${json}`;
}

/** Whether the person agreed. Anything but a clear yes is a no. */
export function isYes(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const content: unknown = Reflect.get(answer, 'content');
  const approve: unknown =
    typeof content === 'object' && content !== null ? Reflect.get(content, 'approve') : undefined;
  return Reflect.get(answer, 'action') === 'accept' && approve === true;
}
