/**
 * A server that does as little as it can, in its own process, so that what is measured is the client's work. Started
 * by `start.ts`.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { addresses, contactsReply, createContactPages, dealReply, replyBytes } from './replies.ts';
import type { ReplyServerOptions } from './start.ts';

const { contacts, delay }: ReplyServerOptions = JSON.parse(process.argv[2] ?? '');
const replies = new Map([
  [addresses.deal, Buffer.from(dealReply(replyBytes.deal))],
  [addresses.contacts, Buffer.from(contactsReply(replyBytes.contacts))],
]);
const page = createContactPages(contacts);

const server = createServer(async (request, response) => {
  let body = replies.get(request.url ?? '');
  if (request.url === addresses.list) {
    const { limit, offset = 0 }: { limit: number; offset?: number } = JSON.parse(await text(request));
    body = Buffer.from(page(limit, offset));
  }
  if (delay > 0) await sleep(delay);
  const headers = { 'content-type': 'application/json', 'content-length': body?.length ?? 0 };
  response.writeHead(body ? 200 : 404, headers).end(body);
});
// A client that was idle while others were measured finds its connections as it left them.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
