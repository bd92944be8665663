import * as z from 'zod';
import { type ControlOptions, createAccess } from './control-access.ts';
import { answerState, stateCommands } from './control-state.ts';
import { answerTables, tableCommands } from './control-tables.ts';
import { emptyReply, jsonReply, type PlainReply, type PlainRequest } from './http.ts';
import { parseJson } from './json.ts';
import { isOperationId, noSuchOperation, type OperationId } from './operation-ids.ts';
import { refusalReply, storeRefusal } from './refusal.ts';
import type { Sandbox } from './sandbox.ts';
import type { World } from './world.ts';
import { StoreError } from './world-store.ts';

/** Requests below this path control the sandbox, if its `control` option is on. */
const controlPrefix = '/__sandbox/';

/** What a command acts on. */
interface Controlled {
  sandbox: Sandbox;
  world: World;
}

type Command = (controlled: Controlled, input: unknown) => unknown;

const fault = {
  operation: z.custom<OperationId>(isOperationId, { error: ({ input }) => noSuchOperation(input) }).optional(),
  match: z
    .strictObject({
      path: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      body: z.unknown().optional(),
      headers: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
  nth: z.number().optional(),
  times: z.union([z.number(), z.literal('always')]).optional(),
  probability: z.number().optional(),
  randomSeed: z.number().optional(),
  status: z.number().optional(),
  body: z.unknown().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  delay: z.number().optional(),
  drop: z.enum(['before', 'after']).optional(),
};

/** Parameters of the query, which arrive as text. */
const filter = {
  operation: z.string().optional(),
  method: z.string().optional(),
  path: z.string().optional(),
  status: z.coerce.number().optional(),
  rule: z.string().optional(),
  after: z.coerce.number().optional(),
  limit: z.coerce.number().optional(),
};

/** Commands by method and path. `{id}` is the number at the end of a path. */
const commands: Record<string, Command> = {
  'POST reset': command({ seed: z.union([z.boolean(), z.number()]).optional() }, ({ world }, { seed }) =>
    world.resetInSlices(seed),
  ),
  'GET clock': command({}, now),
  'POST clock/advance': command({ milliseconds: z.number() }, (controlled, { milliseconds }) => {
    controlled.sandbox.clock.advance(milliseconds);
    return now(controlled);
  }),
  'POST clock/freeze': command({ at: z.number().optional() }, (controlled, { at }) => {
    controlled.sandbox.clock.freeze(at);
    return now(controlled);
  }),
  'POST clock/resume': command({}, (controlled) => {
    controlled.sandbox.clock.resume();
    return now(controlled);
  }),
  'GET faults': command({}, ({ sandbox }) => sandbox.faults.list()),
  'POST faults': command(fault, ({ sandbox }, added) => ({ id: sandbox.faults.add(added) })),
  'DELETE faults': command({}, ({ sandbox }) => sandbox.faults.clear()),
  'DELETE faults/{id}': command({ id: z.number() }, ({ sandbox }, { id }) => {
    if (!sandbox.faults.remove(id)) throw new RangeError(`There is no fault ${id}`);
  }),
  'GET worlds': command({}, ({ sandbox }) => sandbox.worldNames()),
  'GET requests': command(
    { ...filter, bodies: z.enum(['true', 'false']).optional() },
    ({ sandbox: { log } }, { bodies, ...selected }) =>
      // A copy has no body: an entry parses it when it is read.
      bodies === 'false' ? log.list(selected).map((entry) => ({ ...entry })) : log.list(selected),
  ),
  'GET requests/count': command(filter, ({ sandbox }, selected) => ({ count: sandbox.log.count(selected) })),
  'GET requests/{id}': command({ id: z.number() }, ({ sandbox }, { id }) => {
    const entry = sandbox.log.get(id);
    if (!entry) throw new RangeError(`The log has no request ${id}`);
    return entry;
  }),
  'DELETE requests': command({}, ({ sandbox }) => sandbox.log.clear()),
};

/** Names the world that a control request is about: a name from `GET /__sandbox/worlds`, percent-encoded. */
export const worldHeader = 'x-sandbox-world';

export function isControlRequest({ url }: Pick<PlainRequest, 'url'>): boolean {
  return url.pathname.startsWith(controlPrefix);
}

/**
 * Creates the handler of control requests. It returns 200 with the result, 204 if there is none, 400 for bad input, and
 * 401 or 403 if the caller is not allowed to control the sandbox.
 */
export function createControl(
  sandbox: Sandbox,
  world: World,
  options: ControlOptions,
): (request: PlainRequest) => Promise<PlainReply> {
  const access = createAccess(options);
  const controlled = { sandbox, world };
  return async (request) => {
    const { refusal, headers } = access(request);
    if (refusal) return refusal;
    const reply = await answer(controlled, request).catch(failureReply);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
}

async function answer(controlled: Controlled, request: PlainRequest): Promise<PlainReply> {
  const { method, url, text } = request;
  const { sandbox, world } = controlled;
  // What a change sets now would be replaced.
  while (method !== 'GET' && world.settled) await world.settled;
  const path = url.pathname.slice(controlPrefix.length).replace(/\/$/, '');
  const special = (await answerState(world, request, path)) ?? answerTables(sandbox, request, path);
  if (special) return special;
  const [, start = '', number] = /^(.*\/)(\d{1,15})$/.exec(path) ?? [];
  const name = `${method} ${number === undefined ? path : `${start}{id}`}`;
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!run) {
    const known = [...Object.keys(commands), ...stateCommands, ...tableCommands];
    const listed = known.map((key) => key.replace(' ', ` ${controlPrefix}`)).join(', ');
    return jsonReply(404, { message: `There is no such command. Known commands: ${listed}` });
  }
  const input = method === 'GET' ? Object.fromEntries(url.searchParams) : text.trim() === '' ? {} : parseJson(text);
  const result = await run(controlled, number === undefined ? input : { id: Number(number) });
  return result === undefined ? emptyReply(204) : jsonReply(200, result);
}

/** A store that fails is not the caller's fault; everything else that a command throws is. */
function failureReply(error: unknown): PlainReply {
  if (error instanceof StoreError) return refusalReply(storeRefusal(error));
  return jsonReply(400, { message: reason(error) });
}

function command<Shape extends z.ZodRawShape>(
  shape: Shape,
  act: (controlled: Controlled, input: z.output<z.ZodObject<Shape>>) => unknown,
): Command {
  const schema = z.strictObject(shape);
  return (controlled, input) => act(controlled, schema.parse(input));
}

function now({ sandbox: { clock } }: Controlled): { now: number; isFrozen: boolean } {
  return { now: clock.now(), isFrozen: clock.isFrozen };
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof SyntaxError) return 'The body is not JSON.';
  return error instanceof Error ? error.message : String(error);
}
