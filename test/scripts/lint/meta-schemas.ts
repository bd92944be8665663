import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
type Node = { [key: string]: unknown };

/** Spectral's copy of the meta-schema of OpenAPI 3.1. */
const folder = join(dirname(require.resolve('@stoplight/spectral-rulesets/package.json')), 'dist', 'oas', 'schemas');
const openapi: { $defs: Record<string, Node> } & Node = require(join(folder, 'oas', 'v3.1', 'index.json'));

/** The vocabularies of JSON Schema 2020-12. */
const vocabularies = ['core', 'applicator', 'validation', 'unevaluated', 'format-annotation', 'content', 'meta-data'];

/** Objects of OpenAPI → their keywords, by the names of `spec/rules/keywords.yaml`. */
export function openapiKeywords(): Record<string, string[]> {
  const named = Object.entries(openapi.$defs).filter(([name]) => isObjectKind(name));
  const kinds = [['root', openapi] as const, ...named.map(([name, schema]) => [camelCase(name), schema] as const)];
  return Object.fromEntries(kinds.map(([name, schema]) => [name, [...keywordsOf(schema)].sort()]));
}

/** All keywords of a schema in OpenAPI 3.1. */
export function schemaKeywords(): string[] {
  const base: Node = require(join(folder, 'oas', 'v3.1', 'meta.schema.json'));
  const parts = vocabularies.map((name): Node => require(`ajv/dist/refs/json-schema-2020-12/meta/${name}.json`));
  const all = [...parts, base].flatMap(({ $defs: _, ...part }) => [...keywordsOf(part)]);
  return [...new Set(all)].sort();
}

/** Definitions that describe an object, and not a reference to one, a map, or a part of others. */
function isObjectKind(name: string): boolean {
  const parts = [
    'schema',
    'paths',
    'content',
    'callbacks',
    'examples',
    'responses',
    'reference',
    'security-requirement',
  ];
  return !/-or-reference$|^specification-|^map-|^styles-/.test(name) && !parts.includes(name);
}

/** The properties that a meta-schema names, on any of its branches. */
function keywordsOf(node: unknown, seen = new Set<unknown>()): Set<string> {
  if (typeof node !== 'object' || node === null || seen.has(node)) return new Set();
  seen.add(node);
  if (Array.isArray(node)) return new Set(node.flatMap((item) => [...keywordsOf(item, seen)]));
  const { properties = {}, $ref, $defs = {}, ...rest } = node as Node;
  const target = typeof $ref === 'string' && $ref.startsWith('#/$defs/') ? openapi.$defs[$ref.slice(8)] : undefined;
  const used = ['allOf', 'oneOf', 'anyOf', 'then', 'else', 'dependentSchemas'].map((keyword) => rest[keyword]);
  const dependent = Object.values(Object(rest.dependentSchemas));
  const own = Object.values(Object($defs)).filter(() => node !== openapi);
  return new Set([
    ...Object.keys(Object(properties)),
    ...[...used, ...dependent, ...own, target].flatMap((part) => [...keywordsOf(part, seen)]),
  ]);
}

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
