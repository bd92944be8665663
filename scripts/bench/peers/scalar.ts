/** Serves a spec with @scalar/mock-server, as its documentation shows. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { createMockServer } from '@scalar/mock-server';

const { values, positionals } = parseArgs({ options: { port: { type: 'string' } }, allowPositionals: true });
const app = await createMockServer({ document: await readFile(positionals[0] ?? '', 'utf8') });
serve({ fetch: app.fetch, port: Number(values.port), hostname: '127.0.0.1' });
