import { expect } from 'vitest';
import type { SpecOperation } from '../../scripts/spec/model.ts';

/** The URL of an operation with the examples of its parameters, or with the given values. */
export function urlOf({ base, path, parameters }: SpecOperation, values: Record<string, string> = {}): string {
  const url = new URL(`http://mock${base}${path}`);
  const pathname = path.replaceAll(/\{(\w+)\}/g, (_template, name: string) => {
    const example = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example;
    return encodeURIComponent(values[name] ?? String(example));
  });
  for (const { in: place, name, example } of parameters) {
    if (place !== 'query') continue;
    for (const value of Array.isArray(example) ? example : [example]) url.searchParams.append(name, String(value));
  }
  return base + pathname + url.search;
}

export function firstBody({ body }: SpecOperation): { json?: unknown } {
  const [first] = Object.values(body?.examples ?? {});
  return first ? { json: first.value } : {};
}

/**
 * Expects no key of a response to be a keyword of the spec: our extensions, or a JSON Schema keyword beside a description.
 */
export function expectNoSpec(id: string, text: string): void {
  expect([id, /"(?:x-[\w-]+|\$ref|additionalProperties|minLength|anyOf)":/.exec(text)?.[0]]).toEqual([id, undefined]);
}
