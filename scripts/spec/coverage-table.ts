import { join } from 'node:path';
import { repositoryRoot, type SpecName } from './files.ts';

/** A line of a document and its places in the specs. */
export interface CoverageRow {
  /** Line number in the table's file. */
  line: number;
  /** Document and section, such as `1 §4`. */
  section: string;
  name: string;
  /** JSON pointers into the spec (`#/info/title`), `rule:` with an id, `file:` with a spec and a pointer. */
  places: string[];
}

export function coveragePath(name: SpecName): string {
  return join(repositoryRoot, 'spec', 'coverage', `${name}.md`);
}

/** The rows of a table `| Document | Row | Place |`. Places are in backticks, separated by `<br>`. */
export function parseCoverageTable(text: string): CoverageRow[] {
  return text.split('\n').flatMap((row, index) => {
    if (!row.startsWith('|') || row.startsWith('|---') || row.startsWith('| Document |')) return [];
    const [, section = '', name = '', places = ''] = row.split('|').map((cell) => cell.trim());
    return [
      { line: index + 1, section, name, places: places.split('<br>').map((place) => place.replace(/^`(.*)`$/, '$1')) },
    ];
  });
}
