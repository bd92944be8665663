import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';

/** Returns a function that counts the test files that call a method by its full name, such as `crm.deals.create`. */
export function testCounter(tests: readonly string[] = readTests()): (method: string) => number {
  return (method) => tests.filter((text) => text.includes(`.${method}(`)).length;
}

function readTests(): string[] {
  const folder = join(repositoryRoot, 'test');
  return globSync('**/*.test.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'));
}
