import { join } from 'node:path';

/** A small valid spec. */
export const validFile = join(import.meta.dirname, 'valid-spec.yaml');
