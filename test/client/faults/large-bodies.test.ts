import { expect, test } from 'vitest';
import { respond, serve, serveRaw, status } from '../../support/fault-server.ts';
import { client, settle, settleAtDeadline, signal, underFaults } from './harness.ts';

underFaults();

test('receives and sends a megabyte completely', async () => {
  const message = 'x'.repeat(1024 * 1024);
  const { url, received } = await serve((request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(`{"data":${request.body}}`),
  );
  const { value } = await settle(client(url).crm.deals.comments.create({ dealId: 501, message }));
  expect(typeof value === 'object' && value !== null && Reflect.get(value, 'message') === message).toBe(true);
  expect(received).toHaveLength(1);
});

test('a megabyte of anything else is a typed error with a short message', async () => {
  const page = '<p>'.repeat(350_000);
  const { url } = await serve(status(200, {}, page), status(500, {}, page), respond({ message: page }, 400));
  const api = client(url, { maxRetries: 0 });
  for (const name of ['ResponseError', 'ServerError', 'ApiError']) {
    const { error } = await settle(api.crm.users.list());
    expect(error).toMatchObject({ name, message: expect.stringMatching(/^.{10,500}$/) });
  }
});

test.each([
  ['resets', (socket: { resetAndDestroy(): unknown }) => socket.resetAndDestroy()],
  ['hangs up', (socket: { destroy(): unknown }) => socket.destroy()],
])('a service that %s during an upload of 10 MB: an operation that creates is not repeated', async (_, end) => {
  let connections = 0;
  const { url } = await serveRaw((socket) => {
    connections += 1;
    socket.once('data', () => end(socket));
  });
  const message = 'x'.repeat(10 * 1024 * 1024);
  const { error } = await settle(client(url).crm.deals.comments.create({ dealId: 501, message }));
  expect(error).toMatchObject({ name: 'ConnectionError', sent: 'maybe' });
  expect(connections).toBe(1);
});

test('an upload that is never read ends at its deadline', async () => {
  const reached = signal();
  const { url } = await serveRaw((socket) => {
    socket.pause();
    reached.give();
  });
  const message = 'x'.repeat(10 * 1024 * 1024);
  const { error } = await settleAtDeadline(
    () => client(url, { timeout: 60_000 }).crm.deals.comments.create({ dealId: 501, message }),
    reached.given,
  );
  expect(error).toMatchObject({ name: 'DeadlineError', sent: 'maybe' });
});
