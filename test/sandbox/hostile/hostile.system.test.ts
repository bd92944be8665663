import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { serialize } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';
import { serve } from '../../../src/shared/server/serve.ts';
import fc, { samples } from '../../fast-check.ts';
import { firstBody, urlOf } from '../../support/spec-requests.ts';
import { send } from '../raw.ts';
import { start } from '../support.ts';
import { attacks, type Valid, withOwnFields } from './requests.ts';

const valid: Valid[] = specNames.flatMap((name) =>
  listOperations(loadSpec(name)).map((operation) => ({
    method: operation.method.toUpperCase(),
    target: urlOf(operation),
    ...firstBody(operation),
  })),
);

/** Hashes the whole state in a tenth of the time that JSON takes. */
function hashOf(state: unknown): string {
  return createHash('sha1').update(serialize(state)).digest('base64');
}

/** Sends bytes and returns the status of each response. */
function exchange(port: number, bytes: Buffer, complete: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1').setTimeout(20_000, () => socket.destroy(new Error('No response')));
    socket.setEncoding('latin1').on('data', (chunk) => (received += chunk));
    // A refused connection may be reset before all bytes are sent.
    socket.on('error', (error) => (error.message === 'No response' ? reject(error) : undefined));
    socket.on('close', () =>
      resolve([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))),
    );
    if (complete > 0) socket.write(bytes);
    else socket.write(bytes, () => socket.destroy());
  });
}

// Generous, so that a slow machine does not fail the test.
const timeout = 120_000 * samples(1);

test('hostile requests get no 5xx, rejected ones change nothing, and the process survives', {
  timeout,
}, async () => {
  const { sandbox } = start();
  const server = await serve(sandbox, { port: 0 });
  onTestFinished(() => server.close());
  const port = Number(new URL(server.url).port);
  const kinds = new Map<string, number>();
  let before = hashOf(sandbox.state);
  await fc.assert(
    fc.asyncProperty(attacks(valid), async ({ kind, bytes, complete }) => {
      const statuses = await exchange(port, bytes, complete);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      expect(statuses.filter((status) => status >= 500)).toEqual([]);
      // Node rejects invalid HTTP, such as a space in a path, and closes the connection.
      if (complete > 0 && !statuses.includes(400)) expect(statuses).toHaveLength(complete);
      const after = hashOf(sandbox.state);
      if (statuses.every((status) => status >= 400)) expect(after).toBe(before);
      before = after;
    }),
    { numRuns: samples(100), endOnFailure: true },
  );
  expect(kinds.size).toBe(7);
  expect((await fetch(`${server.url}/crm/v1/users`, { headers: { authorization: 'Bearer any' } })).status).toBe(200);
  expect(() => sandbox.restore(sandbox.snapshot())).not.toThrow();
});

test.each([101, 5_000])('no operation stores a body nested %i levels deep', async (levels) => {
  const { sandbox } = start();
  const before = hashOf(sandbox.state);
  const nested = '['.repeat(levels) + ']'.repeat(levels);
  const withBody = valid.filter(({ json }) => json !== undefined);
  expect(withBody.length).toBeGreaterThan(40);
  for (const { method, target, json } of withBody) {
    const body = JSON.stringify(withOwnFields(json, '@nested@')).replaceAll('"@nested@"', nested);
    const response = await send(sandbox, `${method} ${target}`, { body });
    expect([target, response.status]).toEqual([target, 400]);
    expect(hashOf(sandbox.state)).toBe(before);
  }
  expect(() => sandbox.snapshot()).not.toThrow();
});
