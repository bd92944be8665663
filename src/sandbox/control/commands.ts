import * as z from 'zod';
import { describeFaultFields } from '../faults/fault-fields.ts';
import type { Fault } from '../faults/faults.ts';
import { optionFields } from '../option-fields.ts';
import { choices } from '../rules/choices.ts';
import { listOperationIds } from '../rules/operation-ids.ts';
import { rejection } from '../rules/rejection.ts';
import { rules, sourceInWords } from '../rules/rules.ts';
import type { SnapshotInput } from '../world/snapshots/snapshot.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import { listRecords, maxListedRecords, tablesOf } from './table-records.ts';

/** Base path of control requests, which the sandbox accepts if its `control` option is on. */
export const controlPrefix = '/__sandbox/';

/** World on which a command acts, and properties of the request. */
export interface CommandTarget {
  /** Name of the world. */
  name: string;
  world: World;
  worlds: Worlds;
  /** Whether the request can access every world. */
  isAdmin: boolean;
  /** Aborts when the caller stops waiting. */
  signal: AbortSignal | null;
}

/** A command, in the form that the router needs. */
export interface Command {
  route: { method: string; path: string; numbers: readonly string[] };
  /** @param input - the query or the body, together with the path parameters */
  run(target: CommandTarget, input: unknown): unknown;
}

/**
 * @param line - method and path
 * @param shape - schemas of the query parameters, of the body fields and of the path parameters
 */
function command<Shape extends z.ZodRawShape>(
  line: string,
  shape: Shape,
  act: (target: CommandTarget, input: z.output<z.ZodObject<Shape>>) => unknown,
): Command {
  const schema = z.strictObject(shape);
  return { route: routeOf(line), run: (target, input) => act(target, schema.parse(input)) };
}

function routeOf(line: string): Command['route'] {
  const [method = '', path = ''] = line.split(' ');
  return { method, path: controlPrefix + path, numbers: ['id'] };
}

const name = z.string();

/** Query parameters, which arrive as strings. */
const zCount = z.coerce.number().int().min(0);
const filter = {
  operation: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  text: z.string().optional(),
  status: z.coerce.number().optional(),
  rule: z.string().optional(),
  after: z.coerce.number().optional(),
  limit: z.coerce.number().optional(),
};

/** Longest time to wait for a change, in milliseconds. */
const maxWait = 60_000;

/** All commands. In a path, `{id}` stands for a number. */
export const commands: readonly Command[] = [
  command('GET about', {}, about),
  command(
    'GET changes',
    { after: z.coerce.number().optional(), wait: z.coerce.number().min(0).max(maxWait).default(0) },
    async ({ world, signal }, { after, wait }) => ({ count: await world.activity.after(after, wait, signal) }),
  ),
  command('POST reset', { seed: optionFields.seed.schema.optional() }, ({ world }, { seed }) =>
    world.replace(world.toInitial(seed)),
  ),
  command('GET scenario', {}, shownScenario),
  command(
    'POST scenario',
    { scenario: z.union([z.string(), z.record(z.string(), z.unknown()), z.null()]) },
    (target, { scenario }) => {
      const { world, worlds } = target;
      world.replace(world.toScenario(scenario === null ? undefined : worlds.scenarios.read(scenario)));
      return shownScenario(target);
    },
  ),
  command('GET clock', {}, now),
  command('POST clock/advance', { milliseconds: z.number() }, (target, { milliseconds }) => {
    target.world.clock.advance(milliseconds);
    return now(target);
  }),
  command('POST clock/freeze', { at: z.number().optional() }, (target, { at }) => {
    target.world.clock.freeze(at);
    return now(target);
  }),
  command('POST clock/resume', {}, (target) => {
    target.world.clock.resume();
    return now(target);
  }),
  command('GET faults', {}, ({ world }) => world.faults.list()),
  // `faults.add` checks the fault.
  { route: routeOf('POST faults'), run: ({ world }, added) => ({ id: world.faults.add(added as Fault) }) },
  command('DELETE faults', {}, ({ world }) => world.faults.clear()),
  command('DELETE faults/{id}', { id: z.number() }, ({ world }, { id }) => {
    if (!world.faults.remove(id)) throw new RangeError(`There is no fault ${id}`);
  }),
  command('GET worlds', {}, ({ worlds, name: own, isAdmin }) =>
    isAdmin ? worlds.names : worlds.names.filter((known) => known === own),
  ),
  command('DELETE worlds/{name}', { name }, ({ worlds, name: own, isAdmin }, { name: deleted }) => {
    if (deleted !== own && !isAdmin)
      throw rejection(403, 'Deleting the world of another key requires the control token.');
    if (!worlds.delete(deleted)) throw rejection(404, 'There is no such world.');
  }),
  command(
    'GET requests',
    { ...filter, bodies: z.enum(['true', 'false']).optional() },
    ({ world: { log } }, { bodies, ...selected }) => {
      const entries = log.list(selected);
      // A copy has no body, because an entry parses its body on access.
      return bodies === 'false' ? entries.map((entry) => ({ ...entry })) : entries;
    },
  ),
  command('GET requests/count', filter, ({ world }, selected) => ({ count: world.log.list(selected).length })),
  command('GET requests/{id}', { id: z.number() }, ({ world }, { id }) => {
    const entry = world.log.get(id);
    if (!entry) throw new RangeError(`There is no request ${id} in the log`);
    return entry;
  }),
  command('DELETE requests', {}, ({ world }) => world.log.clear()),
  command('GET state', {}, ({ world }) => world.snapshot()),
  // `toSnapshot` checks the snapshot.
  {
    route: routeOf('PUT state'),
    run: ({ world }, snapshot) => world.replace(world.toSnapshot(snapshot as SnapshotInput)),
  },
  command('GET snapshots', {}, ({ world }) => world.snapshots.names),
  command('GET snapshots/{name}', { name }, ({ world }, input) => world.snapshots.get(input.name)),
  command('PUT snapshots/{name}', { name }, ({ world }, input) => world.snapshots.put(input.name, world.snapshot())),
  command('DELETE snapshots/{name}', { name }, ({ world }, input) => world.snapshots.delete(input.name)),
  command('POST snapshots/{name}/restore', { name }, ({ world }, input) =>
    world.replace(world.toSnapshot(world.snapshots.get(input.name))),
  ),
  command('GET tables', {}, ({ world }) =>
    Object.fromEntries(tablesOf(world.state).map((table) => [table.name, table.size])),
  ),
  command(
    'GET tables/{name}',
    {
      name,
      text: z.string().default(''),
      limit: zCount.default(maxListedRecords).transform((limit) => Math.min(limit, maxListedRecords)),
      offset: zCount.default(0),
    },
    ({ world }, { name: table, ...selected }) => listRecords(world.state, table, selected),
  ),
];

/** Names that occur in responses and in the log, with their meanings. */
function about(): Record<'operations' | 'faultFields' | 'rules' | 'choices', unknown> {
  const described = Object.entries(rules).map(([id, { text, source }]) => [
    id,
    `${text.trim()} (${sourceInWords(source)})`,
  ]);
  return {
    operations: listOperationIds(),
    faultFields: describeFaultFields(),
    rules: Object.fromEntries(described),
    choices,
  };
}

/** Returns the active scenario of a world, and the scenarios that the world can start. */
function shownScenario({ world, worlds }: CommandTarget): object {
  return { active: world.scenario ?? null, scenarios: worlds.scenarios.list() };
}

function now({ world: { clock } }: CommandTarget): { now: number; isFrozen: boolean } {
  return { now: clock.now(), isFrozen: clock.isFrozen };
}
