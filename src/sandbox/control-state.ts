import { emptyReply, jsonReply, type PlainReply, type PlainRequest } from './http.ts';
import { parseJson } from './json.ts';
import type { NamedSnapshots } from './named-snapshots.ts';
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

/**
 * Creates the handler of the control requests about data: `state`, `snapshots`, `snapshots/NAME` and
 * `snapshots/NAME/restore`. It returns `undefined` for other commands.
 *
 * @throws `Error` with the reason of a refusal
 */
export function createStateControl(
  sandbox: Sandbox,
  snapshots: NamedSnapshots,
): (request: PlainRequest, command: string) => PlainReply | undefined {
  return ({ method, text }, command) => {
    const [topic, encoded, action, ...more] = command.split('/');
    if (topic === 'state' && encoded === undefined) return answerState(sandbox, method, text);
    if (topic !== 'snapshots' || more.length > 0) return undefined;
    if (encoded === undefined) return method === 'GET' ? jsonReply(200, snapshots.names) : undefined;
    const name = decodeURIComponent(encoded);
    if (action === 'restore' && method === 'POST') return done(() => sandbox.restore(snapshots.get(name)));
    if (action !== undefined) return undefined;
    if (method === 'GET') return jsonReply(200, snapshots.get(name));
    // An empty request takes a snapshot.
    if (method === 'PUT') return done(() => snapshots.put(name, text.trim() === '' ? sandbox.snapshot() : parse(text)));
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
