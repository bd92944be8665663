import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { corsHeaders, policyHeader } from './cors.ts';
import type { PlainReply } from './handler.ts';

export async function writePlainReply({ status, headers, text }: PlainReply, response: ServerResponse): Promise<void> {
  // Handle all requests that have arrived before writing. Their replies then leave together and wake the client once.
  await nextTurn();
  // With a known length, a reply is a single write instead of several chunks.
  const length = text === null ? {} : { 'content-length': Buffer.byteLength(text) };
  response.writeHead(status, { ...headers, ...corsHeaders(policyHeader in headers), ...length }).end(text);
}

export async function writeWebResponse(reply: Response, response: ServerResponse): Promise<void> {
  response.statusCode = reply.status;
  if (reply.statusText) response.statusMessage = reply.statusText;
  for (const [name, value] of reply.headers) response.appendHeader(name, value);
  for (const [name, value] of Object.entries(corsHeaders(reply.headers.has(policyHeader))))
    response.setHeader(name, value);
  if (reply.body) await pipeline(Readable.fromWeb(reply.body as ReadableStream), response);
  else response.end();
}
