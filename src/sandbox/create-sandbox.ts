import { createControl, isControlRequest, type RequestWorld } from './control/control.ts';
import { findWorld } from './control/find-world.ts';
import { handleRequest } from './http/handle-request.ts';
import { rejectionResponse } from './http/rejection-response.ts';
import {
  DroppedConnection,
  type PlainRequest,
  type PlainResponse,
  readRequest,
  toResponse,
} from './http/request-and-response.ts';
import { checkOptions } from './option-fields.ts';
import type { Account } from './rules/context.ts';
import { Rejection } from './rules/rejection.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';
import type { World } from './world/world.ts';
import { defaultWorld, Worlds } from './world/worlds.ts';

/**
 * Creates a sandbox. Instances do not share state.
 *
 * @param options - initial data, accepted credentials and start time
 * @returns a sandbox with its own data, clock, faults and log
 * @throws `RangeError` that names the option if an option is unknown or its value is invalid, or if the scenario does not
 * exist; `RangeError` or `TypeError` that names the location if a scenario object is invalid
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
  checkOptions('createSandbox', options);
  const { apiKeys, clients, tariff = 'paid', currency = 'EUR', strict = false, ownFields = [] } = options;
  const account: Account = { tariff, currency, apiKeys, clients, strict, ownFields };
  const worlds = new Worlds(options);
  const { control: access, worlds: choice = 'shared' } = options;
  const control = access ? createControl(worlds, access === true ? {} : access) : undefined;

  async function respondIn(place: RequestWorld, request: PlainRequest): Promise<PlainResponse> {
    const { world } = place;
    world.lastUsed = Date.now();
    const isControl = control && isControlRequest(request);
    const responding = isControl
      ? control(place, request)
      : handleRequest(request, world, { ...account, apiKeys: world.apiKeys });
    // A request whose connection a fault drops can have changed data, and the log contains the request.
    const response = await responding.finally(() => {
      if (!isControl || request.method !== 'GET') world.activity.next();
    });
    return request.method === 'HEAD' ? { ...response, text: null } : response;
  }

  /** Responds from the world that the request names. */
  async function respondByWorld(request: PlainRequest): Promise<PlainResponse> {
    try {
      const { name, isOwner } = findWorld(request, options, account, worlds);
      return await respondIn({ name, isOwner, world: worlds.forRequest(name) }, request);
    } catch (error) {
      if (error instanceof Rejection) return rejectionResponse(error);
      throw error;
    }
  }

  /** Returns a sandbox whose methods and properties apply to one world. */
  function viewOf(name: string, respond?: Sandbox['respond']): Sandbox {
    if (typeof name !== 'string') throw new RangeError('The name of a world must be a string');
    const world = worldNamed(worlds, name);
    const view: Sandbox = {
      ...overFetch((request) => view.respond(request)),
      respond: respond ?? (async (request) => respondIn({ name, world, isOwner: false }, request)),
      get state() {
        return world.state;
      },
      clock: world.clock,
      faults: world.faults,
      requests: world.log.entries,
      log: world.log,
      reset(given = {}) {
        checkOptions('reset', given);
        world.replace(world.toInitial(given.seed));
      },
      get scenario() {
        return world.scenario;
      },
      startScenario: (given) =>
        world.replace(world.toScenario(given === undefined ? undefined : worlds.scenarios.read(given))),
      snapshot: () => world.snapshot(),
      restore: (snapshot) => world.replace(world.toSnapshot(snapshot)),
      world: (other) => viewOf(other),
      worldNames: () => worlds.names,
      close: async () => worlds.close(),
    };
    return view;
  }

  return viewOf(defaultWorld, choice === 'shared' ? undefined : respondByWorld);
}

function worldNamed(worlds: Worlds, name: string): World {
  try {
    return worlds.get(name);
  } catch (error) {
    throw error instanceof Rejection ? new RangeError(error.message) : error;
  }
}

function overFetch(respond: Sandbox['respond']): Pick<Sandbox, 'fetch' | 'handle'> {
  const fetch: Sandbox['fetch'] = async (input, init) => {
    const request = await readRequest(input, init);
    return toResponse(await respond(request), request.signal);
  };
  return {
    fetch,
    async handle(request) {
      try {
        return await fetch(request);
      } catch (error) {
        if (error instanceof DroppedConnection || request.signal.aborted) return Response.error();
        throw error;
      }
    },
  };
}
