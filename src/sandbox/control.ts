import * as z from 'zod';
import type { Incoming } from './incoming.ts';
import { emptyReply, jsonReply, type Reply } from './reply.ts';
import type { Sandbox, Snapshot } from './sandbox.ts';

/** Below this path a sandbox is controlled over HTTP, where that is permitted. */
export const controlPrefix = '/__sandbox/';

/** Snapshots over HTTP stay in the sandbox; the caller holds their number. The oldest make room for new ones. */
const snapshots = new WeakMap<Sandbox, Map<number, Snapshot>>();
const mostSnapshots = 20;

type Command = (sandbox: Sandbox, body: unknown) => unknown;

const commands: Record<string, Command> = {
  'POST reset': command({ seed: z.union([z.boolean(), z.number()]).optional() }, (sandbox, options) =>
    sandbox.reset(options),
  ),
  'POST snapshot': command({}, (sandbox) => ({ snapshot: take(sandbox) })),
  'POST restore': command({ snapshot: z.number() }, (sandbox, { snapshot }) => {
    const taken = snapshots.get(sandbox)?.get(snapshot);
    if (!taken) throw new RangeError(`snapshot is one of the last ${mostSnapshots} that POST /__sandbox/snapshot gave`);
    sandbox.restore(taken);
  }),
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

/** Answers a control request: 200 with what the command gives, 204 where it gives nothing, 400 for bad input. */
export function answerControl(sandbox: Sandbox, { method, url, text }: Incoming): Reply {
  const name = `${method} ${url.pathname.slice(controlPrefix.length).replace(/\/$/, '')}`;
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!run) {
    const known = Object.keys(commands).map((key) => key.replace(' ', ` ${controlPrefix}`));
    return jsonReply(404, { message: `There is no such command. There are: ${known.join(', ')}` });
  }
  try {
    const result = run(sandbox, text.trim() === '' ? {} : JSON.parse(text));
    return result === undefined ? emptyReply(204) : jsonReply(200, result);
  } catch (error) {
    return jsonReply(400, { message: reason(error) });
  }
}

function command<Shape extends z.ZodRawShape>(
  shape: Shape,
  act: (sandbox: Sandbox, body: z.output<z.ZodObject<Shape>>) => unknown,
): Command {
  const schema = z.strictObject(shape);
  return (sandbox, body) => act(sandbox, schema.parse(body));
}

function take(sandbox: Sandbox): number {
  const taken = snapshots.get(sandbox) ?? new Map<number, Snapshot>();
  snapshots.set(sandbox, taken);
  const [oldest] = taken.keys();
  const number = ([...taken.keys()].at(-1) ?? 0) + 1;
  if (oldest !== undefined && taken.size === mostSnapshots) taken.delete(oldest);
  taken.set(number, sandbox.snapshot());
  return number;
}

function now({ clock }: Sandbox): { now: number } {
  return { now: clock.now() };
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (error instanceof SyntaxError) return 'The body is not JSON.';
  return error instanceof Error ? error.message : String(error);
}
