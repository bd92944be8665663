import { readGuides } from '../../../../scripts/docs/guides.ts';
import { collectEntries } from '../../../../scripts/docs/search/collect.ts';
import { type Ask, createSearch } from '../../../../scripts/docs/search/engine.ts';
import type { Entry } from '../../../../scripts/docs/search/entry.ts';
import { readReference } from '../../../../scripts/docs/site.ts';
import { specNames } from '../../../../scripts/spec/files.ts';
import { loadSpec } from '../../../../scripts/spec/model.ts';

let entries: Entry[] | undefined;
let ask: Ask | undefined;

/** What the search of the docs can find, without the names of the package, which TypeDoc collects. */
export function siteEntries(): Entry[] {
  const references = specNames.map((name) => readReference(loadSpec(name)));
  entries ??= collectEntries({ references, guides: readGuides(), pages: [], names: [] });
  return entries;
}

/** The search of the docs. Built once. */
export function siteSearch(): Ask {
  ask ??= createSearch(siteEntries());
  return ask;
}
