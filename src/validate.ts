/**
 * Checks replies against the specs. Needs `zod` 4, which the other entries do without.
 *
 * @module carillon/validate
 */
import { crmDetails } from '../generated/crm/details.ts';
import { emailDetails } from '../generated/email/details.ts';
import { messagingDetails } from '../generated/messaging/details.ts';
import type { OperationDetails } from './core/operation-details.ts';
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

const details: Readonly<Record<string, OperationDetails>> = { ...crmDetails, ...messagingDetails, ...emailDetails };

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
  return {
    onInvalid,
    check(operationId, body) {
      const result = details[operationId]?.reply?.safeParse(body);
      if (!result || result.success) return [];
      return result.error.issues
        .slice(0, mostProblems)
        .map(({ path, message }) => `${path.map(String).join('.') || 'body'}: ${message}`);
    },
  };
}
