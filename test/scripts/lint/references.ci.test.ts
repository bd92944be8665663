import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lintSpecs } from '../../../scripts/lint/specs.ts';
import { broken, type Changes, createTag, note } from './mutation.ts';

const folder = mkdtempSync(join(tmpdir(), 'lint-'));
let server: Server;
let connections = 0;

beforeAll(async () => {
  server = createServer((_, response) => response.end('type: string\n'));
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
});

const example = `${createTag} requestBody content application/json examples word`;

test.each<[what: string, change: (address: string) => Changes]>([
  ['a schema', (address) => ({ [`${note} color`]: { $ref: address } })],
  ['a path', (address) => ({ 'paths /copies': { $ref: address } })],
  ['an example', (address) => ({ [example]: { summary: 'A word', externalValue: address } })],
  ['data of an example', (address) => ({ [`${example} value`]: { word: { $ref: address } } })],
  ['a branch', (address) => ({ [`${note} color discriminator`]: { propertyName: 'kind', mapping: { red: address } } })],
])('lint reports the address of %s, and opens no connection', async (_, change) => {
  const { port } = server.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/word.yaml`;
  const file = join(folder, 'remote.yaml');
  writeFileSync(file, broken(change(address)));
  const [finding, ...others] = await lintSpecs({ files: [file] });
  expect(finding).toMatchObject({ file, rule: 'reference-local' });
  expect(finding?.message).toContain(address);
  expect(others).toEqual([]);
  expect(connections).toBe(0);
});
