/**
 * A server that does as little as it can, in its own process, so that what is measured is the client's work. Started
 * by `start.ts`.
 */
import { createServer } from 'node:http';
import { addresses, contactsReply, dealReply, replyBytes } from './replies.ts';

const replies = new Map([
  [addresses.deal, Buffer.from(dealReply(replyBytes.deal))],
  [addresses.contacts, Buffer.from(contactsReply(replyBytes.contacts))],
]);

const server = createServer((request, response) => {
  const body = replies.get(request.url ?? '');
  const headers = { 'content-type': 'application/json', 'content-length': body?.length ?? 0 };
  response.writeHead(body ? 200 : 404, headers).end(body);
});
// A client that was idle while others were measured finds its connections as it left them.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
