import { createClient, isCarillonError } from 'carillon';
import type { Sandbox } from 'carillon-sandbox';
import { callMethod, type Method, type Params } from '../catalogue/index.ts';
import { writeFailure } from './failure.ts';

const baseUrl = 'https://rehearsal.invalid';
const silent = { warn() {} };

/**
 * Calls a method in a new sandbox, and says which documented rule would reject the call. Sends no request to the service.
 *
 * @param original - sandbox of the server, if the server uses a sandbox; the rehearsal gets a copy of its data
 */
export async function rehearse(method: Method, params: Params, original: Sandbox | undefined): Promise<string> {
  const { createSandbox } = await import('carillon-sandbox');
  const sandbox = createSandbox(original ? { startAt: original.clock.now() } : {});
  if (original) sandbox.restore(original.snapshot());
  const client = createClient({
    baseUrl,
    auth: { apiKey: 'rehearsal' },
    fetch: sandbox.fetch,
    maxRetries: 0,
    logger: silent,
  });
  const data = original
    ? ''
    : ' The records in the sandbox are invented, so an unknown ID says nothing about the account.';
  try {
    await callMethod(client, method.name, params);
    return `Rehearsal in a sandbox: no documented rule rejects ${method.name}.${data} Nothing was sent to the service.${hint(method)}`;
  } catch (error) {
    return `Rehearsal in a sandbox: ${method.name} was rejected. ${causeOf(error)}${data} Nothing was sent to the service.\n${writeFailure(method, error, 'sandbox')}`;
  }
}

function hint({ testMode }: Method): string {
  return testMode !== undefined
    ? ' With rehearse: "service", the service also checks the call, but sends and charges nothing.'
    : '';
}

function causeOf(error: unknown): string {
  if (!isCarillonError(error, 'ApiError')) return 'The client would not have sent the call.';
  const rule = error.headers.get('x-sandbox-rule');
  if (rule) return `Documented rule: ${rule}.`;
  return 'No documented rule requires the rejection. It is a choice of the sandbox.';
}
