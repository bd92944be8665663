/** The groups of the menu that consist of guides, and the order of the guides in them. */
export const menu: readonly { label: string; guides: readonly string[] }[] = [
  { label: 'Start', guides: ['what-it-is', 'install', 'first-call'] },
  { label: 'Concepts', guides: ['authentication', 'errors', 'lists', 'options', 'own-fields', 'sandbox'] },
  { label: 'Tasks', guides: ['deals', 'export-contacts', 'import-contacts', 'send-email', 'campaign', 'web-push'] },
  { label: 'Frameworks', guides: ['tanstack-query', 'nextjs', 'jest', 'proxies'] },
  { label: 'Tools', guides: ['terminal', 'agents', 'mock', 'jobs'] },
  {
    label: 'Reference',
    guides: ['errors-reference', 'options-reference', 'sandbox-reference', 'jobs-reference', 'terminal-reference'],
  },
  { label: 'Project', guides: ['upgrade'] },
];
