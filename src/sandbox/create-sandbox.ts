import type { Account } from './context.ts';
import { createControl, isControlRequest } from './control.ts';
import { DroppedConnection } from './faults.ts';
import { handleRequest } from './handle-request.ts';
import { jsonReply, readRequest, toResponse } from './http.ts';
import { Refusal, refusalReply } from './refusal.ts';
import { rules } from './rules.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';
import { worldOfRequest } from './world-of-request.ts';
import { defaultWorld, Worlds } from './worlds.ts';

const { keys: mostKeys } = rules['crm-static-api-keys'].values;

/**
 * Creates a sandbox. Instances share nothing.
 *
 * @param options - initial data, accepted credentials and start time
 * @returns a sandbox with its own data, clock, faults and log
 * @throws `RangeError` if there are more API keys than an account can have, if `seed`, `startAt` or `maxWorlds` is out of
 * range, or if an origin of `control` is not one
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { createSandbox } from 'carillon-sandbox';
 *
 * const sandbox = createSandbox();
 * const api = createClient({ baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch });
 * const deal = await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Annual plan renewal' });
 * console.log(await api.crm.deals.get({ dealId: deal.id }));
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { apiKeys, clients, tariff = 'paid', currency = 'EUR', strict = false, ownFields = [] } = options;
  if ((apiKeys?.length ?? 0) > mostKeys) throw new RangeError(`An account has at most ${mostKeys} static API keys`);
  const account: Account = { tariff, currency, apiKeys, clients, strict, ownFields };
  const worlds = new Worlds(options);
  const views = new Map<string, Sandbox>();

  /** The sandbox as one of its worlds sees it. */
  function viewOf(name: string): Sandbox {
    const world = worlds.get(name);
    if (!world) throw new RangeError(`There are already ${worlds.most} worlds. Set maxWorlds to permit more.`);
    const known = views.get(name);
    if (known) return known;
    const view: Sandbox = {
      ...overFetch((request) => view.respond(request)),
      async respond(request) {
        if (!worlds.isReady) await worlds.ready;
        if (control && isControlRequest(request)) return control(request);
        const reply = await handleRequest(request, world, account);
        return request.method === 'HEAD' ? { ...reply, text: null } : reply;
      },
      get state() {
        return world.state;
      },
      clock: world.clock,
      faults: world.faults,
      requests: world.log.entries,
      log: world.log,
      reset: ({ seed } = {}) => world.reset(seed),
      snapshot: () => world.snapshot(),
      restore: (snapshot) => world.restore(snapshot),
      world: viewOf,
      worldNames: () => worlds.names,
      ready: worlds.ready,
      close: () => worlds.close(),
    };
    const { control: access } = options;
    const control = access ? createControl(view, world, access === true ? {} : access) : undefined;
    views.set(name, view);
    return view;
  }

  const main = viewOf(defaultWorld);
  if (options.worlds === undefined || options.worlds === 'shared') return main;
  const respond: Sandbox['respond'] = async (request) => {
    if (!worlds.isReady) await worlds.ready;
    const name = worldOfRequest(request, options, account, worlds);
    if (name === undefined) return jsonReply(404, { message: 'There is no such world.' });
    return worlds.get(name) ? viewOf(name).respond(request) : refusalReply(tooManyWorlds(worlds.most));
  };
  return Object.defineProperties({} as Sandbox, {
    ...Object.getOwnPropertyDescriptors(main),
    ...Object.getOwnPropertyDescriptors({ respond, ...overFetch(respond) }),
  });
}

function overFetch(respond: Sandbox['respond']): Pick<Sandbox, 'fetch' | 'handle'> {
  const fetch: Sandbox['fetch'] = async (input, init) => toResponse(await respond(await readRequest(input, init)));
  return {
    fetch,
    async handle(request) {
      try {
        return await fetch(request);
      } catch (error) {
        if (error instanceof DroppedConnection) return Response.error();
        throw error;
      }
    },
  };
}

function tooManyWorlds(most: number): Refusal {
  const message = `This sandbox has ${most} worlds already. Use a known credential or header, or permit more worlds.`;
  return new Refusal({ status: 429, body: { message }, choice: 'too-many-worlds' });
}
