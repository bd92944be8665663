import { expect, test } from 'vitest';
import { copy } from '../../src/sandbox/data/copy.ts';
import { start } from './support.ts';

test('a copy of a whole state is equal and shares no objects', () => {
  const { state } = start({ seed: 20 }).sandbox.snapshot();
  const copied = copy(state);
  expect(copied).toEqual(structuredClone(state));
  const originals = reachable(state);
  expect([...reachable(copied)].filter((value) => originals.has(value))).toEqual([]);
});

function reachable(value: unknown, found = new Set<unknown>()): Set<unknown> {
  if (typeof value !== 'object' || value === null || found.has(value)) return found;
  found.add(value);
  const inner = value instanceof Map ? [...value].flat() : value instanceof Set ? [...value] : Object.values(value);
  for (const one of inner) reachable(one, found);
  return found;
}

test('copies values beyond JSON: undefined, Maps, Sets, special numbers, unusual keys', () => {
  const odd = { a: undefined, n: Number.NaN, big: 1n, set: new Set([{ x: 1 }]), map: new Map([[{ k: 1 }, [null]]]) };
  Object.defineProperty(odd, '__proto__', { value: { own: true }, enumerable: true, writable: true });
  const copied = copy(odd);
  expect(copied).toStrictEqual(odd);
  expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
  expect(Object.keys(copied)).toContain('__proto__');
});

test('an object in two Maps stays one object in the copy', () => {
  const entry = { id: 1 };
  const copied = copy({ all: new Map([[1, entry]]), some: new Map([[1, entry]]), set: new Set([entry]) });
  expect(copied.all.get(1)).toBe(copied.some.get(1));
  expect(copied.set.has(copied.all.get(1) ?? entry)).toBe(true);
  expect(copied.all.get(1)).not.toBe(entry);
});

test.each([[new Date()], [() => 1], [Symbol('s')], [new (class Odd {})()]])(
  'rejects %s, which is not plain data',
  (value) => {
    expect(() => copy({ inner: [value] })).toThrow(TypeError);
    expect(() => copy({ value })).toThrow(TypeError);
  },
);
