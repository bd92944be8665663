import { type Found, Router } from '../../shared/router.ts';
import { sleep } from '../../shared/sleep.ts';
import type { TakenFault } from '../faults/fault-list.ts';
import { faultResponse } from '../faults/faults.ts';
import type { LogEntry } from '../log/logged-request.ts';
import type { Account } from '../rules/context.ts';
import { jsonIn } from '../rules/json.ts';
import { Rejection, rejection } from '../rules/rejection.ts';
import type { World } from '../world/world.ts';
import { authenticate } from './authentication.ts';
import { type Endpoint, endpoints } from './handled-operations.ts';
import { rejectionResponse, unroutedChoice, unroutedResponse } from './rejection-response.ts';
import { DroppedConnection, type PlainRequest, type PlainResponse } from './request-and-response.ts';
import { runOperation } from './run-operation.ts';

const router = new Router<Endpoint>(endpoints);

/** Response header with the number of the request in the log. */
const requestHeader = 'x-sandbox-request';

const deletedMessage = 'This world was deleted. The next request with the same key creates a new world.';

/** Handles one request: finds its operation, logs the request, and applies a fault or runs the operation. */
export async function handleRequest(request: PlainRequest, world: World, account: Account): Promise<PlainResponse> {
  const { method, url, text, headers } = request;
  const { pathname, search } = url;
  const begun = performance.now();
  const at = world.clock.now();
  const found = router.find(method, pathname);
  const route = found && 'target' in found ? found.target.route : undefined;
  // Anonymous operations carry client secrets, which must not be logged.
  const logged = route && !route.anonymous ? text : '';
  const entry = world.log.add({ at, method, path: pathname, search, operation: route?.id, text: logged, headers });
  try {
    const response = await respond(found, request, world, account, entry);
    response.headers[requestHeader] = String(entry.id);
    // The response of an anonymous operation can contain a token.
    world.log.complete(entry, response, route?.anonymous ? null : response.text);
    return response;
  } finally {
    entry.milliseconds = Math.round((performance.now() - begun) * 10) / 10;
  }
}

async function respond(
  found: Found<Endpoint>,
  request: PlainRequest,
  world: World,
  account: Account,
  entry: LogEntry,
): Promise<PlainResponse> {
  if (!found || 'allowed' in found) {
    entry.choices = [unroutedChoice];
    return unroutedResponse(request.method, found?.allowed);
  }
  const { target, path } = found;
  const { route } = target;
  const { faults } = world;
  try {
    // A request without a valid credential does not use up a fault.
    if (!route.anonymous)
      authenticate(request.headers.get('authorization'), { tokens: world.tokens, account, now: entry.at });
  } catch (error) {
    return rejectedBy(error, entry);
  }
  const act = (): PlainResponse => {
    try {
      // A fault may have delayed the request, so the world may have been deleted, or its data replaced.
      if (world.isDeleted) throw rejection(409, deletedMessage, 'world-deleted');
      const { state, tokens, ledger, clock } = world;
      const surroundings = { state, tokens, ledger, now: clock.now(), account };
      const { response, choices } = runOperation(target, path, request, surroundings);
      if (choices.length > 0) entry.choices = choices;
      return response;
    } catch (error) {
      return rejectedBy(error, entry);
    }
  };
  if (faults.isEmpty) return act();
  const { method, url, text } = request;
  const taken = faults.take({ operation: route.id, method, url, parameters: path, body: jsonIn(text) });
  return taken ? runWithFault(taken, act, entry, request, world) : act();
}

/** Turns a rejection into a response. Throws any other error again. */
function rejectedBy(error: unknown, entry: LogEntry): PlainResponse {
  if (!(error instanceof Rejection)) throw error;
  if (error.rule) entry.rule = error.rule;
  if (error.choice) entry.choices = [error.choice];
  return rejectionResponse(error);
}

/** Runs an operation with a fault, which can delay or replace its response, or drop the connection. */
async function runWithFault(
  { fault, delay }: TakenFault,
  act: () => PlainResponse,
  entry: LogEntry,
  { signal }: PlainRequest,
  world: World,
): Promise<PlainResponse> {
  entry.fault = fault.id;
  const { drop, status, slowBody: milliseconds = 0, delayAt = 'after' } = fault;
  const pause = async (): Promise<void> => {
    if (delay === 0) return;
    world.activity.next();
    await sleep(delay, signal);
  };
  if (delayAt === 'before' || drop === 'before') await pause();
  if (drop === 'before')
    throw new DroppedConnection('The sandbox dropped the connection before the request was processed');
  const response = status === undefined ? act() : faultResponse(fault, status);
  if (delayAt === 'after') await pause();
  if (drop === 'after') throw new DroppedConnection('The sandbox processed the request and dropped the connection');
  if (drop || milliseconds > 0) response.delivery = { milliseconds, drop };
  return response;
}
