/** A group of guides in the menu of the docs. */
export interface MenuGroup {
  label: string;
  /** Names of guides: `errors` for `docs/guides/errors.md`. */
  guides: readonly string[];
}

/**
 * The guides in the menu, in the order in which readers need them. A guide can be in two groups if readers look for it in both: the first
 * one is its place among the previous and next guides.
 */
export const menu: readonly MenuGroup[] = [
  { label: 'Start', guides: ['what-it-is', 'install', 'first-call'] },
  { label: 'Concepts', guides: ['authentication', 'errors', 'lists', 'options', 'own-fields', 'sandbox'] },
  {
    label: 'Tasks',
    guides: ['deals', 'export-contacts', 'import-contacts', 'send-email', 'campaign', 'web-push', 'jobs'],
  },
  { label: 'Frameworks', guides: ['tanstack-query', 'nextjs', 'jest', 'proxies'] },
  { label: 'Tools', guides: ['terminal', 'agents', 'mock', 'jobs'] },
  { label: 'Reference', guides: ['errors-reference', 'options-reference', 'sandbox-reference', 'jobs-reference'] },
  { label: 'Project', guides: ['upgrade'] },
];

/** Every guide once, in the order of the menu. */
export const guideOrder: readonly string[] = [...new Set(menu.flatMap(({ guides }) => guides))];
