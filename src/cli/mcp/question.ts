import { describeCalls, type Question } from '../catalogue/question.ts';
import { escapeInvisible } from '../text/invisible.ts';

/** Maximum length of the parameters, so that a person reads the whole question. */
const maxCharacters = 3_000;

/** The name of the answer in the protocol. */
export const answerKey = 'consent';

/** The form that a person fills in. An empty form is not consent. */
export const answerSchema = {
  type: 'object' as const,
  properties: {
    approve: {
      type: 'boolean' as const,
      title: 'Yes, do this',
      description: 'The consent is valid once, and only for the calls described here.',
    },
  },
  required: ['approve'],
};

/** Writes the question about calls, with their effect, the reason for the question, and their parameters. */
export function writeQuestion(question: Question, where: string): string {
  const { what, lines } = describeCalls(question, maxCharacters, asCode);
  const list = lines.map((line) => escapeInvisible(line, '\n')).join('\n');
  return `The agent wants to: ${what}\nAt: ${where}\nParameters:${list === '' ? ' none' : `\n${list}`}`;
}

/** Writes JSON as code, because clients may show Markdown, and a link in code is plain text. */
function asCode(json: string): string {
  return `\`${json.replaceAll('`', '\\u0060')}\``;
}

/** Whether the person agreed. Any answer other than a clear yes counts as a no. */
export function isYes(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const content: unknown = Reflect.get(answer, 'content');
  const approve: unknown =
    typeof content === 'object' && content !== null ? Reflect.get(content, 'approve') : undefined;
  return Reflect.get(answer, 'action') === 'accept' && approve === true;
}
