/** An object of a spec, with its kind (`operation`, `schema`) and its place. */
interface Entry {
  kind: string;
  node: Record<string, unknown>;
  path: (string | number)[];
}

/** The walk of the rules of lint. They are JavaScript, because Spectral bundles them. */
const rules: { walk(openapi: unknown): Entry[] } = await import(
  new URL('../../spec/rules/shared/walk.js', import.meta.url).href
);

/** Every object of a spec, parents before their children. Does not follow `$ref`. */
export const { walk } = rules;
