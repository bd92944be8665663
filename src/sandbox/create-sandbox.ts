import type { Account } from './context.ts';
import { createControl, isControlRequest } from './control.ts';
import { exchange } from './exchange.ts';
import { readRequest, toResponse } from './http.ts';
import { rules } from './rules.ts';
import type { Sandbox, SandboxOptions } from './sandbox.ts';
import { World } from './world.ts';

const { keys: mostKeys } = rules['crm-static-api-keys'].values;

/**
 * Creates a sandbox. Instances share nothing.
 *
 * @param options - initial data, accepted credentials and start time
 * @returns a sandbox with its own data, clock, faults and log
 * @throws `RangeError` if there are more API keys than an account can have, if `seed` or `startAt` is out of
 * range, or if an origin of `control` is not one
 * @example
 * ```ts
 * import { createClient } from 'carillon';
 * import { createSandbox } from 'carillon/sandbox';
 *
 * const sandbox = createSandbox();
 * const api = createClient({ baseUrl: 'https://sandbox.example.com', auth: { apiKey: 'any' }, fetch: sandbox.fetch });
 * const deal = await api.crm.deals.create({ pipelineId: 1, stepId: 11, name: 'Annual plan renewal' });
 * console.log(await api.crm.deals.get({ dealId: deal.id }));
 * ```
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { apiKeys, clients, tariff = 'paid', currency = 'EUR' } = options;
  if ((apiKeys?.length ?? 0) > mostKeys) throw new RangeError(`An account has at most ${mostKeys} static API keys`);
  const account: Account = { tariff, currency, apiKeys, clients };
  const world = new World(options);
  const sandbox: Sandbox = {
    async fetch(input, init) {
      return toResponse(await sandbox.respond(await readRequest(input, init)));
    },
    async respond(request) {
      request.signal?.throwIfAborted();
      if (control && isControlRequest(request)) return control(request);
      const reply = await exchange(request, world, account);
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
  };
  const control = options.control ? createControl(sandbox, options.control === true ? {} : options.control) : undefined;
  return sandbox;
}
