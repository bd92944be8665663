import * as z from 'zod';
import { type ControlOptions, createAccess } from './control-access.ts';
import { createStateControl, stateCommands } from './control-state.ts';
import { answerTables, tableCommands } from './control-tables.ts';
import { emptyReply, jsonReply, type PlainReply, type PlainRequest } from './http.ts';
import { parseJson } from './json.ts';
import type { NamedSnapshots } from './named-snapshots.ts';
import { isOperationId, noSuchOperation, type OperationId } from './operation-ids.ts';
import type { Sandbox } from './sandbox.ts';
import type { Snapshot } from './snapshot.ts';

/** Requests below this path control the sandbox, if its `control` option is on. */
const controlPrefix = '/__sandbox/';

/** Snapshots taken over HTTP. They stay in memory, and the caller gets their numbers. */
class NumberedSnapshots {
  readonly most = 20;
  readonly #taken = new Map<number, Snapshot>();
  #last = 0;

  add(snapshot: Snapshot): number {
    this.#last += 1;
    this.#taken.set(this.#last, snapshot);
    const [oldest = 0] = this.#taken.keys();
    if (this.#taken.size > this.most) this.#taken.delete(oldest);
    return this.#last;
  }

  get(number: number): Snapshot {
    const snapshot = this.#taken.get(number);
    if (!snapshot)
      throw new RangeError(
        `snapshot must be one of the last ${this.most} numbers returned by POST /__sandbox/snapshot`,
      );
    return snapshot;
  }
}

type Command = (sandbox: Sandbox, input: unknown, snapshots: NumberedSnapshots) => unknown;

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
  'POST reset': command({ seed: z.union([z.boolean(), z.number()]).optional() }, (sandbox, options) =>
    sandbox.reset(options),
  ),
  'POST snapshot': command({}, (sandbox, _, snapshots) => ({ snapshot: snapshots.add(sandbox.snapshot()) })),
  'POST restore': command({ snapshot: z.number() }, (sandbox, { snapshot }, snapshots) =>
    sandbox.restore(snapshots.get(snapshot)),
  ),
  'GET clock': command({}, now),
  'POST clock/advance': command({ milliseconds: z.number() }, (sandbox, { milliseconds }) => {
    sandbox.clock.advance(milliseconds);
    return now(sandbox);
  }),
  'POST clock/freeze': command({ at: z.number().optional() }, (sandbox, { at }) => {
    sandbox.clock.freeze(at);
    return now(sandbox);
  }),
  'POST clock/resume': command({}, (sandbox) => {
    sandbox.clock.resume();
    return now(sandbox);
  }),
  'GET faults': command({}, (sandbox) => sandbox.faults.list()),
  'POST faults': command(fault, (sandbox, added) => ({ id: sandbox.faults.add(added) })),
  'DELETE faults': command({}, (sandbox) => sandbox.faults.clear()),
  'DELETE faults/{id}': command({ id: z.number() }, (sandbox, { id }) => {
    if (!sandbox.faults.remove(id)) throw new RangeError(`There is no fault ${id}`);
  }),
  'GET worlds': command({}, (sandbox) => sandbox.worldNames()),
  'GET requests': command(
    { ...filter, bodies: z.enum(['true', 'false']).optional() },
    ({ log }, { bodies, ...selected }) =>
      // A copy has no body: an entry parses it when it is read.
      bodies === 'false' ? log.list(selected).map((entry) => ({ ...entry })) : log.list(selected),
  ),
  'GET requests/count': command(filter, (sandbox, selected) => ({ count: sandbox.log.count(selected) })),
  'GET requests/{id}': command({ id: z.number() }, (sandbox, { id }) => {
    const entry = sandbox.log.get(id);
    if (!entry) throw new RangeError(`The log has no request ${id}`);
    return entry;
  }),
  'DELETE requests': command({}, (sandbox) => sandbox.log.clear()),
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
  named: NamedSnapshots,
  options: ControlOptions,
): (request: PlainRequest) => PlainReply {
  const access = createAccess(options);
  const snapshots = new NumberedSnapshots();
  const stateControl = createStateControl(sandbox, named);
  return (request) => {
    const { refusal, headers } = access(request);
    if (refusal) return refusal;
    const path = request.url.pathname.slice(controlPrefix.length).replace(/\/$/, '');
    const reply =
      attempt(() => stateControl(request, path) ?? answerTables(sandbox, request, path)) ??
      runCommand(sandbox, request, snapshots);
    return { ...reply, headers: { ...reply.headers, ...headers } };
  };
}

/** Replies 400 with the reason if a command throws. */
function attempt(act: () => PlainReply | undefined): PlainReply | undefined {
  try {
    return act();
  } catch (error) {
    return jsonReply(400, { message: reason(error) });
  }
}

function runCommand(sandbox: Sandbox, { method, url, text }: PlainRequest, snapshots: NumberedSnapshots): PlainReply {
  const path = url.pathname.slice(controlPrefix.length).replace(/\/$/, '');
  const [, start = '', number] = /^(.*\/)(\d{1,15})$/.exec(path) ?? [];
  const name = `${method} ${number === undefined ? path : `${start}{id}`}`;
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!run) {
    const known = Object.keys(commands).map((key) => key.replace(' ', ` ${controlPrefix}`));
    known.push(...[...stateCommands, ...tableCommands].map((key) => key.replace(' ', ` ${controlPrefix}`)));
    return jsonReply(404, { message: `There is no such command. Known commands: ${known.join(', ')}` });
  }
  try {
    const input = method === 'GET' ? Object.fromEntries(url.searchParams) : text.trim() === '' ? {} : parseJson(text);
    const result = run(sandbox, number === undefined ? input : { id: Number(number) }, snapshots);
    return result === undefined ? emptyReply(204) : jsonReply(200, result);
  } catch (error) {
    return jsonReply(400, { message: reason(error) });
  }
}

function command<Shape extends z.ZodRawShape>(
  shape: Shape,
  act: (sandbox: Sandbox, body: z.output<z.ZodObject<Shape>>, snapshots: NumberedSnapshots) => unknown,
): Command {
  const schema = z.strictObject(shape);
  return (sandbox, body, snapshots) => act(sandbox, schema.parse(body), snapshots);
}

function now({ clock }: Sandbox): { now: number; isFrozen: boolean } {
  return { now: clock.now(), isFrozen: clock.isFrozen };
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof SyntaxError) return 'The body is not JSON.';
  return error instanceof Error ? error.message : String(error);
}
