import type { AnyChoice } from './choices/choices.ts';
import { emptyReply, jsonReply, type Reply } from './reply.ts';

export const notRoutedChoice = 'unknown-operation' satisfies AnyChoice;

/**
 * Answers a request that reaches no operation.
 *
 * @param allowed - the methods that the path knows, where it is known
 */
export function notRouted(method: string, allowed: readonly string[] | undefined): Reply {
  const headers: Record<string, string> = { 'x-sandbox-choice': notRoutedChoice };
  if (!allowed) return jsonReply(404, { message: 'There is no such operation.' }, headers);
  headers.allow = allowed.join(', ');
  if (method === 'OPTIONS') return emptyReply(204, headers);
  return jsonReply(405, { message: `This path knows ${headers.allow}.` }, headers);
}
