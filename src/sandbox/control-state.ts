import { emptyReply, jsonReply, type PlainReply, type PlainRequest } from './http.ts';
import { parseJson } from './json.ts';
import type { Sandbox } from './sandbox.ts';
import type { SnapshotInput } from './snapshot.ts';
import { checkSnapshot } from './snapshot-schema.ts';

/** The commands of this file, for the list of known commands. */
export const stateCommands = [
  'GET state',
  'PUT state',
  'GET snapshots',
  'GET snapshots/NAME',
  'PUT snapshots/NAME',
  'DELETE snapshots/NAME',
  'POST snapshots/NAME/restore',
];

/** How many named snapshots a world keeps. */
const mostSnapshots = 50;
const longestName = 100;

/**
 * Creates the handler of the control requests about data: `state`, `snapshots`, `snapshots/NAME` and
 * `snapshots/NAME/restore`. It returns `undefined` for other commands.
 *
 * @throws `Error` with the reason of a refusal
 */
export function createStateControl(
  sandbox: Sandbox,
): (request: PlainRequest, command: string) => PlainReply | undefined {
  const snapshots = new NamedSnapshots(sandbox);
  return ({ method, text }, command) => {
    const [topic, encoded, action, ...more] = command.split('/');
    if (topic === 'state' && encoded === undefined) return answerState(sandbox, method, text);
    if (topic !== 'snapshots' || more.length > 0) return undefined;
    if (encoded === undefined) return method === 'GET' ? jsonReply(200, snapshots.names) : undefined;
    const name = decodeURIComponent(encoded);
    if (action === 'restore' && method === 'POST') return done(() => sandbox.restore(snapshots.get(name)));
    if (action !== undefined) return undefined;
    if (method === 'GET') return jsonReply(200, snapshots.get(name));
    if (method === 'PUT') return done(() => snapshots.put(name, text));
    if (method === 'DELETE') return done(() => snapshots.delete(name));
    return undefined;
  };
}

function answerState(sandbox: Sandbox, method: string, text: string): PlainReply | undefined {
  if (method === 'GET') return jsonReply(200, sandbox.snapshot());
  if (method === 'PUT') return done(() => sandbox.restore(parse(text)));
  return undefined;
}

function done(act: () => void): PlainReply {
  act();
  return emptyReply(204);
}

function parse(text: string): SnapshotInput {
  const snapshot = parseJson(text);
  checkSnapshot(snapshot);
  // The check ensures the type.
  return snapshot as SnapshotInput;
}

class NamedSnapshots {
  readonly #sandbox: Sandbox;
  readonly #snapshots = new Map<string, SnapshotInput>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  get names(): string[] {
    return [...this.#snapshots.keys()];
  }

  get(name: string): SnapshotInput {
    const snapshot = this.#snapshots.get(name);
    if (!snapshot) throw new RangeError(`There is no snapshot '${name}'. PUT /__sandbox/snapshots/${name} takes one.`);
    return snapshot;
  }

  /** Stores a snapshot that the request contains, or takes one if it is empty. */
  put(name: string, text: string): void {
    if (name === '' || name.length > longestName) throw new RangeError(`A name has 1 to ${longestName} characters`);
    if (!this.#snapshots.has(name) && this.#snapshots.size >= mostSnapshots)
      throw new RangeError(`There are ${mostSnapshots} snapshots. Delete one with DELETE /__sandbox/snapshots/NAME.`);
    this.#snapshots.set(name, text.trim() === '' ? this.#sandbox.snapshot() : parse(text));
  }

  delete(name: string): void {
    this.get(name);
    this.#snapshots.delete(name);
  }
}
