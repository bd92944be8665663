import type { Account } from './context.ts';
import { type Endpoint, endpoints } from './endpoints.ts';
import { DroppedConnection, faultReply, wait } from './faults.ts';
import type { PlainReply, PlainRequest } from './http.ts';
import type { LogEntry } from './logged-request.ts';
import { Refusal, refusalReply, unroutedChoice, unroutedReply } from './refusal.ts';
import { Router } from './router.ts';
import { runOperation } from './run-operation.ts';
import { mostWaiting } from './shared-use.ts';
import type { World } from './world.ts';

const router = new Router<Endpoint>(endpoints);

/** Name of the reply header that has the number of the request in the log. */
const requestHeader = 'x-sandbox-request';

/** Handles one request: finds its operation, logs it, and applies a fault or runs the operation. */
export async function handleRequest(request: PlainRequest, world: World, account: Account): Promise<PlainReply> {
  const { method, url, text } = request;
  const { pathname, search } = url;
  const begun = performance.now();
  const at = world.clock.now();
  const found = router.find(method, pathname);
  if (!found || 'allowed' in found) {
    const entry = world.log.add({ at, method, path: pathname, search, operation: undefined, text: '' });
    entry.choices = [unroutedChoice];
    return answer(unroutedReply(method, found?.allowed), entry, begun);
  }
  const { target, path } = found;
  const { id, anonymous } = target.route;
  // Anonymous operations carry client secrets, which must not be logged.
  const entry = world.log.add({ at, method, path: pathname, search, operation: id, text: anonymous ? '' : text });
  const fault = world.faults.isEmpty
    ? undefined
    : world.faults.take({ operation: id, path, headers: request.headers, text });
  if (fault) entry.fault = fault.id;
  if (fault?.delay) {
    const { shared } = world;
    if (shared.waiting >= mostWaiting) {
      entry.choices = ['too-many-waiting'];
      return answer(refusalReply(tooManyWaiting()), entry, begun);
    }
    shared.waiting += 1;
    await wait(fault.delay, request.signal).finally(() => {
      shared.waiting -= 1;
      complete(entry, begun);
    });
  }
  if (fault?.drop === 'before') {
    complete(entry, begun);
    throw new DroppedConnection('The sandbox dropped the connection before the request was processed');
  }
  if (fault?.status !== undefined) return answer(faultReply(fault.status, fault.body, fault.headers), entry, begun);
  const preparing = target.route.reads ? undefined : world.prepareChange();
  if (preparing) await preparing;
  const { state, ledger, clock } = world;
  const { reply, rule, choices } = runOperation(target, path, request, { state, ledger, now: clock.now(), account });
  if (rule) entry.rule = rule;
  if (choices.length > 0) entry.choices = choices;
  if (fault?.drop === 'after') {
    complete(entry, begun);
    throw new DroppedConnection('The sandbox processed the request and dropped the connection');
  }
  return answer(reply, entry, begun);
}

function tooManyWaiting(): Refusal {
  const message = `${mostWaiting} requests already wait because of a fault with a delay.`;
  return new Refusal({ status: 503, body: { message }, choice: 'too-many-waiting' });
}

/** Completes the entry of a request, and names it in the reply. */
function answer(reply: PlainReply, entry: LogEntry, begun: number): PlainReply {
  entry.status = reply.status;
  complete(entry, begun);
  reply.headers[requestHeader] = String(entry.id);
  return reply;
}

function complete(entry: LogEntry, begun: number): void {
  entry.milliseconds = Math.round((performance.now() - begun) * 10) / 10;
}
