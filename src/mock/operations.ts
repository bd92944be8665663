import { readFileSync } from 'node:fs';
import type { PrismOperation } from './operation.ts';

/**
 * Reads the operations that the last build converted for Prism. In the package, `dist/operations.cjs` takes the place of this
 * module.
 */
export function readOperations(): PrismOperation[] {
  return JSON.parse(readFileSync(new URL('dist/operations.json', import.meta.url), 'utf8'));
}
