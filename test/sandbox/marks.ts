import type { Sandbox } from '../../src/sandbox/index.ts';
import { send } from './raw.ts';

/** Status, rule, choices and body of a response to a raw request. */
export interface Marked {
  status: number;
  rule: string | undefined;
  choices: string[];
  body: unknown;
}

/** Sends a raw request, such as `GET /msgr/task`. */
export async function marked(sandbox: Pick<Sandbox, 'fetch'>, request: string, body?: unknown): Promise<Marked> {
  const response = await send(sandbox, request, { body });
  const { status, headers } = response;
  return {
    status,
    rule: headers.get('x-sandbox-rule')?.split(';')[0],
    choices: headers.get('x-sandbox-choice')?.split(', ') ?? [],
    body: await response.json(),
  };
}

/** Returns the choices in the response to a request, in alphabetical order. */
export async function choicesOf(sandbox: Pick<Sandbox, 'fetch'>, request: string, body?: unknown): Promise<string[]> {
  return (await marked(sandbox, request, body)).choices.sort();
}
