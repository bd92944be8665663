import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { parseSource } from '../../../scripts/lint/source.ts';
import { fixStyle } from '../../../scripts/lint/style.ts';
import { validFile } from '../../support/valid-spec.ts';

/**
 * Path → new value. A path is a list of keys separated by spaces, because paths and media types contain slashes and dots.
 * `undefined` deletes the value.
 */
export type Changes = Record<string, unknown>;

/** Rule → its faults: a description, and the changes that cause it. */
export type Cases = Record<string, Record<string, Changes>>;

// Paths in the valid spec that many cases change.
export const note = 'components schemas Note properties';
export const list = 'paths /notes get';
export const create = 'paths /notes post';
export const search = 'paths /notes/search post';
export const remove = 'paths /notes/{noteId} delete';
export const createTag = 'paths /tags post';

/** Parsed once: each case changes a copy. */
const validDocument = parseDocument(readFileSync(validFile, 'utf8'));

/** The keys of a place in {@link Changes}. */
export function pathOf(place: string): (string | number)[] {
  return place.split(' ').map((key) => (/^\d$/.test(key) ? Number(key) : key));
}

/** The valid spec with the given changes, with its keys in order. */
export function broken(changes: Changes): string {
  const document = validDocument.clone();
  for (const [place, value] of Object.entries(changes)) {
    const path = pathOf(place);
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
  }
  const text = document.toString();
  // Fixing needs a YAML map with distinct keys. Other files are linted unchanged.
  return parseSource('', text).findings.length > 0 ? text : fixStyle(text);
}
