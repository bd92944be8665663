/**
 * Checks responses against the specs. Requires `zod` 4.
 *
 * @module carillon/validate
 */
import { validators as ofProducts } from '../../generated/zod.ts';
import type { OperationValidators } from '../shared/operation-validators.ts';
import { checkOnInvalid, checkOptions } from './core/check-options.ts';
import type { ResponseValidator } from './core/options.ts';

export type { ResponseValidator } from './core/options.ts';

/** Options of {@link createResponseValidator}. */
export interface ResponseValidatorOptions {
  /**
   * `report` logs the problems and returns the response, so that a change in the API does not break the program. `throw` rejects
   * the call with a `ResponseError`.
   * @default 'report'
   */
  onInvalid?: 'report' | 'throw' | undefined;
}

const validators: Readonly<Record<string, OperationValidators>> = Object.assign({}, ...Object.values(ofProducts));

/** Maximum number of reported problems. A list of a thousand wrong records would repeat the same problem a thousand times. */
const maxProblems = 5;

/**
 * Returns a note for a missing field or `null`: only an assumption forbids it, because the documents mark fields as required only
 * in requests.
 */
function assumed({ code, input, path }: { code?: string | undefined; input?: unknown; path: PropertyKey[] }): string {
  const isAbsent = code === 'invalid_type' && (input === undefined || input === null) && path.length > 0;
  return isAbsent
    ? ' (not documented: the client assumes that every response has the field, and that it is not null)'
    : '';
}

/**
 * Creates the `validate` option of a client. The client then checks each successful response against its schema. Problems name
 * locations and types, never values. The response itself does not change.
 *
 * @param options - how to handle a response that does not match
 * @returns the option for `createClient` and the other clients
 * @throws `ConfigError` if an option is unknown or has an invalid value
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { createResponseValidator } from 'carillon/validate';
 *
 * const api = createClient({
 *   baseUrl: 'https://api.example.com',
 *   auth: { apiKey: 'my-key' },
 *   validate: createResponseValidator({ onInvalid: 'throw' }),
 * });
 * console.log(await api.crm.users.list());
 * ```
 */
export function createResponseValidator(options: ResponseValidatorOptions = {}): ResponseValidator {
  checkOptions(options, ['onInvalid']);
  const { onInvalid = 'report' } = options;
  checkOnInvalid(onInvalid);
  return {
    onInvalid,
    check(operationId, body) {
      const result = validators[operationId]?.response?.safeParse(body, { reportInput: true });
      if (!result || result.success) return [];
      return result.error.issues
        .slice(0, maxProblems)
        .map((issue) => `${issue.path.map(String).join('.') || 'body'}: ${issue.message}${assumed(issue)}`);
    },
  };
}
