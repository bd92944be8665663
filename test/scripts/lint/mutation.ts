import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { validFile } from '../../support/valid-spec.ts';

/**
 * Path → new value. A path is a list of keys separated by spaces, because paths and media types contain slashes and dots.
 * `undefined` deletes the value.
 */
export type Changes = Record<string, unknown>;

// Paths in the valid spec that many cases change.
export const note = 'components schemas Note properties';
export const list = 'paths /notes get';
export const create = 'paths /notes post';
export const search = 'paths /notes/search post';
export const remove = 'paths /notes/{noteId} delete';
export const createTag = 'paths /tags post';

/** Parsed once: each case changes a copy. */
const validSpec = parseDocument(readFileSync(validFile, 'utf8'));
const validObject: unknown = validSpec.toJS();

/** The keys of a place in {@link Changes}. */
export function pathOf(place: string): (string | number)[] {
  return place.split(' ').map((key) => (/^\d$/.test(key) ? Number(key) : key));
}

/** The valid spec as an object, with the given changes: faster than {@link broken}, and without lines. */
export function brokenDocument(changes: Changes): unknown {
  const root: unknown = structuredClone(validObject);
  for (const [place, value] of Object.entries(changes)) {
    const path = pathOf(place);
    let node: unknown = root;
    for (const key of path.slice(0, -1)) node = Reflect.get(Object(node), key);
    Reflect.set(Object(node), path.at(-1) ?? '', value);
  }
  return root;
}

/** The valid spec with the given changes. */
export function broken(changes: Changes): string {
  const changed = validSpec.clone();
  for (const [place, value] of Object.entries(changes)) {
    const path = pathOf(place);
    if (value === undefined) changed.deleteIn(path);
    else changed.setIn(path, changed.createNode(value));
  }
  return changed.toString();
}
