import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { leaveOutUnreachable } from '../../scripts/build/openapi-fetch.ts';

const file = createRequire(import.meta.url)
  .resolve('openapi-fetch')
  .replace(/\.cjs$/, '.mjs');
const code = readFileSync(file, 'utf8');

test('the build leaves out what the client cannot reach of openapi-fetch', () => {
  expect(code).toContain('finalMiddlewares');
  expect(leaveOutUnreachable(code)).not.toMatch(/finalMiddlewares|await response|allowReserved ===|requestInitExt/);
});

test.each([
  ['is missing', code.replace('finalMiddlewares = [', 'middlewares = [')],
  ['is there twice', `${code}    const finalMiddlewares = [];`],
  ['has another end', code.replace('return { error, response };', 'return { failure, response };')],
])('the build stops at a version of openapi-fetch in which a part %s', (_, other) => {
  expect(() => leaveOutUnreachable(other)).toThrow('The build does not know this version of openapi-fetch');
});
