/**
 * Checks replies against the specs. Needs `zod` 4, which the other entries do without.
 *
 * @module carillon/validate
 */
import type { ZodType } from 'zod';
import * as crm from '../generated/crm/validators.ts';
import * as email from '../generated/email/validators.ts';
import * as messaging from '../generated/messaging/validators.ts';
import type { ReplyValidator } from './core/options.ts';

export type { ReplyValidator } from './core/options.ts';

/** Options of {@link createReplyValidator}. */
export interface ReplyValidatorOptions {
  /**
   * `report` tells the logger and gives the reply all the same, so that an API that drifts breaks no program; `throw`
   * rejects the call with a `ResponseError`.
   * @default 'report'
   */
  onInvalid?: 'report' | 'throw';
}

/** Only as deep as a reader needs; a list of a thousand wrong records says the same a thousand times. */
const mostProblems = 5;

/**
 * Makes the `validate` option of a client: each successful reply is compared with its schema. Problems name places and
 * types, never values; the reply itself is not changed.
 *
 * @param options - what happens to a reply that does not fit
 * @returns the option for `createClient` and the other clients
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { createReplyValidator } from 'carillon/validate';
 *
 * const api = createClient({
 *   baseUrl: 'https://api.example.com',
 *   auth: { apiKey: 'my-key' },
 *   validate: createReplyValidator({ onInvalid: 'throw' }),
 * });
 * console.log(await api.crm.users.list());
 * ```
 */
export function createReplyValidator({ onInvalid = 'report' }: ReplyValidatorOptions = {}): ReplyValidator {
  const schemas = new Map<string, ZodType>(
    [crm, messaging, email].flatMap((module) => Object.entries(module).filter(([name]) => name.endsWith('Response'))),
  );
  return {
    onInvalid,
    check(operationId, body) {
      const schema = schemas.get(`z${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Response`);
      const result = schema?.safeParse(body);
      if (!result || result.success) return [];
      return result.error.issues
        .slice(0, mostProblems)
        .map(({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`);
    },
  };
}
