import { expect, test } from 'vitest';
import { EveryItem, itemKey, RecentItems } from '../../../src/client/core/list-reader.ts';

/** A value nested too deeply for `JSON.stringify`, with this value at its end. */
function deep(value: unknown): unknown {
  let outer = value;
  for (let level = 0; level < 8_000; level += 1) outer = { inner: outer };
  return outer;
}

test.each([
  ['a text or number id, whatever the other fields', { id: 7, name: 'a' }, { id: '7', name: 'b' }],
  ['equal fields, if there is no id', { name: 'a' }, { name: 'a' }],
  ['equal fields, if the id is a record', { id: { a: 1 } }, { id: { a: 1 } }],
  ['equal values nested too deeply for JSON', deep({ a: [null, 'b', 1] }), deep({ a: [null, 'b', 1] })],
])('items are the same if they have %s', (_, one, other) => {
  expect(itemKey(one)).toBe(itemKey(other));
});

test.each([
  ['texts', 'a', 'b'],
  ['ids', { id: 1 }, { id: 2 }],
  ['a missing item and the text null', undefined, 'null'],
  ['deep texts', deep('a'), deep('b')],
  ['a deep number and text', deep(1), deep('1')],
  ['a deep null and an empty record', deep(null), deep({})],
  ['a deep empty list and record', deep([]), deep({})],
  ['deep field names', deep({ a: 1 }), deep({ b: 1 })],
  ['two deep texts and one with a space', deep(['a', 'b']), deep(['a b'])],
])('different %s are different items', (_, one, other) => {
  expect(itemKey(one)).not.toBe(itemKey(other));
});

test('an item that refers back to itself has a key', () => {
  const item: Record<string, unknown> = { name: 'a' };
  item.self = item;
  expect(itemKey(item)).toBe(itemKey(item));
  expect(itemKey(item)).not.toBe(itemKey({ name: 'a' }));
});

test('recognizes the first page, the previous page and later a cycle of pages of any length', () => {
  for (const length of [1, 2, 3, 7, 40]) {
    const known = new RecentItems();
    const pages = Array.from({ length }, (_, page) => [{ id: `start of ${page}` }, { id: `end of ${page}` }]);
    // Pages that occur only once, before the cycle begins.
    for (const id of ['a', 'b', 'c']) expect(known.add([{ id }])).toBe('nothing');
    const added = Array.from({ length: 4 * length + 8 }, (_, index) => known.add(pages[index % length] ?? []));
    expect(added).toContain('everything');
    expect(added.slice(0, length)).not.toContain('everything');
  }
});

test.each([
  ['the recent pages', () => new RecentItems()],
  ['every page', () => new EveryItem()],
])('an empty page repeats nothing, and one that overlaps repeats some (known: %s)', (_, create) => {
  const known = create();
  expect(known.add([{ id: 1 }, { id: 2 }])).toBe('nothing');
  expect(known.add([])).toBe('nothing');
  expect(known.add([{ id: 2 }, { id: 3 }])).toBe('some');
  expect(known.add([{ id: 2 }, { id: 3 }])).toBe('everything');
});

test('of every page, an item that occurs twice on one page is repeated, too', () => {
  expect(new EveryItem().add([{ id: 1 }, { id: 1 }])).toBe('some');
  expect(new RecentItems().add([{ id: 1 }, { id: 1 }])).toBe('nothing');
});
