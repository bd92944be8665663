/** A minimal server in its own process, so that the measured time is the client's. `with-response-server.ts` starts it. */
import { createServer } from 'node:http';
import { addresses, contactsResponse, dealResponse, responseBytes } from './responses.ts';

const responses = new Map([
  [addresses.deal, Buffer.from(dealResponse(responseBytes.deal))],
  [addresses.contacts, Buffer.from(contactsResponse(responseBytes.contacts))],
]);

const server = createServer((request, response) => {
  const body = responses.get(request.url ?? '');
  const headers = { 'content-type': 'application/json', 'content-length': body?.length ?? 0 };
  response.writeHead(body ? 200 : 404, headers).end(body);
});
// Keeps the connections of a client open while others are measured.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
