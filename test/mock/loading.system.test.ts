import { once } from 'node:events';
import { request } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runMock } from '../../src/mock/command/command.ts';
import { serve } from '../../src/shared/server/serve.ts';
import { freePort } from '../support/ports.ts';

it('a request that waits for a mock that cannot load gets status 500, and the command ends with the reason', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const port = await freePort();
  let fail = (_reason: Error): void => {};
  let ended = Promise.resolve(0);
  await new Promise<void>((listening) => {
    ended = runMock('carillon-mock', ['--port', String(port)], () => {
      listening();
      return new Promise((_, reject) => (fail = reject));
    });
  });
  const headers = { authorization: 'Bearer any', connection: 'close', expect: '100-continue' };
  const waiting = request({ port, path: '/crm/v1/users', headers }).end();
  // The server has the request.
  await once(waiting, 'continue');
  fail(new Error('operations.json is damaged'));
  const [response] = await once(waiting, 'response');
  expect(response.statusCode).toBe(500);
  response.resume();
  expect(await ended).toBe(1);
  expect(errors.mock.calls.flat().join('\n')).toContain(
    'carillon-mock: The mock could not start: operations.json is damaged',
  );
});

it('reports a busy port in one sentence that names the option', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const other = await serve({ fetch: async () => new Response() }, { port: 0 });
  onTestFinished(() => other.close());
  const { port } = new URL(other.url);
  expect(await runMock('carillon-mock', ['--port', port], async () => [])).toBe(1);
  const sentence = new RegExp(`^carillon-mock: Port ${port} on 127\\.0\\.0\\.1 is in use[^\\n]*--port[^\\n]*$`);
  expect(errors.mock.calls).toEqual([[expect.stringMatching(sentence)]]);
});
