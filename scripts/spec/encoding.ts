import type { Schema } from './schema.ts';

/** How the client encodes a field: text or bytes as Base64, a map of files, or a value as JSON. */
export type Encoding = 'base64' | 'base64Map' | 'json';

export function encodingOf(schema: Schema): Encoding | undefined {
  if (schema.contentEncoding === 'base64') return 'base64';
  if (schema.contentMediaType === 'application/json') return 'json';
  const values = schema.additionalProperties;
  if (typeof values === 'object' && values.contentEncoding === 'base64') return 'base64Map';
  return undefined;
}
