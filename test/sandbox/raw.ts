import type { Sandbox } from '../../src/sandbox/index.ts';

/** Any origin works, because a sandbox uses only the path. */
export const origin = 'https://sandbox.example.com';

/** Sends a raw request, such as `GET /crm/v1/users`, which the typed client may not permit. */
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
