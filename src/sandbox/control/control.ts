import * as z from 'zod';
import { messageOf } from '../../shared/message-of.ts';
import { describeFaultFields } from '../faults/fault-fields.ts';
import type { Fault } from '../faults/faults.ts';
import { emptyResponse, jsonResponse, type PlainRequest, type PlainResponse } from '../http/plain.ts';
import { rejectionResponse } from '../http/rejection-response.ts';
import { rejectEncoding } from '../http/run-operation.ts';
import { optionFields } from '../option-fields.ts';
import { choices } from '../rules/choices.ts';
import { parseJson } from '../rules/json.ts';
import { listOperationIds } from '../rules/operation-ids.ts';
import { Rejection } from '../rules/rejection.ts';
import { rules, sourceInWords } from '../rules/rules.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import { type ControlOptions, createAccess } from './control-access.ts';
import { answerState, stateCommands } from './control-state.ts';
import { answerTables, tableCommands } from './control-tables.ts';

/** Requests below this path control the sandbox, if its `control` option is on. */
const controlPrefix = '/__sandbox/';

/** World of a request. */
export interface Place {
  name: string;
  world: World;
  /** Whether the request sends the key of the world. */
  isOwner: boolean;
}

/** Target of a command. */
interface Controlled extends Place {
  worlds: Worlds;
  /** Whether the request can see every world. */
  isAdmin: boolean;
  /** Aborts when the caller no longer waits. */
  signal: AbortSignal | null;
}

type Command = (controlled: Controlled, input: unknown) => unknown;

/** Query parameters, which arrive as text. */
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

/** The longest wait for a change, in milliseconds. */
const maxWait = 60_000;

/** Commands by method and path. `{id}` is the number at the end of a path. */
const commands: Record<string, Command> = {
  'GET about': command({}, about),
  'GET changes': command(
    { after: z.coerce.number().optional(), wait: z.coerce.number().min(0).max(maxWait).default(0) },
    async ({ world, signal }, { after, wait }) => {
      const leave = signal ? AbortSignal.any([signal, world.closed]) : world.closed;
      return { count: await world.activity.after(after, wait, leave) };
    },
  ),
  'POST reset': command({ seed: optionFields.seed.schema.optional() }, ({ world }, { seed }) =>
    world.replace(world.toInitial(seed)),
  ),
  'GET scenario': command({}, shownScenario),
  'POST scenario': command(
    { scenario: z.union([z.string(), z.record(z.string(), z.unknown()), z.null()]) },
    (controlled, { scenario }) => {
      const { world, worlds } = controlled;
      const wanted = scenario === null ? undefined : worlds.scenarios.read(scenario);
      world.replace(world.toScenario(wanted));
      return shownScenario(controlled);
    },
  ),
  'GET clock': command({}, now),
  'POST clock/advance': command({ milliseconds: z.number() }, (controlled, { milliseconds }) => {
    controlled.world.clock.advance(milliseconds);
    return now(controlled);
  }),
  'POST clock/freeze': command({ at: z.number().optional() }, (controlled, { at }) => {
    controlled.world.clock.freeze(at);
    return now(controlled);
  }),
  'POST clock/resume': command({}, (controlled) => {
    controlled.world.clock.resume();
    return now(controlled);
  }),
  'GET faults': command({}, ({ world }) => world.faults.list()),
  'POST faults': ({ world }, added) => ({ id: world.faults.add(added as Fault) }),
  'DELETE faults': command({}, ({ world }) => world.faults.clear()),
  'DELETE faults/{id}': command({ id: z.number() }, ({ world }, { id }) => {
    if (!world.faults.remove(id)) throw new RangeError(`There is no fault ${id}`);
  }),
  'GET worlds': command({}, ({ worlds, name, isAdmin }) =>
    isAdmin ? worlds.names : worlds.names.filter((known) => known === name),
  ),
  'GET requests': command(
    { ...filter, bodies: z.enum(['true', 'false']).optional() },
    ({ world: { log } }, { bodies, ...selected }) => {
      const entries = log.list(selected);
      // A copy has no body, because an entry parses its body on access.
      return bodies === 'false' ? entries.map((entry) => ({ ...entry })) : entries;
    },
  ),
  'GET requests/count': command(filter, ({ world }, selected) => ({ count: world.log.list(selected).length })),
  'GET requests/{id}': command({ id: z.number() }, ({ world }, { id }) => {
    const entry = world.log.get(id);
    if (!entry) throw new RangeError(`The log has no request ${id}`);
    return entry;
  }),
  'DELETE requests': command({}, ({ world }) => world.log.clear()),
};

/** Header that names the world of a control request. Its value is a name from `GET /__sandbox/worlds`, percent-encoded. */
export const worldHeader = 'x-sandbox-world';

export function isControlRequest({ url }: Pick<PlainRequest, 'url'>): boolean {
  return url.pathname.startsWith(controlPrefix);
}

/**
 * Creates the handler of control requests. It returns 200 with the result, 204 without a result, 400 for bad input, and
 * 401 or 403 if the caller is not allowed to control the sandbox.
 */
export function createControl(
  worlds: Worlds,
  options: ControlOptions,
): (place: Place, request: PlainRequest) => Promise<PlainResponse> {
  const access = createAccess(options);
  return async (place, request) => {
    const { rejection, headers, isAdmin } = access(request, place.isOwner);
    if (rejection) return rejection;
    const controlled = { ...place, worlds, isAdmin, signal: request.signal };
    const response = await answer(controlled, request).catch(failureResponse);
    return { ...response, headers: { ...response.headers, ...headers } };
  };
}

async function answer(controlled: Controlled, request: PlainRequest): Promise<PlainResponse> {
  const { method, url, headers } = request;
  const { world, worlds, isAdmin } = controlled;
  const named = headers.get(worldHeader);
  if (named !== null && !isAdmin) return jsonResponse(403, { message: `${worldHeader} needs the control token.` });
  const path = url.pathname.slice(controlPrefix.length).replace(/\/$/, '');
  const deleted = method === 'DELETE' ? /^worlds\/(.*)$/.exec(path)?.[1] : undefined;
  if (deleted !== undefined) return deleteWorld(controlled, decodeURIComponent(deleted), worlds);
  world.closed.throwIfAborted();
  rejectEncoding(request);
  const special = answerState(world, request, path) ?? answerTables(world, request, path);
  return special ?? answerCommand(controlled, request, path);
}

async function answerCommand(
  controlled: Controlled,
  { method, url, text }: PlainRequest,
  path: string,
): Promise<PlainResponse> {
  const [, start = '', number] = /^(.*\/)(\d{1,15})$/.exec(path) ?? [];
  const name = `${method} ${number === undefined ? path : `${start}{id}`}`;
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!run) {
    const known = [...Object.keys(commands), 'DELETE worlds/{name}', ...stateCommands, ...tableCommands];
    const listed = known.map((key) => key.replace(' ', ` ${controlPrefix}`)).join(', ');
    return jsonResponse(404, { message: `There is no such command. Known commands: ${listed}` });
  }
  const input = method === 'GET' ? Object.fromEntries(url.searchParams) : text.trim() === '' ? {} : parseJson(text);
  const result = await run(controlled, number === undefined ? input : { id: Number(number) });
  return result === undefined ? emptyResponse(204) : jsonResponse(200, result);
}

function deleteWorld({ name, isAdmin }: Controlled, deleted: string, worlds: Worlds): PlainResponse {
  if (deleted !== name && !isAdmin)
    return jsonResponse(403, { message: 'Deleting the world of another key requires the control token.' });
  if (!worlds.delete(deleted)) return jsonResponse(404, { message: 'There is no such world.' });
  return emptyResponse(204);
}

/** A rejection has its own status. Any other error of a command is caused by its input. */
function failureResponse(error: unknown): PlainResponse {
  if (error instanceof Rejection) return rejectionResponse(error);
  return jsonResponse(400, { message: reason(error) });
}

function command<Shape extends z.ZodRawShape>(
  shape: Shape,
  act: (controlled: Controlled, input: z.output<z.ZodObject<Shape>>) => unknown,
): Command {
  const schema = z.strictObject(shape);
  return (controlled, input) => act(controlled, schema.parse(input));
}

/** Names in responses and in the log, with their meaning. */
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

/** The active scenario of a world, and the scenarios that it can start. */
function shownScenario({ world, worlds }: Controlled): object {
  return { active: world.scenario ?? null, scenarios: worlds.scenarios.list() };
}

function now({ world: { clock } }: Controlled): { now: number; isFrozen: boolean } {
  return { now: clock.now(), isFrozen: clock.isFrozen };
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof SyntaxError) return 'The body is not JSON.';
  return messageOf(error);
}
