import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { encodeField, toBase64 } from '../../src/core/encode.ts';

const decode = (text: string): Buffer => Buffer.from(text, 'base64');

test.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foo', 'Zm9v'],
  ['ü', 'w7w='],
  ['€', '4oKs'],
  ['😀', '8J+YgA=='],
  ['\u0000', 'AA=='],
])('text %j is Base64 of its UTF-8: %j (RFC 4648 §10)', (text, expected) => {
  expect(toBase64(text)).toBe(expected);
});

test('bytes are encoded in Base64, also a part of a larger buffer', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(decode(toBase64(bytes)).equals(bytes)).toBe(true);
  expect(toBase64(bytes.subarray(250))).toBe(Buffer.from(bytes.subarray(250)).toString('base64'));
  expect(toBase64(Buffer.from('foo'))).toBe('Zm9v');
  expect(toBase64(new Uint8Array())).toBe('');
});

// A megabyte at once would overflow the stack.
test.each([0x7fff, 0x8000, 0x8001, 1024 * 1024])('%i bytes arrive whole', (length) => {
  const bytes = Buffer.alloc(length, 'carillon \u00ff', 'latin1');
  expect(toBase64(bytes) === bytes.toString('base64')).toBe(true);
});

test('1 MB of text arrives whole', () => {
  const text = 'é'.repeat(500_000);
  expect(toBase64(text) === Buffer.from(text).toString('base64')).toBe(true);
});

test.each(['base64', 'base64Map', 'json'] as const)('null and absence do not change (%s)', (encoding) => {
  expect(encodeField(null, encoding)).toBeNull();
  expect(encodeField(undefined, encoding)).toBeUndefined();
});

test('a map of files is encoded file by file, and its own value is not changed', () => {
  const files = { 'a.txt': 'foo', 'b.bin': new Uint8Array([102]), ünï: '' };
  expect(encodeField(files, 'base64Map')).toEqual({ 'a.txt': 'Zm9v', 'b.bin': 'Zg==', ünï: '' });
  expect(files['a.txt']).toBe('foo');
});

test('a file named __proto__ is a file', () => {
  const encoded = encodeField(JSON.parse('{"__proto__": "foo"}'), 'base64Map');
  expect(JSON.stringify(encoded)).toBe('{"__proto__":"Zm9v"}');
});

test.each([[7], [true], [['foo']], [{ size: 3 }], [new Blob(['foo'])], [Promise.resolve('foo')], [new Map()]])(
  '%o is neither text nor bytes, so it is refused',
  (value) => {
    expect(() => encodeField(value, 'base64')).toThrow(/^must be text or bytes/);
    expect(() => encodeField({ 'a.txt': value }, 'base64Map')).toThrow(/^must be text or bytes/);
  },
);

test.each([
  ['foo'],
  [7],
  [['foo']],
  [new Uint8Array(3)],
  [new ArrayBuffer(3)],
  [new Map([['a.txt', 'foo']])],
  [new Blob(['foo'])],
  [Promise.resolve({ 'a.txt': 'foo' })],
])('%o is not a map of files, so it is refused', (value) => {
  expect(() => encodeField(value, 'base64Map')).toThrow(/^must be a map of file name to content/);
});

test.each([
  'new Uint8Array([102, 111, 111])',
  'new Uint8Array([102, 111, 111]).buffer',
  'new DataView(new Uint8Array([102, 111, 111]).buffer)',
  'Uint8Array.from([0, 102, 111, 111, 0]).subarray(1, 4)',
])('bytes of another realm are bytes: %s', (source) => {
  const bytes: unknown = runInNewContext(source);
  expect(bytes instanceof Uint8Array).toBe(false);
  expect(encodeField(bytes, 'base64')).toBe('Zm9v');
  expect(encodeField({ 'a.bin': bytes }, 'base64Map')).toEqual({ 'a.bin': 'Zm9v' });
});

test.each([
  [{ a: 1 }, '{"a":1}'],
  ['text', '"text"'],
  [false, 'false'],
  [0, '0'],
  [[], '[]'],
])('%j as JSON is %j', (value, expected) => {
  expect(encodeField(value, 'json')).toBe(expected);
});
