import { products } from '../../spec/files.ts';
import { guidePath, operationPath, pagePaths, redocPath } from '../addresses.ts';
import type { ProductReference } from '../facts/product-reference.ts';
import { menu, shortLabels } from '../guides/menu.ts';
import type { Guide } from '../guides/read-guides.ts';

/** A menu entry in Starlight's format. */
type SidebarEntry =
  | { label: string; link: string; badge?: { text: string; variant: BadgeVariant } }
  | { label: string; collapsed?: boolean; items: SidebarEntry[] };

type BadgeVariant = 'note' | 'success' | 'caution' | 'danger' | 'default';

/** A part of the site with its own menu, so that a page does not carry the menu of the whole site. */
export interface Topic {
  id: string;
  label: string;
  link: string;
  items: SidebarEntry[];
}

const badges: Readonly<Record<string, BadgeVariant>> = {
  GET: 'note',
  POST: 'success',
  PUT: 'caution',
  DELETE: 'danger',
};

/** The topics: guides, the operations of each product by resource, pages about the whole API, and the project. */
export function writeTopics(references: readonly ProductReference[], guides: readonly Guide[]): Topic[] {
  const groups = menu.map(({ label, guides: names }) => ({
    label,
    items: names.flatMap((name) => guides.filter((guide) => guide.name === name)).map(guideEntry),
  }));
  const ofReference = groups.find(({ label }) => label === 'Reference')?.items ?? [];
  return [
    {
      id: 'guides',
      label: 'Guides',
      link: guidePath('what-it-is'),
      items: groups.filter(({ label }) => label !== 'Reference'),
    },
    ...references.map(productTopic),
    {
      id: 'reference',
      label: 'Reference',
      link: pagePaths.methods,
      items: [
        { label: 'All methods', link: pagePaths.methods },
        { label: 'Error codes', link: pagePaths.errors },
        { label: 'Rules and choices', link: pagePaths.rules },
        { label: 'Not documented', link: pagePaths.gaps },
        { label: 'What you cannot do', link: pagePaths.unsupported },
        ...ofReference,
        { label: 'Downloads', link: pagePaths.downloads },
        {
          label: 'Redoc',
          items: references.map(({ spec }) => ({ label: products[spec.name].menu, link: redocPath(spec.name) })),
        },
      ],
    },
    {
      id: 'project',
      label: 'Project',
      link: pagePaths.documents,
      items: [
        { label: 'The documents', link: pagePaths.documents },
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

/** The operations of a product by their tags, with their HTTP methods. */
function productTopic({ spec, operations }: ProductReference): Topic {
  const tags = spec.openapi['x-tagGroups'].flatMap((group) => group.tags);
  const items = tags.map((tag) => ({
    label: tag,
    items: operations
      .filter(({ operation }) => operation.tags.includes(tag))
      .map((operation) => ({
        label: operation.operation.summary,
        link: operationPath(operation),
        badge: { text: operation.method, variant: badges[operation.method] ?? ('default' as const) },
      })),
  }));
  return { id: spec.name, label: products[spec.name].menu, link: items[0]?.items[0]?.link ?? pagePaths.methods, items };
}
