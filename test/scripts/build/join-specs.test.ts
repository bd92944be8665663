import { describe, expect, it } from 'vitest';
import { joinSpecs } from '../../../scripts/build/join-specs.ts';
import { pascalCase } from '../../../scripts/generate/typescript/names.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, lookUp, type Spec } from '../../../scripts/spec/model.ts';

const specs = specNames.map((name) => loadSpec(name));
const openapi = joinSpecs('1.2.3', specs);

/** Every `$ref` in a value. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' && typeof inner === 'string' ? [inner] : referencesIn(inner),
  );
}

/** A value with its references replaced by their targets, up to a depth. */
function resolved(root: object, value: unknown, depth = 6): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return typeof value === 'object' ? '…' : value;
  if (Array.isArray(value)) return value.map((item) => resolved(root, item, depth));
  if ('$ref' in value && typeof value.$ref === 'string') return resolved(root, lookUp(root, value.$ref), depth - 1);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(root, inner, depth)]));
}

describe('one spec of the three', () => {
  it('has every operation at its real path, with the same content', () => {
    const { paths } = openapi as { paths: Record<string, Record<string, unknown>> };
    const all = specs.flatMap(listOperations);
    for (const { spec, base, path, method, operationId } of all) {
      const item = paths[base + path] ?? {};
      const original = spec.openapi.paths[path] ?? {};
      const { servers, ...own } = original[method.toLowerCase()] as unknown as Record<string, unknown>;
      expect(resolved(openapi, item[method.toLowerCase()]), operationId).toEqual(resolved(spec.openapi, own));
      expect(resolved(openapi, item.parameters), operationId).toEqual(resolved(spec.openapi, original.parameters));
    }
    const methods = Object.values(paths).flatMap((item) => Object.keys(item).filter((key) => key !== 'parameters'));
    expect(methods).toHaveLength(all.length);
  });

  it('has a target for each reference, and one server without a path', () => {
    const references = referencesIn(openapi);
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) expect(() => lookUp(openapi, reference)).not.toThrow();
    expect(openapi.servers).toMatchObject([{ url: '{base_url}', variables: { base_url: {} } }]);
  });

  it('names a component of several specs after its spec, and shares the security scheme', () => {
    const { components } = openapi as { components: Record<string, Record<string, unknown>> };
    expect(Object.keys(components.responses ?? {})).toEqual(
      expect.arrayContaining(specNames.map((name) => `${pascalCase(name)}Error`)),
    );
    expect(components.responses).not.toHaveProperty('Error');
    expect(Object.keys(components.securitySchemes ?? {})).toEqual(['bearerAuth']);
  });

  it('has all rules that operations refer to, and all tags', () => {
    const rules = specs.flatMap((spec) => spec.openapi.info['x-rules'] ?? []);
    expect(openapi.info).toMatchObject({ version: '1.2.3', 'x-rules': rules });
    expect(openapi.tags).toHaveLength(specs.flatMap((spec) => spec.openapi.tags).length);
  });
});

it('two specs cannot have the same operation or the same tag', () => {
  const [crm, messaging] = specs as [Spec, Spec];
  expect(() => joinSpecs('1.0.0', [crm, { ...crm, name: 'email' }])).toThrow('Two specs have the tag');
  const twin = structuredClone(messaging);
  twin.openapi.tags = [];
  expect(() => joinSpecs('1.0.0', [messaging, { ...twin, name: 'email' }])).toThrow(/Two specs have (?:GET|POST) \//);
});
