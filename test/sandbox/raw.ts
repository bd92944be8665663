import type { Sandbox } from '../../src/sandbox/index.ts';

/** Any origin works: a sandbox uses only the path. */
export const origin = 'https://sandbox.example.com';

/** A raw request, such as `GET /crm/v1/users`, for requests that the typed client cannot send. */
export function send(
  sandbox: Pick<Sandbox, 'fetch'>,
  request: string,
  { body, token = 'any' }: { body?: unknown; token?: string | null } = {},
): Promise<Response> {
  const [method = '', path = ''] = request.split(' ');
  return sandbox.fetch(origin + path, {
    method,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
}

export const deal = { pipelineId: 1, stepId: 11, name: 'Annual plan renewal' };
