import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, type SpecName } from '../spec/files.ts';

/** A line of a document and its places in the specs. */
export interface CoverageRow {
  /** `1 §4` */
  section: string;
  name: string;
  /** JSON pointers into the spec (`#/info/title`), `rule:` with an id, `file:` with a spec and a pointer. */
  places: string[];
}

/** The committed table of a spec, with every line of its document. */
export function readCoverageTable(name: SpecName): CoverageRow[] {
  return parseCoverageTable(readFileSync(join(repositoryRoot, 'spec', 'coverage', `${name}.md`), 'utf8'));
}

/** The rows of a table `| Document | Row | Place |`. Places are in backticks, separated by `<br>`. */
export function parseCoverageTable(text: string): CoverageRow[] {
  return text.split('\n').flatMap((line) => {
    const [, section = '', name = '', places = ''] = line.split('|').map((cell) => cell.trim());
    if (!/^\d+ §\d+$/.test(section)) return [];
    return [{ section, name, places: [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place) }];
  });
}

/** `1 §2, §4` → `1 §2`, `1 §4`. */
export function parseSource(source: string | undefined): string[] {
  let document = '';
  return [...(source ?? '').matchAll(/(?:(\d+) )?§(\d+)/g)].map(([, number, section]) => {
    document = number ?? document;
    return `${document} §${section}`;
  });
}

/** Compares by document, then by section number. */
export function compareSections(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
