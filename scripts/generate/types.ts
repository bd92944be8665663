import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import type { Spec } from '../spec/model.ts';
import { header } from './header.ts';

/**
 * `types.ts`: the wire types, by openapi-typescript. Its input differs from the spec in two ways:
 * open records lose `additionalProperties`, since the index signature would let every misspelt property compile
 * (fields of an account's own are added by module augmentation instead); and `x-enumDescriptions` is left out,
 * since openapi-typescript reads it in another form than the documentation tools do.
 */
export async function generateTypes(spec: Spec): Promise<string> {
  const input: OpenAPI3 = JSON.parse(JSON.stringify(spec.document, withoutIndexSignature));
  const nodes = await openapiTS(input, { defaultNonNullable: false, silent: true });
  return `${header(`spec/${spec.name}.yaml`)}\n${astToString(nodes)}`;
}

function withoutIndexSignature(key: string, value: unknown): unknown {
  if (key === 'x-enumDescriptions') return undefined;
  if (typeof value !== 'object' || value === null || !('properties' in value)) return value;
  if (!('additionalProperties' in value) || value.additionalProperties !== true) return value;
  const { additionalProperties, ...closed } = value;
  return closed;
}
