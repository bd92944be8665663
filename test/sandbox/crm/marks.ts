import { expect, test } from 'vitest';
import type { AnyChoice } from '../../../src/sandbox/rules/choices.ts';
import { send } from '../raw.ts';
import { start } from '../support.ts';

type Sandbox = ReturnType<typeof start>['sandbox'];
type Body = Record<string, unknown>;

/** Requests that must all succeed. */
export type Requests = [request: string, body?: Body][];

/** A choice, requests whose last response depends on it, and similar requests whose last response does not. */
export type Shaped = [choice: AnyChoice, effective: Requests, without: Requests];

/** Sends requests below `/crm/v1`, which must all succeed. Returns the choices that the last response names. */
export async function choicesOf(sandbox: Sandbox, ...requests: Requests): Promise<string[]> {
  let named: string[] = [];
  for (const [request, body] of requests) {
    const response = await send(sandbox, request.replace(' ', ' /crm/v1'), { body });
    expect([request, response.ok]).toEqual([request, true]);
    named = response.headers.get('x-sandbox-choice')?.split(', ') ?? [];
  }
  return named;
}

/** Tests that a response names each choice if it depends on it, and otherwise does not. */
export function testMarks(shaped: Shaped[]): void {
  test.each(shaped)('names %s only if it shapes the response: %j', async (choice, effective, without) => {
    expect(await choicesOf(start().sandbox, ...effective)).toContain(choice);
    expect(await choicesOf(start().sandbox, ...without)).not.toContain(choice);
  });
}
