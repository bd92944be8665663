/** The groups of the menu that consist of guides, and the order of the guides in them. */
export const menu: readonly { label: string; guides: readonly string[] }[] = [
  { label: 'Start', guides: ['first-call'] },
  { label: 'Concepts', guides: ['authentication', 'errors', 'options', 'own-fields', 'sandbox'] },
  { label: 'Tasks', guides: ['export-contacts', 'import-contacts', 'send-email', 'campaign', 'web-push'] },
  { label: 'Frameworks', guides: ['tanstack-query', 'proxies'] },
  { label: 'Tools', guides: ['terminal', 'agents', 'mock', 'jobs'] },
  { label: 'Project', guides: ['upgrade'] },
];
