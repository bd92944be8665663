import { emptyResponse, jsonResponse, type PlainRequest, type PlainResponse } from '../http/plain.ts';
import { parseSnapshot } from '../rules/json.ts';
import type { SnapshotInput } from '../world/snapshots/snapshot.ts';
import type { World } from '../world/world.ts';

/** The commands of this file, for the list of known commands. */
export const stateCommands = [
  'GET state',
  'PUT state',
  'GET snapshots',
  'GET snapshots/{name}',
  'PUT snapshots/{name}',
  'DELETE snapshots/{name}',
  'POST snapshots/{name}/restore',
];

/**
 * Answers the control requests about data: `state`, `snapshots`, `snapshots/{name}` and `snapshots/{name}/restore`. It returns
 * `undefined` for other commands.
 *
 * @throws `Error` with the reason of a rejection
 */
export function answerState(world: World, { method, text }: PlainRequest, command: string): PlainResponse | undefined {
  const [topic, encoded, action, ...more] = command.split('/');
  const { snapshots } = world;
  if (topic === 'state' && encoded === undefined) {
    if (method === 'GET') return jsonResponse(200, world.snapshot());
    if (method !== 'PUT') return undefined;
    // Loading it checks it.
    world.replace(world.toSnapshot(parseSnapshot(text) as SnapshotInput));
    return emptyResponse(204);
  }
  if (topic !== 'snapshots' || more.length > 0) return undefined;
  if (encoded === undefined) return method === 'GET' ? jsonResponse(200, snapshots.names) : undefined;
  const name = decodeURIComponent(encoded);
  if (action === undefined && method === 'GET') return jsonResponse(200, snapshots.get(name));
  if (action === 'restore' && method === 'POST') world.replace(world.toSnapshot(snapshots.get(name)));
  else if (action === undefined && method === 'PUT') {
    if (text.trim() !== '')
      throw new RangeError('A snapshot takes the present data. Replace them with PUT state first.');
    snapshots.put(name, world.snapshot());
  } else if (action === undefined && method === 'DELETE') snapshots.delete(name);
  else return undefined;
  return emptyResponse(204);
}
