import { describe, expect, it } from 'vitest';
import { replies } from '../../../generated/replies.ts';
import { type Findings, findAll } from '../../../src/cli/learn/findings.ts';
import { bodyPlace, documentedReply, type Place } from '../../../src/shared/observed/places.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';
import { allOperations, type Seen, sandboxTraffic } from '../../support/sandbox-traffic.ts';

const products = Object.values(replies);

function learn(traffic: readonly Seen[]): Findings {
  const recorder = new Recorder(products);
  for (const { operationId, status, body } of traffic) recorder.record(operationId, status, body);
  return findAll({ accounts: { '00000000-0000-4000-8000-000000000001': recorder.take() } });
}

/** A planted difference and the expected finding. */
interface Planted {
  kind: string;
  place: string;
  seen: Seen;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns copies of a body with one difference each. */
function plantsOf(seen: Seen): Planted[] {
  const product = products.find(({ operations }) => Object.hasOwn(operations, seen.operationId));
  const documented = product && documentedReply(product, seen.operationId, String(seen.status));
  const root = documented && bodyPlace(product, documented);
  const found: Planted[] = [{ kind: 'status', place: '', seen: { ...seen, status: seen.status === 207 ? 208 : 207 } }];
  const plant = (kind: string, place: string, body: unknown): void =>
    void found.push({ kind, place, seen: { ...seen, body } });
  const visit = (value: unknown, at: Place, path: string, put: (changed: unknown) => unknown): void => {
    for (const { kind, other } of changesOf(value, at)) plant(kind, path, put(other));
    const [first] = Array.isArray(value) ? value : [];
    if (Array.isArray(value) && at.items && value.length > 0)
      visit(first, at.items, `${path}[]`, (changed) => put([changed, ...value.slice(1)]));
    if (!isRecord(value) || at.schemas.some(({ isAlternative }) => isAlternative)) return;
    if (at.names.length > 0) plant('new field', path, put({ ...value, plantedField: 'text' }));
    for (const name of at.names) {
      const field = at.field(name);
      if (!field || !Object.hasOwn(value, name)) continue;
      const inner = path === '' ? name : `${path}.${name}`;
      const { [name]: old, ...rest } = value;
      if (at.schemas.some(({ schema }) => schema.required?.includes(name))) plant('missing field', inner, put(rest));
      visit(old, field, inner, (changed) => put({ ...value, [name]: changed }));
    }
  };
  if (root) visit(seen.body, root, '', (changed) => changed);
  return found;
}

function changesOf(value: unknown, at: Place): { kind: string; other: unknown }[] {
  const types = at.schemas.flatMap(({ schema }) => schema.type ?? []).flat();
  const isOpen = at.schemas.some(({ schema }) =>
    Object.keys(schema).every((key) => key === 'open' || key === 'ownNames'),
  );
  if (types.length === 0 || isOpen) return [];
  const others = Object.entries({ string: 'text', boolean: true, number: 1.5, object: { a: 1 }, array: [] });
  const other = others.find(([type]) => !types.includes(type) && !(type === 'number' && types.includes('integer')));
  return [
    ...(other ? [{ kind: 'type', other: other[1] }] : []),
    ...(types.includes('null') ? [] : [{ kind: 'null', other: null }]),
    ...(at.values ? [{ kind: 'value', other: types.includes('string') ? 'another value' : 987_654 }] : []),
    ...(at.pattern && typeof value === 'string' ? [{ kind: 'format', other: 'no such format' }] : []),
  ];
}

describe('a difference', () => {
  it('does not occur in traffic of the sandbox', async () => {
    const { differences, newFields } = learn(await sandboxTraffic());
    expect(differences).toEqual([]);
    // Only in records without documented fields.
    const known = [...new Set(newFields.map(({ product, at }) => `${product} ${at}`))];
    expect(known).toEqual(
      [
        'crm #/components/schemas/Deal/properties/attributes/items',
        ...['phones', 'emails', 'messengers', 'tags', 'attributes'].map(
          (name) => `crm #/components/schemas/Contact/properties/${name}/items`,
        ),
        'crm #/components/schemas/MessengerType',
        'messaging #/components/schemas/Subscriber/properties/variables/items',
        'email #/components/schemas/OpenBody',
        'email #/components/schemas/OpenBody/anyOf/0/items',
      ].filter((place) => known.includes(place)),
    );
    expect(known.length).toBeGreaterThan(5);
  });

  it('is found if planted, in 500 cases over all operations, without further findings', async () => {
    const successes = (await sandboxTraffic()).filter(({ status }) => status < 300);
    const byOperation = allOperations.map(({ operationId }) => {
      const all = successes.filter((seen) => seen.operationId === operationId).flatMap(plantsOf);
      return [...new Map(all.map((planted) => [`${planted.kind} ${planted.place}`, planted])).values()];
    });
    // Take differences of each operation in turn, rare kinds first.
    const rare = ['format', 'value', 'new field', 'missing field', 'null', 'type', 'status'];
    const queues = byOperation.map((plants) =>
      plants.sort((one, other) => rare.indexOf(one.kind) - rare.indexOf(other.kind)),
    );
    const chosen: Planted[] = queues.flatMap((queue) => queue.filter(({ kind }) => kind === 'status'));
    for (let round = 0; chosen.length < 600; round += 1) {
      const next = queues.flatMap((queue) => queue.filter(({ kind }) => kind !== 'status')[round * 3] ?? []);
      if (next.length === 0) break;
      chosen.push(...next);
    }
    expect(chosen.length).toBeGreaterThanOrEqual(500);
    expect(new Set(chosen.map(({ seen }) => seen.operationId)).size).toBe(allOperations.length);
    expect(new Set(chosen.map(({ kind }) => kind))).toEqual(new Set(rare));
    const missed = chosen.filter(({ kind, place, seen }) => {
      const { differences, newFields } = learn([seen, seen, seen]);
      if (kind === 'new field') return differences.length > 0 || !newFields.some(({ name }) => name === 'plantedField');
      const [found, ...more] = differences;
      return found?.kind !== kind || found.place !== place || found.operationId !== seen.operationId || more.length > 0;
    });
    expect(missed.map(({ kind, place, seen }) => `${seen.operationId} ${kind} ${place}`)).toEqual([]);
  });
});
