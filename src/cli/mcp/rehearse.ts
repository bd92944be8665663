import { createClient, isCarillonError } from 'carillon';
import type { Sandbox } from 'carillon-sandbox';
import { callMethod, type Method, type Params } from '../catalogue/index.ts';
import { writeFailure } from './failure.ts';

const baseUrl = 'https://rehearsal.invalid';
const silent = { warn() {} };

/**
 * Calls a method in a new sandbox, and says which documented rule would reject the call. It sends no request to the service.
 *
 * @param original - sandbox of the server, if it uses one; the rehearsal gets a copy of its data
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
  const data = original ? '' : ' Its records are invented: an unknown ID here says nothing about the account.';
  try {
    await callMethod(client, method.name, params);
    return `Rehearsal in a sandbox: no documented rule rejects ${method.name}.${data} Nothing was sent to the service.${hint(method)}`;
  } catch (error) {
    return `Rehearsal in a sandbox: ${method.name} was rejected. ${causeOf(error)}${data} Nothing was sent to the service.\n${writeFailure(method, error, 'sandbox')}`;
  }
}

function hint({ testMode }: Method): string {
  return testMode !== undefined
    ? ' rehearse: "service" lets the service check it too, and sends and charges nothing.'
    : '';
}

function causeOf(error: unknown): string {
  if (!isCarillonError(error, 'ApiError')) return 'It would not have been sent.';
  const rule = error.headers.get('x-sandbox-rule');
  if (rule) return `Documented rule: ${rule}.`;
  return 'No documented rule says this: it is a choice of the sandbox.';
}
