import { describe, expect, test } from 'vitest';
import { BadValue } from '../../../src/client/core/bad-value.ts';
import { builtInKind, writeJson } from '../../../src/client/core/write-json.ts';

function refusal(value: unknown, place = 'body'): BadValue {
  try {
    writeJson(value, place);
  } catch (error) {
    if (error instanceof BadValue) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** A record in records, deep enough to overflow the stack of `JSON.stringify`, but not of a check that does not recurse. */
function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level += 1) value = { inner: value };
  return value;
}

describe('writes as JSON.stringify does', () => {
  test.each([
    ['text, numbers, booleans and null', { text: 'a', one: 1, yes: true, nothing: null }],
    ['an undefined field beside null', { a: undefined, b: null }],
    ['lists and records that are empty', { list: [], record: {}, inner: [[], {}] }],
    ['text that resembles bytes', { text: '{"0":1}', kind: '"Buffer"' }],
    ['boxed values beside null', { text: Object('a'), yes: Object(true), one: Object(1), nothing: null }],
    [
      'what toJSON returns, beside null',
      { at: new Date(0), own: { toJSON: (key: string) => `of ${key}` }, nothing: null },
    ],
    [
      'an instance of a class of the program',
      {
        own: new (class Bell {
          size = 1;
        })(),
        nothing: null,
      },
    ],
    [
      'an instance of a class with a name of its own',
      {
        own: new (class {
          size = 1;
          [Symbol.toStringTag] = 'Bell';
        })(),
        nothing: null,
      },
    ],
    ['the same record in two places', [nested(1), nested(1)]],
  ])('%s', (_, value) => {
    expect(writeJson(value, 'body')).toBe(JSON.stringify(value));
  });

  test('one record in two places, which is no circle', () => {
    const shared = { a: null };
    expect(writeJson({ one: shared, two: shared }, 'body')).toBe('{"one":{"a":null},"two":{"a":null}}');
  });

  test('a BigInt that has a toJSON', () => {
    Object.assign(BigInt.prototype, { toJSON: () => 'wide' });
    try {
      expect(writeJson({ id: 1n, none: null }, 'body')).toBe('{"id":"wide","none":null}');
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON');
    }
  });
});

test.each([
  ['a function', () => 1, 'is a function'],
  ['a symbol', Symbol('a'), 'is a symbol'],
  ['undefined', undefined, 'is undefined'],
  ['a BigInt', 1n, 'is a BigInt'],
  ['NaN', Number.NaN, 'is NaN'],
  ['a toJSON without a result', { toJSON: () => undefined }, 'is undefined'],
])('throws for %s as the whole body', (_, value, problem) => {
  expect(refusal(value).message).toBe(`body ${problem}`);
  expect(refusal(value, '').message).toBe(`a value ${problem}`);
});

test('throws for bytes whose toJSON returns a plain record', () => {
  expect(refusal({ file: Buffer.from('') }).message).toBe('body.file is a Uint8Array');
});

test('a value that cannot be read has the error of the program as its cause', () => {
  const cause = new Error('gone');
  const value = {
    get price(): number {
      throw cause;
    },
  };
  expect(refusal({ deal: value })).toMatchObject({
    place: 'body.deal.price',
    message: 'body.deal.price cannot be read',
    cause,
  });
  expect(refusal({ deal: Number.NaN })).not.toHaveProperty('cause');
});

describe('a value nested deeper than JSON.stringify can write', () => {
  test('is invalid with the name of its field', () => {
    expect(refusal({ name: 'a', filter: nested(11_000) })).toMatchObject({
      place: 'body.filter',
      message: 'body.filter is nested too deeply',
    });
  });

  test('is invalid if a getter returns one level after the other', () => {
    const endless = (): object => ({
      get inner() {
        return endless();
      },
    });
    expect(refusal({ filter: endless() }).message).toBe('body.filter is nested too deeply');
  });
});

test('a value that cannot be written although it can be read again has the first error as its cause', () => {
  const cause = new Error('not yet');
  const once = (): object => {
    let reads = 0;
    return {
      get price(): number {
        reads += 1;
        if (reads === 1) throw cause;
        return 1;
      },
    };
  };
  expect(refusal(once())).toMatchObject({ place: 'body', message: 'body cannot be written as JSON', cause });
  expect(refusal(once(), '').message).toBe('a value cannot be written as JSON');
});

test('a list of the fields of a method is refused without the name of a place', () => {
  expect(refusal([Number.NaN], '').message).toBe('[0] is NaN');
});

test.each([
  ['a text', 'a', undefined],
  ['null', null, undefined],
  ['a list', [], undefined],
  ['a record', {}, undefined],
  ['a Map', new Map(), 'Map'],
  ['an empty object of another platform', { [Symbol.toStringTag]: 'FormData' }, 'FormData'],
  ['an empty object of the program with a tag', { [Symbol.toStringTag]: 'Bell' }, 'Bell'],
  ['an object of the program with a tag and fields', { [Symbol.toStringTag]: 'Bell', size: 1 }, undefined],
])('builtInKind of %s', (_, value, kind) => {
  expect(builtInKind(value)).toBe(kind);
});
