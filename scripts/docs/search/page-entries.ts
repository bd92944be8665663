import { choices } from '../../../src/sandbox/choices.ts';
import { readGaps } from '../../spec/gaps.ts';
import { listRules } from '../../spec/rules.ts';
import { markLabels } from '../extensions.ts';
import { textOfHtml } from '../html-text.ts';
import { openPage } from '../open-page.ts';
import type { Reference } from '../reference.ts';
import { rulesPage } from '../rules-page.ts';
import type { Entry } from './entry.ts';

/** An entry for a page that this project renders, and for each of its sections that has an anchor. */
export function pageEntries(file: string, page: string): Entry[] {
  const title = textOfHtml(/<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1] ?? '');
  const lead = textOfHtml(/<p class="lead">(.*?)<\/p>/s.exec(page)?.[1] ?? '');
  // The error codes have entries of their own.
  const sections = [...page.matchAll(/<h2 id="(?!\d)([\w-]+)">(.*?)<\/h2>\s*(?:<p>(.*?)<\/p>)?/gs)];
  return [
    { kind: 'page', title, place: 'Page', names: [], text: lead, href: file },
    ...sections.map(
      ([, id = '', heading = '', text = '']): Entry => ({
        kind: 'page',
        title: textOfHtml(heading),
        place: `Page · ${title}`,
        names: [],
        text: textOfHtml(text),
        href: `${file}#${id}`,
      }),
    ),
  ];
}

/** An entry for the reference of a spec, its rules, and what its document does not document. */
export function specEntries({ spec, page, openGroups }: Reference): Entry[] {
  const { title, description = '' } = spec.document.info;
  return [
    {
      kind: 'page',
      title: `${title} reference`,
      place: 'Reference',
      names: [],
      text: description.trim(),
      href: page.file,
    },
    ...listRules(spec).map(
      ({ id, text, operation }): Entry => ({
        kind: 'rule',
        title: operation?.operation.summary ?? `Every request of ${title}`,
        place: `Rule · ${id}`,
        names: [id],
        text: text.trim(),
        href: `${rulesPage.file}#${id}`,
      }),
    ),
    ...openGroups.flatMap(({ id, title: subject, points }) =>
      points.map(
        ({ mark, place, text }): Entry => ({
          kind: 'open',
          title: `${markLabels[mark]}: ${subject}`,
          place: [title, place].filter(Boolean).join(' · '),
          names: [],
          text,
          href: `${openPage.file}#${id}`,
        }),
      ),
    ),
  ];
}

/** An entry for each choice of the sandbox. */
export function choiceEntries(): Entry[] {
  return Object.entries(choices).map(([id, text]) => ({
    kind: 'choice',
    title: id,
    place: 'Choice of the sandbox',
    names: [id],
    text,
    href: `${rulesPage.file}#${id}`,
  }));
}

/** An entry for each of the gaps that matter most. */
export function gapEntries(): Entry[] {
  return readGaps().map(({ id, title, assumes, advice }) => ({
    kind: 'page',
    title,
    place: openPage.label,
    names: [],
    text: `${assumes} ${advice}`,
    href: `${openPage.file}#${id}`,
  }));
}
