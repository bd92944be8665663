/** The menu groups that consist of guides, with their order. */
export const menu: readonly { label: string; guides: readonly string[] }[] = [
  { label: 'Start', guides: ['what-it-is', 'install', 'first-call'] },
  { label: 'Concepts', guides: ['authentication', 'errors', 'lists', 'options', 'own-fields', 'sandbox'] },
  { label: 'Tasks', guides: ['deals', 'export-contacts', 'import-contacts', 'send-email', 'campaign', 'web-push'] },
  { label: 'Frameworks', guides: ['tanstack-query', 'nextjs', 'storybook', 'jest', 'proxies'] },
  { label: 'Tools', guides: ['scenarios', 'terminal', 'agents', 'mock', 'specs', 'jobs', 'upgrade'] },
  {
    label: 'Reference',
    guides: [
      'messages',
      'errors-reference',
      'options-reference',
      'sandbox-reference',
      'jobs-reference',
      'terminal-reference',
    ],
  },
];

/** Short labels of guides whose titles do not fit on one line of the menu. */
export const shortLabels: Readonly<Record<string, string>> = {
  'own-fields': 'Own fields',
  sandbox: 'Sandbox',
  deals: 'Deals',
  'export-contacts': 'Export contacts',
  'import-contacts': 'Import contacts',
  campaign: 'Campaigns',
  'web-push': 'Web push',
  'tanstack-query': 'TanStack Query',
  proxies: 'Proxies',
  scenarios: 'Scenarios',
  terminal: 'Terminal',
  agents: 'Agents (MCP)',
  mock: 'Mock',
  specs: 'Specs in other tools',
  jobs: 'Bulk jobs',
  upgrade: 'Upgrades',
  messages: 'Messages',
};
