import type { Encoding } from '../../src/shared/operation.ts';
import type { Schema } from './schema.ts';

export type { Encoding };

/** How the client encodes a field. With a text media type, Base64 encodes text; otherwise it encodes bytes. */
export function encodingOf(schema: Schema): Encoding | undefined {
  if (schema.contentEncoding === 'base64') return isText(schema) ? 'base64Text' : 'base64';
  if (schema.contentMediaType === 'application/json') return 'json';
  const values = schema.additionalProperties;
  if (typeof values !== 'object' || values.contentEncoding !== 'base64') return undefined;
  if (isText(values)) throw new Error('A map of strings in Base64 is not supported');
  return 'base64Map';
}

function isText({ contentMediaType }: Schema): boolean {
  return contentMediaType?.startsWith('text/') ?? false;
}
