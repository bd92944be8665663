/**
 * Global setup of the **system** project. What is slow to start (the build, the packed package, the docs, a browser)
 * starts when the first test asks for it, once for all test files, whichever process they run in.
 */
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { type Context, makeFolder, makers, type Resources } from './resources.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `once()` asks. */
    onceUrl: string;
  }
}

type Name = keyof Resources;
const names = Object.keys(makers);

function isName(name: string): name is Name {
  return names.includes(name);
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const ends: (() => unknown)[] = [];
  const made = new Map<Name, Promise<unknown>>();
  const make = (name: Name): Promise<unknown> => {
    const making = made.get(name) ?? makers[name](context);
    made.set(name, making);
    return making;
  };
  const context: Context = {
    once: (name) => make(name) as ReturnType<(typeof makers)[typeof name]>,
    onEnd: (end) => ends.push(end),
    async folder() {
      const folder = await makeFolder();
      ends.push(() => rm(folder, { recursive: true, force: true }));
      return folder;
    },
  };

  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? '';
    if (!isName(name)) return void response.writeHead(404).end();
    make(name).then(
      (value) => response.end(JSON.stringify(value)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  // A build takes longer than an idle connection may last.
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  project.provide('onceUrl', `http://127.0.0.1:${address.port}`);
  // In watch mode, what was built of the old sources is built again.
  project.onTestsRerun(() => {
    for (const name of ['dist', 'tarballs', 'installed', 'start', 'stopped', 'site'] as const) made.delete(name);
  });
  return async () => {
    server.close();
    server.closeAllConnections();
    await Promise.allSettled(made.values());
    await Promise.allSettled(ends.map((end) => end()));
  };
}
