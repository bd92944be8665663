import type { Guide } from '../guides.ts';
import type { Reference } from '../reference.ts';
import type { Entry } from './entry.ts';
import { fieldEntries } from './field-entries.ts';
import { guideEntries } from './guide-entries.ts';
import { operationEntries } from './operation-entries.ts';
import { choiceEntries, gapEntries, pageEntries, specEntries } from './page-entries.ts';

export interface Searchable {
  references: readonly Reference[];
  guides: readonly Guide[];
  /** Rendered pages that are neither references nor guides, by file. */
  pages: readonly (readonly [file: string, page: string])[];
  /** Public names of the package. */
  names: readonly Entry[];
}

/** Everything that the search of the site can find. */
export function collectEntries({ references, guides, pages, names }: Searchable): Entry[] {
  return [
    ...references.flatMap((reference) => [
      ...operationEntries(reference),
      ...specEntries(reference),
      ...fieldEntries(reference),
    ]),
    ...guides.flatMap(guideEntries),
    ...pages.flatMap(([file, page]) => pageEntries(file, page)),
    ...gapEntries(),
    ...names,
    ...choiceEntries(),
  ];
}
