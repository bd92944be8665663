import { escapeInvisible } from '../../shared/invisible.ts';
import { describeCall } from '../catalogue/describe-call.ts';
import type { Method, Params } from '../catalogue/index.ts';
import { shorten } from './result.ts';

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
 * What a person reads before a call. The parameters are the agent's words, so each is JSON on one line: none of them can look
 * like another line of the question.
 */
export function writeQuestion(method: Method, params: Params, where: string): string {
  const most = Math.floor(mostCharacters / Math.max(1, Object.keys(params).length));
  const write = (value: unknown): string => {
    const { json, isShort } = shorten(value, (json) => json.length <= most);
    return isShort ? `${json} (shortened; the whole is sent)` : json;
  };
  const { what, params: lines } = describeCall(method, params, write);
  const list = lines.map((line) => `- ${escapeInvisible(line, '\n')}`).join('\n');
  return `The agent wants to: ${what}\nAt: ${where}\nParameters:${list === '' ? ' none' : `\n${list}`}`;
}

/** Whether the person agreed. Anything but a clear yes is a no. */
export function isYes(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const content: unknown = Reflect.get(answer, 'content');
  const approve: unknown =
    typeof content === 'object' && content !== null ? Reflect.get(content, 'approve') : undefined;
  return Reflect.get(answer, 'action') === 'accept' && approve === true;
}
