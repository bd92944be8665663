import type { Sandbox } from '../../src/sandbox/index.ts';
import { send } from './framework/raw.ts';

/** What a raw request is answered with: its status, the rule and the choices that the reply names, and the body. */
export interface Marked {
  status: number;
  rule: string | undefined;
  choices: string[];
  body: unknown;
}

/** Sends a request as it stands on the wire, such as `GET /msgr/task`. */
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

/** The choices that shaped the reply to a request, in the order of the alphabet. */
export async function choicesOf(sandbox: Pick<Sandbox, 'fetch'>, request: string, body?: unknown): Promise<string[]> {
  return (await marked(sandbox, request, body)).choices.sort();
}
