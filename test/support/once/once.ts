import { inject } from 'vitest';
import type { Resources } from './resources.ts';

/** What all test files share. The first that asks starts it. For tests of the **system** project. */
export async function once<Name extends keyof Resources>(name: Name): Promise<Resources[Name]> {
  const response = await fetch(`${inject('onceUrl')}/${name}`);
  if (!response.ok) throw new Error(`Could not start '${name}': ${await response.text()}`);
  return await response.json();
}
