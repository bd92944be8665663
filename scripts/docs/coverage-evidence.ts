import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { createClient } from '../../src/client/client.ts';
import { endpoints as sandboxOperations } from '../../src/sandbox/endpoints.ts';
import { repositoryRoot } from '../spec/files.ts';
import type { SpecOperation } from '../spec/model.ts';
import { sdkOf } from '../spec/parameters.ts';
import { firstSamples } from './samples.ts';

/** The parts of the project that implement or test an operation. */
export interface Evidence {
  /** Path of its method in the client, if the method exists. */
  method: string | undefined;
  /** Whether the sandbox implements it. */
  sandbox: boolean;
  /** Labels of its code samples. */
  samples: string[];
  /** Test files that call its method by its full name. Tests generated for all operations do not count. */
  tests: string[];
}

/** Reads the test files once and returns the lookup. */
export function evidenceFinder(
  tests: ReadonlyMap<string, string> = readTests(),
): (operation: SpecOperation) => Evidence {
  const clients = createClient({ baseUrl: 'https://api.example.com', auth: null });
  const handled = new Set(
    sandboxOperations.filter(({ handle }) => typeof handle === 'function').map(({ route }) => route.id),
  );
  return (operation) => {
    const name = `${operation.spec.name}.${sdkOf(operation).method}`;
    return {
      method: isFunctionAt(clients, name.split('.')) ? name : undefined,
      sandbox: handled.has(operation.operationId),
      samples: firstSamples(operation).map(({ label }) => label),
      tests: [...tests].flatMap(([file, text]) => (text.includes(`.${name}(`) ? file : [])),
    };
  };
}

function isFunctionAt(root: unknown, path: string[]): boolean {
  let node = root;
  for (const part of path) node = typeof node === 'object' && node !== null ? Reflect.get(node, part) : undefined;
  return typeof node === 'function';
}

/** The content of each test file, by path from the root. */
function readTests(): Map<string, string> {
  const folder = join(repositoryRoot, 'test');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'));
  return new Map(
    files.sort().map((name) => {
      const file = join(folder, name);
      return [relative(repositoryRoot, file).split(sep).join('/'), readFileSync(file, 'utf8')];
    }),
  );
}
