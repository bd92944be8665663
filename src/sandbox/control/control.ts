import * as z from 'zod';
import { messageOf } from '../../shared/message-of.ts';
import { Router } from '../../shared/router.ts';
import { rejectionResponse } from '../http/rejection-response.ts';
import { emptyResponse, jsonResponse, type PlainRequest, type PlainResponse } from '../http/request-and-response.ts';
import { rejectEncoding } from '../http/run-operation.ts';
import { maxControlNesting } from '../limits.ts';
import { parseJson } from '../rules/json.ts';
import { Rejection } from '../rules/rejection.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import { type ControlOptions, createAccess } from './access.ts';
import { type CommandTarget, commands, controlPrefix } from './commands.ts';

/** World to which a request belongs. */
export interface RequestWorld {
  name: string;
  world: World;
  /** Whether the request sends the key of the world. */
  isOwner: boolean;
}

const router = new Router(commands);

/** Header that names the world of a control request. Its value is a name from `GET /__sandbox/worlds`, percent-encoded. */
export const worldHeader = 'x-sandbox-world';

export function isControlRequest({ url }: Pick<PlainRequest, 'url'>): boolean {
  return url.pathname.startsWith(controlPrefix);
}

/**
 * Creates the handler of control requests. The handler returns status 200 with a result, 204 without a result, 400 for invalid
 * input, and 401 or 403 if the caller is not allowed to control the sandbox.
 */
export function createControl(
  worlds: Worlds,
  options: ControlOptions,
): (place: RequestWorld, request: PlainRequest) => Promise<PlainResponse> {
  const access = createAccess(options);
  return async ({ name, world, isOwner }, request) => {
    const { rejection, headers, isAdmin } = access(request, isOwner);
    if (rejection) return rejection;
    const target = { name, world, worlds, isAdmin, signal: request.signal };
    const response = await runCommand(target, request).catch(failureResponse);
    return { ...response, headers: { ...response.headers, ...headers } };
  };
}

async function runCommand(target: CommandTarget, request: PlainRequest): Promise<PlainResponse> {
  const { method, url, headers, text } = request;
  if (headers.get(worldHeader) !== null && !target.isAdmin)
    return jsonResponse(403, { message: `The header ${worldHeader} requires the control token.` });
  rejectEncoding(request);
  const found = router.find(method, url.pathname);
  if (!found || 'allowed' in found) {
    const known = commands.map(({ route }) => `${route.method} ${route.path}`).join(', ');
    return jsonResponse(404, { message: `There is no such command. Known commands: ${known}` });
  }
  const given =
    method === 'GET'
      ? Object.fromEntries(url.searchParams)
      : text.trim() === ''
        ? {}
        : parseJson(text, maxControlNesting);
  const hasValues = Object.keys(found.path).length > 0;
  const result = await found.target.run(target, hasValues ? { ...Object(given), ...found.path } : given);
  return result === undefined ? emptyResponse(204) : jsonResponse(200, result);
}

/** A rejection has its own status. Any other error that a command throws is caused by its input. */
function failureResponse(error: unknown): PlainResponse {
  if (error instanceof Rejection) return rejectionResponse(error);
  if (error instanceof SyntaxError) return jsonResponse(400, { message: 'The body is not JSON.' });
  return jsonResponse(400, { message: error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error) });
}
