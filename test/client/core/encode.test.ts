import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { encodeField, toBase64, UnreadField } from '../../../src/client/core/encode.ts';

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
])('encodes text %j as Base64 of its UTF-8: %j (RFC 4648 §10)', (text, expected) => {
  expect(encodeField(text, 'base64Text', 'html')).toBe(expected);
});

test('encodes bytes in Base64, including a part of a larger buffer', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(decode(toBase64(bytes)).equals(bytes)).toBe(true);
  expect(toBase64(bytes.subarray(250))).toBe(Buffer.from(bytes.subarray(250)).toString('base64'));
  expect(toBase64(Buffer.from('foo'))).toBe('Zm9v');
  expect(toBase64(new Uint8Array())).toBe('');
});

// Encoding a megabyte at once would overflow the stack.
test.each([0x7fff, 0x8000, 0x8001, 1024 * 1024])('encodes %i bytes completely', (length) => {
  const bytes = Buffer.alloc(length, 'carillon \u00ff', 'latin1');
  expect(toBase64(bytes) === bytes.toString('base64')).toBe(true);
});

test('encodes bytes without the classes of Node, and with the method of newer platforms', () => {
  const bytes = new Uint8Array(100_000).map((_, at) => at % 256);
  const expected = Buffer.from(bytes).toString('base64');
  expect(toBase64(Object.assign(bytes.slice(), { toBase64: () => 'own' }))).toBe('own');
  vi.stubGlobal('Buffer', undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(toBase64(bytes) === expected).toBe(true);
});

test('encodes 1 MB of text completely', () => {
  const text = 'é'.repeat(500_000);
  expect(encodeField(text, 'base64Text', 'html') === Buffer.from(text).toString('base64')).toBe(true);
});

test.each(['base64Text', 'base64', 'base64Map', 'json'] as const)(
  'leaves null and absent values unchanged (%s)',
  (encoding) => {
    expect(encodeField(null, encoding, 'field')).toBeNull();
    expect(encodeField(undefined, encoding, 'field')).toBeUndefined();
  },
);

test('encodes a map of files one by one, and does not change the map', () => {
  const files = { 'a.txt': Buffer.from('foo'), 'b.bin': new Uint8Array([102]), ünï: new ArrayBuffer(0) };
  expect(encodeField(files, 'base64Map', 'files')).toEqual({ 'a.txt': 'Zm9v', 'b.bin': 'Zg==', ünï: '' });
  expect(files['a.txt'].toString()).toBe('foo');
});

test('accepts a file named __proto__', () => {
  const files = Object.defineProperty({}, '__proto__', { value: Buffer.from('foo'), enumerable: true });
  expect(JSON.stringify(encodeField(files, 'base64Map', 'files'))).toBe('{"__proto__":"Zm9v"}');
});

/** Waits for contents that must be read. */
async function read(encoded: unknown): Promise<unknown> {
  return encoded instanceof UnreadField ? encoded.read() : 'not unread';
}

test('reads a Blob and a File asynchronously, beside bytes', async () => {
  expect(await read(encodeField(new Blob(['foo']), 'base64', 'file'))).toBe('Zm9v');
  const files = { 'a.txt': new File(['foo'], 'a.txt'), 'b.bin': new Uint8Array([102]) };
  expect(await read(encodeField(files, 'base64Map', 'files'))).toEqual({ 'a.txt': 'Zm9v', 'b.bin': 'Zg==' });
  const other = { size: 3, arrayBuffer: async () => new Uint8Array([102, 111, 111]).buffer };
  expect(await read(encodeField(other, 'base64', 'file'))).toBe('Zm9v');
});

test('throws for a Blob that cannot be read, with its place', async () => {
  const cause = new DOMException('gone', 'NotReadableError');
  const blob = { size: 3, arrayBuffer: () => Promise.reject(cause) };
  await expect(read(encodeField({ 'a b.txt': blob }, 'base64Map', 'files'))).rejects.toMatchObject({
    message: 'files["a b.txt"] cannot be read',
    cause,
  });
});

test.each<[string, () => unknown, string]>([
  ['a number', () => 7, 'a number'],
  ['a boolean', () => true, 'a boolean'],
  ['a list', () => ['foo'], 'an Array'],
  ['an object', () => ({ size: 3 }), 'an Object'],
  ['a Response', () => new Response('foo'), 'a Response'],
  ['a promise', () => Promise.resolve('foo'), 'a Promise'],
  ['a map', () => new Map(), 'a Map'],
  ['a size without content', () => ({ size: 3, arrayBuffer: 'foo' }), 'an Object'],
])('throws for %s, which is neither bytes nor a Blob', (_, make, kind) => {
  const message = (place: string) => `${place} must be bytes, a Blob or a File, not ${kind}`;
  expect(() => encodeField(make(), 'base64', 'file')).toThrow(message('file'));
  expect(() => encodeField({ 'a.txt': make() }, 'base64Map', 'files')).toThrow(message('files["a.txt"]'));
  expect(() => encodeField(make(), 'base64Text', 'html')).toThrow(`html must be a string, not ${kind}`);
});

test.each([
  ['null', null],
  ['undefined', undefined],
])('throws for a file in a map whose content is %s', (kind, content) => {
  const message = `files["a.txt"] must be bytes, a Blob or a File, not ${kind}`;
  expect(() => encodeField({ 'a.txt': content }, 'base64Map', 'files')).toThrow(message);
});

test.each(['foo', 'Zm9v', ''])('throws for the text %j as a file, because it could already be Base64', (text) => {
  expect(() => encodeField(text, 'base64', 'file')).toThrow(
    'file must be bytes, a Blob or a File, not a string: convert a string with new TextEncoder().encode(text)',
  );
  expect(() => encodeField({ a: text }, 'base64Map', 'files')).toThrow('files.a must be bytes');
});

test.each<[string, () => unknown]>([
  ['a text', () => 'foo'],
  ['a number', () => 7],
  ['a list', () => ['foo']],
  ['bytes', () => new Uint8Array(3)],
  ['a buffer', () => new ArrayBuffer(3)],
  ['a Map', () => new Map([['a.txt', 'foo']])],
  ['a Blob', () => new Blob(['foo'])],
  ['a promise', () => Promise.resolve({ 'a.txt': 'foo' })],
])('throws for %s, which is not a map of files', (_, make) => {
  expect(() => encodeField(make(), 'base64Map', 'files')).toThrow(/^files must be a map of file names to contents/);
});

test.each([
  'new Uint8Array([102, 111, 111])',
  'new Uint8Array([102, 111, 111]).buffer',
  'new DataView(new Uint8Array([102, 111, 111]).buffer)',
  'Uint8Array.from([0, 102, 111, 111, 0]).subarray(1, 4)',
  'const shared = new SharedArrayBuffer(3); new Uint8Array(shared).set([102, 111, 111]); shared',
])('accepts bytes of another realm: %s', (source) => {
  const bytes: unknown = runInNewContext(source);
  expect(bytes instanceof Uint8Array).toBe(false);
  expect(encodeField(bytes, 'base64', 'file')).toBe('Zm9v');
  expect(encodeField({ 'a.bin': bytes }, 'base64Map', 'files')).toEqual({ 'a.bin': 'Zm9v' });
  expect(encodeField(bytes, 'base64Text', 'html')).toBe('Zm9v');
});

const html = '<p>Grüße?>~</p>';
const base64 = Buffer.from(html).toString('base64');
test.each([
  ['Base64', base64],
  ['Base64 in lines', `${base64.slice(0, 8)}\r\n${base64.slice(8)}\n`],
  ['Base64 without padding', base64.replace(/=+$/, '')],
  ['Base64 for addresses', Buffer.from(html).toString('base64url')],
  ['Base64 of HTML after a line break', btoa(`\n${'<p>Hello</p>'}`)],
  ['Base64 of HTML with a byte order mark', Buffer.from(`\ufeff${html}`).toString('base64')],
  ['long Base64', Buffer.from(html.repeat(1_000)).toString('base64')],
])('throws for HTML as %s, to avoid double encoding', (_, text) => {
  expect(() => encodeField(text, 'base64Text', 'html')).toThrow('html is already Base64: pass the HTML itself');
});

test.each([html, 'Hello', 'Zm9v', btoa('Hello <b>'), 'PHA is an abbreviation', 'P', 'PGI+ <p>', '====', '   '])(
  'accepts the text %j as HTML, because it is not Base64',
  (text) => {
    expect(encodeField(text, 'base64Text', 'html')).toBe(Buffer.from(text).toString('base64'));
  },
);

test.each([
  [{ a: 1 }, '{"a":1}'],
  ['text', '"text"'],
  [false, 'false'],
  [0, '0'],
  [[], '[]'],
])('encodes %j as JSON %j', (value, expected) => {
  expect(encodeField(value, 'json', 'filter')).toBe(expected);
});
