import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readBody, toPlainRequest } from '../../../src/shared/server/read-request.ts';

const mebibyte = 1024 * 1024;

function requestWith(parts: readonly Buffer[]): IncomingMessage {
  const message = new IncomingMessage(new Socket());
  message.headers['transfer-encoding'] = 'chunked';
  for (const part of parts) message.push(part);
  message.push(null);
  return message;
}

const read = async (message: IncomingMessage) =>
  toPlainRequest(message, await readBody(message, 8 * mebibyte), () => new AbortController().signal);

// Node 20 cannot free memory before the garbage is collected.
test.skipIf(!('transfer' in ArrayBuffer.prototype))(
  'the bytes of a body are freed as soon as its text is known',
  async () => {
    const parts = ['a', 'b'].map((letter) => Buffer.from(letter.repeat(mebibyte)));
    const request = await read(requestWith(parts));
    expect(parts.map(({ length }) => length)).toEqual([0, 0]);
    const text = 'a'.repeat(mebibyte) + 'b'.repeat(mebibyte);
    expect(request.bodyLength).toBe(2 * mebibyte);
    expect([request.text, request.text]).toEqual([text, text]);
  },
);

test.each([
  ['no part', []],
  ['an empty part', [Buffer.alloc(0)]],
  ['small parts, which share their memory with others', [Buffer.from('one '), Buffer.from('two')]],
])('a body of %s is read, more than once', async (_, parts) => {
  const other = Buffer.from('of another request');
  const expected = Buffer.concat(parts).toString();
  for (const _round of [1, 2]) expect((await read(requestWith(parts))).text).toBe(expected);
  expect(other.toString()).toBe('of another request');
});
