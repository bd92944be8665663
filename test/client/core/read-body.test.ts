import { expect, test, vi } from 'vitest';
import { readBody } from '../../../src/client/core/exchange.ts';

const read = (text: string | null, headers: HeadersInit = {}, status = 200) =>
  readBody(new Response(text, { status, headers }), 1_000);

/** A response whose body arrives in these chunks. */
function arriving(chunks: readonly string[], onCancel: () => void | Promise<void> = () => undefined): Response {
  const rest = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = rest.shift();
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: onCancel,
    },
    { highWaterMark: 0 },
  );
  return new Response(body);
}

test.each([[['{"name": "Grü', 'ße"}']], [['a']], [['a', '', 'b', 'cd'.repeat(100), 'e']], [[]]])(
  'joins the chunks %j',
  async (chunks) => {
    const text = chunks.join('');
    const size = new TextEncoder().encode(text).length;
    expect(await readBody(arriving(chunks), 1_000)).toEqual({ text, size, isCut: false });
  },
);

test('joins a character that is split between chunks', async () => {
  const [first = 0, ...rest] = new TextEncoder().encode('€');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Uint8Array.of(first));
      controller.enqueue(Uint8Array.from(rest));
      controller.close();
    },
  });
  expect(await readBody(new Response(body), 3)).toMatchObject({ text: '€', size: 3 });
});

test('receives no more than the limit, and cancels the rest', async () => {
  const onCancel = vi.fn();
  expect(await readBody(arriving(['12345', '67890'], onCancel), 10)).toMatchObject({ text: '1234567890' });
  expect(onCancel).not.toHaveBeenCalled();
  expect(await readBody(arriving(['12345', '67890', '1', 'rest'], onCancel), 10)).toBeUndefined();
  expect(onCancel).toHaveBeenCalledOnce();
});

test('a rest that cannot be cancelled causes no unhandled rejection', async () => {
  // Vitest fails a run with an unhandled rejection.
  const broken = () => Promise.reject(new Error('broken'));
  expect(await readBody(arriving(['12345', '67890', '1'], broken), 10)).toBeUndefined();
});

test.each([
  ['nothing', null, 27, true],
  ['half a record', '{"id": 5', 27, true],
  ['text', 'service una', 27, true],
  ['the stated length of text', 'service unavailable', 19, false],
  ['more than the stated length', 'service unavailable', 3, false],
  // The length may be that of another encoding.
  ['a whole record', '{"id": 5}', 27, false],
  ['a whole list', '[5]', 27, false],
])('a body with %s: %j, of %i bytes, is cut: %s', async (_, text, length, isCut) => {
  expect(await read(text, { 'Content-Length': String(length) })).toMatchObject({ text: text ?? '', isCut });
});

test.each<[string, number, HeadersInit]>([
  ['204', 204, { 'Content-Length': '27' }],
  ['304', 304, { 'Content-Length': '27' }],
  ['a compressed body', 200, { 'Content-Length': '27', 'Content-Encoding': 'gzip' }],
  ['no length', 200, {}],
  ['a length in words', 200, { 'Content-Length': 'many' }],
  ['a length with a unit', 200, { 'Content-Length': '27 bytes' }],
  ['a length with a sign', 200, { 'Content-Length': '+27' }],
  ['two lengths', 200, { 'Content-Length': '27, 27' }],
])('an empty body is whole if the reply has %s', async (_, status, headers) => {
  expect(await read(null, headers, status)).toEqual({ text: '', size: 0, isCut: false });
});

/** A response of a `fetch` whose bodies are Node's streams, which have no `getReader`. */
const foreign = (text: string, length: string) => ({
  status: 200,
  headers: new Headers({ 'Content-Length': length }),
  body: { pipe: () => undefined },
  text: async () => text,
});

test.each([
  ['{"id": 5}', false],
  ['Grüße', false],
  ['', true],
])('reads the body %j of a response without a reader, and it is cut: %s', async (text, isCut) => {
  const response = foreign(text, '27') as unknown as Response;
  expect(await readBody(response, 1_000)).toEqual({ text, size: text.length, isCut });
});

test('reads a body in another charset as text if the response gives no bytes', async () => {
  const headers = new Headers({ 'Content-Type': 'application/json; charset=ISO-8859-1' });
  const response = { ...foreign('{"id": 5}', '27'), headers } as unknown as Response;
  expect(await readBody(response, 1_000)).toMatchObject({ text: '{"id": 5}' });
});

test('a body of a response without a reader has a limit, too', async () => {
  const response = foreign('1234567890', '10') as unknown as Response;
  expect(await readBody(response, 9)).toBeUndefined();
  expect(await readBody(response, 10)).toMatchObject({ text: '1234567890' });
});

/** A response with these bytes as JSON in a charset. */
const inCharset = (bytes: Uint8Array<ArrayBuffer>, charset: string) =>
  new Response(bytes, { headers: { 'Content-Type': `application/json; charset=${charset}` } });

test.each<[string, string, number[]]>([
  ['ISO-8859-1', '{"name": "é"}', [0xe9]],
  ['"windows-1251"', '{"name": "Иван"}', [0xc8, 0xe2, 0xe0, 0xed]],
  ['GBK', '{"name": "中文"}', [0xd6, 0xd0, 0xce, 0xc4]],
  ['Shift_JIS', '{"name": "é"}'.replace('é', '日'), [0x93, 0xfa]],
  ['iso-2022-jp', '{"name": "日"}', [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42]],
  ['utf-8', '{"name": "é"}', [0xc3, 0xa9]],
  ['UTF8', '{"name": "é"}', [0xc3, 0xa9]],
])('reads a body in the declared charset %s: %s', async (charset, text, name) => {
  const [start, end] = ['{"name": "', '"}'].map((part) => [...new TextEncoder().encode(part)]);
  const bytes = Uint8Array.from([...(start ?? []), ...name, ...(end ?? [])]);
  expect(await readBody(inCharset(bytes, charset), 1_000)).toEqual({ text, size: bytes.length, isCut: false });
  const foreignBody = { ...foreign('', '27'), headers: inCharset(bytes, charset).headers };
  const read = {
    ...foreignBody,
    arrayBuffer: async () => bytes.buffer,
    text: async () => new TextDecoder().decode(bytes),
  };
  expect(await readBody(read as unknown as Response, 1_000)).toMatchObject({ text });
});

test.each([
  ['utf-16le', '{"name": "é"}'],
  ['utf-16be', '{"name": "é"}'],
  ['utf-16le', '{"name": "e"}'],
])('reads a body in %s: %s', async (charset, text) => {
  const bytes = new Uint8Array(Buffer.from(text, 'utf16le'));
  if (charset === 'utf-16be') Buffer.from(bytes.buffer).swap16();
  expect(await readBody(inCharset(bytes, charset), 1_000)).toMatchObject({ text, isCut: false });
});

test.each([
  ['UTF-8 under another charset', 'ISO-8859-1', 'Grüße', 'ISO-8859-1'],
  ['UTF-8 with a replacement character under another charset', 'utf-16', '\ufffd', 'utf-16'],
  ['a charset that the platform does not know', 'x-own', 'Grüße', 'x-own'],
  ['ASCII, which is the same in all charsets', 'x-own', 'hello', undefined],
  ['UTF-8', 'UTF-8', 'Grüße', undefined],
])('reads %s as UTF-8, and reports a charset that makes a difference', async (_, charset, name, ignoredCharset) => {
  const text = JSON.stringify({ name });
  const bytes = new TextEncoder().encode(text);
  expect(await readBody(inCharset(bytes, charset), 1_000)).toStrictEqual({
    text,
    size: bytes.length,
    isCut: false,
    ...(ignoredCharset !== undefined && { ignoredCharset }),
  });
});
