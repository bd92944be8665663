import { join } from 'node:path';

/** A small spec without a fault. */
export const validFile = join(import.meta.dirname, 'valid-spec.yaml');
