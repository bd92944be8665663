import type { IHttpConfig, IHttpRequest, IHttpResponse } from '@stoplight/prism-http';
import type { PrismOperation } from './operation.ts';
import { createInstance, createLogger, getHttpConfigFromRequest, ProblemJsonError } from './prism.ts';
import { type Diagnostic, listViolations, type Violation } from './violations.ts';

export type PrismOutcome =
  | { kind: 'response'; output: IHttpResponse }
  | { kind: 'rejected'; status: number; violations: Violation[] }
  /** The request is valid, but the spec has no response that the `Prefer` header requests. */
  | { kind: 'failed'; status: number; detail: string };

export type Ask = (input: IHttpRequest, operation: PrismOperation) => Promise<PrismOutcome>;

const base = {
  checkSecurity: true,
  validateRequest: true,
  validateResponse: false,
  errors: false,
  upstreamProxy: undefined,
  isProxy: false,
} as const;

/** Creates a function that passes a request and its operation to Prism. Prism does not log. */
export function createPrism(): Ask {
  const prism = createInstance(
    { ...base, mock: { dynamic: false } },
    { logger: createLogger('mock', { level: 'silent' }) },
  );
  return async (input, operation) => {
    const preferred = getHttpConfigFromRequest(input);
    if (preferred._tag === 'Left') return unmetPreference(input.headers?.prefer ?? '');
    const { code, exampleKey, seed, dynamic = false } = preferred.right;
    if (code !== undefined && (code < 200 || code > 599)) {
      return {
        kind: 'failed',
        status: 400,
        detail: `Prefer: code=${code} is not a response status. Use 200 to 599.`,
      };
    }
    // Prism ignores the example's name if the response has no body.
    if (exampleKey !== undefined && !hasExample(operation, exampleKey))
      return unmetPreference(input.headers?.prefer ?? '');
    // A new object for each request, because Prism writes into it.
    const config: IHttpConfig = { ...base, mock: { dynamic, code, exampleKey, seed } };
    const result = await prism.request(input, [operation], config)();
    if (result._tag === 'Left') return explain(result.left, operation, input.headers?.prefer);
    const { output, validations } = result.right;
    const violations = listViolations(validations.input, operation);
    return violations.length > 0
      ? { kind: 'rejected', status: output.statusCode, violations }
      : { kind: 'response', output };
  };
}

/** Converts an error from Prism. If no response to an invalid request is documented, the error contains the diagnostics. */
function explain(error: Error, operation: PrismOperation, preferred: string | undefined): PrismOutcome {
  if (!(error instanceof ProblemJsonError)) {
    // Prism throws a plain error if the preferred response does not exist.
    return preferred === undefined ? failed(error) : unmetPreference(preferred);
  }
  const { status, detail: message, additional } = error;
  const listed: unknown = additional?.validation;
  const diagnostics = Array.isArray(listed) ? listed.filter(isDiagnostic) : [];
  if (status === 401 || status === 415) diagnostics.push({ code: status, message, severity: 0 });
  const violations = listViolations(diagnostics, operation);
  if (violations.length > 0) return { kind: 'rejected', status, violations };
  return preferred === undefined ? failed(error) : unmetPreference(preferred);
}

function hasExample({ responses }: PrismOperation, key: string): boolean {
  return responses.some(({ contents = [] }) =>
    contents.some(({ examples = [] }) => examples.some((example) => example.key === key)),
  );
}

function unmetPreference(preferred: string): PrismOutcome {
  const detail = `The spec has no response for Prefer: ${preferred.slice(0, 200)}. Prefer accepts code=<status>, example=<name>, dynamic=true or false, and seed=<number>.`;
  return { kind: 'failed', status: 400, detail };
}

function isDiagnostic(value: unknown): value is Diagnostic {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string';
}

function failed(error: Error): PrismOutcome {
  return error instanceof ProblemJsonError
    ? { kind: 'failed', status: error.status, detail: error.detail || error.message }
    : { kind: 'failed', status: 500, detail: error.message };
}
