import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent } from 'undici';
import type { Hop, Plan } from './plan.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The context outside of all calls. */
const outside = AsyncLocalStorage.snapshot();

/** Refuses each connection. */
const refusing = new Agent({ connect: (_, callback) => callback(refusal(), null) });

/** A refused connection as Node reports it. */
export function refusal(): Error {
  return Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
}

/**
 * A `fetch` that sends the request of each call once. The plan decides in whose context: as queues, limiters and loaders do, it may
 * be that of another call. The client sees only what undici reports in these contexts.
 */
export function fetchInContexts(plan: Plan): Fetch {
  const wrapped = [...plan.wrapped];
  const contexts: ReturnType<typeof AsyncLocalStorage.snapshot>[] = [];
  let last: Promise<unknown> = Promise.resolve();

  return async (url, init) => {
    const own = contexts.push(AsyncLocalStorage.snapshot()) - 1;
    const send = (address: string, { refused, from }: Hop, given: RequestInit): Promise<Response> => {
      const context = contexts[own - from] ?? outside;
      return context(() => fetch(address, refused ? ({ ...given, dispatcher: refusing } as RequestInit) : given));
    };
    const inTurn = (address: string, hop: Hop): Promise<Response> => {
      if (!plan.queue) return send(address, hop, init);
      const sent = last.then(() => send(address, hop, init));
      last = sent.catch(() => undefined);
      return sent;
    };
    const audit = (hop: Hop): Promise<Response> =>
      send(new URL('/audit', url).href, hop, { method: 'POST', body: '{"name":"audit"}' });

    const steps = wrapped.shift();
    if (!steps) return fetch(url, init);
    if (steps.auditBefore) await audit(steps.auditBefore).catch(() => undefined);
    const { failover } = steps;
    const response = await inTurn(url, steps.own).catch((error: unknown) => {
      // Only a refused request may be sent again.
      if (!steps.own.refused || !failover) throw error;
      return inTurn(url.replace('127.0.0.1', 'localhost'), failover);
    });
    if (steps.auditAfter) await audit(steps.auditAfter);
    return response;
  };
}
