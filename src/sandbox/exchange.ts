import type { Account } from './context.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { DroppedConnection, faultReply, wait } from './faults.ts';
import type { PlainReply, PlainRequest } from './http.ts';
import { unroutedChoice, unroutedReply } from './refusal.ts';
import { Router } from './router.ts';
import { runOperation } from './run-operation.ts';
import type { LoggedRequest } from './sandbox.ts';
import type { World } from './world.ts';

const router = new Router<Endpoint>(endpoints);

/** Handles one request: finds its operation, logs it, and applies a fault or runs the operation. */
export async function exchange(request: PlainRequest, world: World, account: Account): Promise<PlainReply> {
  const { method, url, text, signal } = request;
  const entry: LoggedRequest = { at: world.clock.now(), method, path: url.pathname + url.search };
  const found = router.find(method, url.pathname);
  if (!found || 'allowed' in found) {
    const reply = unroutedReply(method, found?.allowed);
    world.log({ ...entry, status: reply.status, choices: [unroutedChoice] });
    return reply;
  }
  const { target, path } = found;
  const { id, anonymous } = target.route;
  // Anonymous operations carry client secrets, which must not be logged.
  Object.assign(entry, { operation: id, ...(text && !anonymous && { body: parsed(text) }) });
  world.log(entry);
  const fault = world.faults.take(id);
  if (fault?.delay) await wait(fault.delay, signal);
  if (fault?.drop === 'before')
    throw new DroppedConnection('The sandbox dropped the connection before the request was processed');
  if (fault?.status !== undefined) {
    entry.status = fault.status;
    return faultReply(fault.status, fault.body, fault.headers);
  }
  const { state, ledger, clock } = world;
  const { reply, rule, choices } = runOperation(target, path, request, { state, ledger, now: clock.now(), account });
  if (rule) entry.rule = rule;
  if (choices.length > 0) entry.choices = choices;
  if (fault?.drop === 'after')
    throw new DroppedConnection('The sandbox processed the request and dropped the connection');
  entry.status = reply.status;
  return reply;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
