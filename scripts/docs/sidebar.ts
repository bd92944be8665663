import type { SpecName } from '../spec/files.ts';
import { guidePath, operationPath, packagePath, pagePaths } from './addresses.ts';
import type { Guide } from './guides.ts';
import { menu, shortLabels } from './menu.ts';
import { packageEntries } from './package-entries.ts';
import { redocPath } from './redoc-link.ts';
import type { Reference } from './reference.ts';

/** A menu entry in Starlight's format. */
export type SidebarEntry =
  | { label: string; link: string }
  | { label: string; collapsed?: boolean; items: SidebarEntry[] };

/** Menu labels of the parts of the API. */
const partLabels: Readonly<Record<SpecName, string>> = {
  crm: 'CRM',
  messaging: 'Messaging and web push',
  email: 'Email',
};

/** The menu: guides, operations by resource, then pages about the API and the project. */
export function writeSidebar(references: readonly Reference[], guides: readonly Guide[]): SidebarEntry[] {
  const groups = menu.map(
    ({ label, guides: names }): SidebarEntry => ({
      label,
      items: names.flatMap((name) => guides.filter((guide) => guide.name === name)).map(guideEntry),
    }),
  );
  const guidesOf = (label: string): SidebarEntry[] =>
    groups.flatMap((group) => (group.label === label && 'items' in group ? group.items : []));
  return [
    ...groups.filter(({ label }) => label !== 'Reference'),
    {
      label: 'Reference',
      items: [
        { label: 'All methods', link: pagePaths.methods },
        ...references.map(productEntry),
        { label: 'Error codes', link: pagePaths.errors },
        { label: 'Rules and choices', link: pagePaths.rules },
        { label: 'Not documented', link: pagePaths.open },
        { label: 'What traffic shows', link: pagePaths.observed },
        { label: 'What you cannot do', link: pagePaths.absences },
        {
          label: 'Packages',
          collapsed: true,
          items: [
            { label: 'Overview', link: pagePaths.packages },
            ...packageEntries().map(({ name }) => ({ label: name, link: packagePath(name) })),
          ],
        },
        ...guidesOf('Reference'),
        { label: 'Downloads', link: pagePaths.downloads },
        {
          label: 'Redoc',
          collapsed: true,
          items: references.map(({ spec }) => ({ label: partLabels[spec.name], link: redocPath(spec.name) })),
        },
      ],
    },
    {
      label: 'Project',
      collapsed: true,
      items: [
        { label: 'The documents', link: pagePaths.documents },
        { label: 'Coverage', link: pagePaths.coverage },
        { label: 'Benchmarks', link: pagePaths.benchmarks },
        { label: 'Decisions', link: '/project/decisions/' },
        { label: 'Changelog', link: pagePaths.changelog },
      ],
    },
  ];
}

function guideEntry({ name, title }: Guide): SidebarEntry {
  return { label: shortLabels[name] ?? title, link: guidePath(name) };
}

/** The operations of a product by their tags. */
function productEntry({ spec, operations }: Reference): SidebarEntry {
  const tags = spec.document['x-tagGroups'].flatMap((group) => group.tags);
  return {
    label: partLabels[spec.name],
    collapsed: true,
    items: tags.map((tag) => ({
      label: tag,
      collapsed: true,
      items: operations
        .filter(({ operation }) => operation.tags.includes(tag))
        .map((operation) => ({ label: operation.operation.summary, link: operationPath(operation) })),
    })),
  };
}
