import { emptyReply, jsonReply, type PlainReply, type PlainRequest } from './http.ts';
import { jsonInSteps, parseSnapshot } from './json.ts';
import { inSlices } from './slices.ts';
import type { SnapshotInput } from './snapshot.ts';
import { checkSnapshot } from './snapshot-schema.ts';
import type { World } from './world.ts';

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
 * `undefined` for other commands. It works in slices, because data can be large.
 *
 * @throws `Error` with the reason of a refusal
 */
export async function answerState(
  world: World,
  { method, text }: PlainRequest,
  command: string,
): Promise<PlainReply | undefined> {
  const [topic, encoded, action, ...more] = command.split('/');
  if (topic === 'state' && encoded === undefined) {
    if (method === 'GET') return largeReply(world.snapshot());
    if (method === 'PUT') return done(world.replaceInSlices(world.toSnapshot(await parse(text))));
    return undefined;
  }
  if (topic !== 'snapshots' || more.length > 0) return undefined;
  const { snapshots } = world;
  if (encoded === undefined) return method === 'GET' ? jsonReply(200, snapshots.names) : undefined;
  const name = decodeURIComponent(encoded);
  if (action === 'restore' && method === 'POST')
    return done(world.replaceInSlices(world.toSnapshot(snapshots.get(name))));
  if (action !== undefined) return undefined;
  if (method === 'GET') return largeReply(snapshots.get(name));
  if (method === 'PUT') {
    const content = await readSnapshot(world, text);
    // A snapshot belongs to a world that the sandbox keeps.
    world.claim();
    return done(snapshots.put(name, content));
  }
  if (method === 'DELETE') {
    snapshots.delete(name);
    return emptyReply(204);
  }
  return undefined;
}

/** Reads the snapshot in a request. An empty request takes a new one. */
async function readSnapshot(world: World, text: string): Promise<SnapshotInput> {
  if (text.trim() === '') return world.snapshot();
  const snapshot = await parse(text);
  await inSlices(checkSnapshot(snapshot));
  return snapshot;
}

async function largeReply(content: SnapshotInput): Promise<PlainReply> {
  return { ...jsonReply(200, null), text: await inSlices(jsonInSteps(content)) };
}

async function done(work: Promise<void>): Promise<PlainReply> {
  await work;
  return emptyReply(204);
}

/** Parses a snapshot. Its user checks it. */
async function parse(text: string): Promise<SnapshotInput> {
  return (await inSlices(parseSnapshot(text))) as SnapshotInput;
}
