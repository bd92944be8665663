import * as z from 'zod';
import { createStateControl, stateCommands } from './control-state.ts';
import { emptyReply, jsonReply, type PlainReply, type PlainRequest } from './http.ts';
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

type Command = (sandbox: Sandbox, body: unknown, snapshots: NumberedSnapshots) => unknown;

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
  'POST faults': command(
    {
      operation: z.string().optional(),
      status: z.number().optional(),
      body: z.unknown().optional(),
      headers: z.record(z.string(), z.string()).optional(),
      delay: z.number().optional(),
      drop: z.enum(['before', 'after']).optional(),
      times: z.number().optional(),
    },
    (sandbox, fault) => sandbox.faults.add(fault),
  ),
  'DELETE faults': command({}, (sandbox) => sandbox.faults.clear()),
  'GET requests': command({}, (sandbox) => sandbox.requests),
};

export function isControlRequest({ url }: PlainRequest): boolean {
  return url.pathname.startsWith(controlPrefix);
}

/**
 * Creates the handler of control requests. It returns 200 with the result, 204 if there is none, and 400 for bad input.
 */
export function createControl(sandbox: Sandbox): (request: PlainRequest) => PlainReply {
  const snapshots = new NumberedSnapshots();
  const stateControl = createStateControl(sandbox);
  return (request) => {
    const { method, url, text } = request;
    const path = url.pathname.slice(controlPrefix.length).replace(/\/$/, '');
    const name = `${method} ${path}`;
    const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!run) {
      const reply = attempt(() => stateControl(request, path));
      if (reply) return reply;
      const known = Object.keys(commands).map((key) => key.replace(' ', ` ${controlPrefix}`));
      known.push(...stateCommands.map((key) => key.replace(' ', ` ${controlPrefix}`)));
      return jsonReply(404, { message: `There is no such command. Known commands: ${known.join(', ')}` });
    }
    try {
      const result = run(sandbox, text.trim() === '' ? {} : JSON.parse(text), snapshots);
      return result === undefined ? emptyReply(204) : jsonReply(200, result);
    } catch (error) {
      return jsonReply(400, { message: reason(error) });
    }
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

function command<Shape extends z.ZodRawShape>(
  shape: Shape,
  act: (sandbox: Sandbox, body: z.output<z.ZodObject<Shape>>, snapshots: NumberedSnapshots) => unknown,
): Command {
  const schema = z.strictObject(shape);
  return (sandbox, body, snapshots) => act(sandbox, schema.parse(body), snapshots);
}

function now({ clock }: Sandbox): { now: number } {
  return { now: clock.now() };
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof SyntaxError) return 'The body is not JSON.';
  return error instanceof Error ? error.message : String(error);
}
