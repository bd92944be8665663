import type { AnyChoice } from './choices/choices.ts';

export const notRoutedChoice = 'unknown-operation' satisfies AnyChoice;

/**
 * Answers a request that reaches no operation.
 *
 * @param allowed - the methods that the path knows, where it is known
 */
export function notRouted(method: string, allowed: readonly string[] | undefined): Response {
  const headers: Record<string, string> = { 'x-sandbox-choice': notRoutedChoice };
  if (!allowed) return Response.json({ message: 'There is no such operation.' }, { status: 404, headers });
  headers.allow = allowed.join(', ');
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers });
  return Response.json({ message: `This path knows ${headers.allow}.` }, { status: 405, headers });
}
