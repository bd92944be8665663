/**
 * Which part of the project may import which: `npm run lint` checks it, `docs/architecture.md` describes and shows it.
 * Rules name what is forbidden, as regular expressions of paths.
 */
const anyPackage = '^src/(?:client|sandbox|mock|jobs|cli)/';
const ours = '^(?:src|generated|scripts|test|docs)/';

/** `from` imports nothing of `to` but `but`. */
function forbid(name, from, to, but = []) {
  return { name, severity: 'error', from: { path: from }, to: { path: to, pathNot: but } };
}

/** The folders of the sandbox that work on requests, and others. */
const sandboxAbove = (...others) =>
  `^src/sandbox/(?:(?:${['http', 'control', ...others].join('|')})/|create-sandbox|index)`;

export default {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    forbid('scripts-are-for-tests-only', '^(?:src|generated|docs)/', '^(?:scripts|test)/'),
    forbid('scripts-import-no-tests', '^scripts/', '^test/'),
    forbid('nothing-imports-a-test', '.', '\\.test\\.ts$'),

    // Between the packages.
    {
      name: 'packages-import-each-other-by-name',
      severity: 'error',
      from: { path: '^src/(client|sandbox|mock|jobs|cli)/' },
      to: { path: anyPackage, pathNot: '^src/$1/', dependencyTypes: ['local'] },
    },
    forbid('shared-needs-no-package', '^src/shared/', ours, ['^src/shared/']),
    forbid('client-sandbox-and-mock-need-no-package', '^src/(client|sandbox|mock)/', anyPackage, ['^src/$1/']),
    forbid('jobs-need-the-client', '^src/jobs/', anyPackage, ['^src/(?:jobs|client)/']),
    forbid('generated-needs-shared-types', '^generated/', ours, [
      '^generated/',
      '^src/shared/(?:call-types|paths-of|query-types)\\.ts$',
    ]),
    forbid('docs-need-client-and-sandbox', '^docs/src/', ours, ['^docs/src/', '^src/(?:client|sandbox|shared)/']),

    // Inside the packages.
    forbid('shared-does-not-know-the-server', '^src/shared/(?!server/)', '^src/shared/server/'),
    forbid('core-needs-only-shared', '^src/client/core/', ours, ['^src/client/core/', '^src/shared/']),
    forbid(
      'the-sandbox-does-not-know-its-command',
      '^src/sandbox/(?!bin|command|page|store)',
      '^src/(?:sandbox/(?:command|page|store/sqlite-store)|shared/server)',
    ),
    // The folders of the sandbox, from the requests down to the data.
    forbid('data-stand-alone', '^src/sandbox/data/', '^src/sandbox/', ['^src/sandbox/data/']),
    forbid('resources-need-data-and-rules', '^src/sandbox/(crm|messaging|email)/', '^src/sandbox/', [
      '^src/sandbox/$1/',
      '^src/sandbox/(?:data|rules)/',
    ]),
    forbid('rules-know-no-world', '^src/sandbox/(?:rules|products)/', sandboxAbove('world', 'store', 'faults', 'log')),
    forbid('stores-know-no-world', '^src/sandbox/store/', sandboxAbove('world', 'faults', 'log')),
    forbid('a-world-knows-no-requests', '^src/sandbox/(?:world|faults|log)/', sandboxAbove(), [
      '^src/sandbox/http/request-and-response',
    ]),
    forbid('operations-know-no-control', '^src/sandbox/http/', '^src/sandbox/(?:control/|create-sandbox|index)'),
    forbid('jobs-do-not-know-their-command', '^src/jobs/(?!bin|command)', '^src/(?:jobs/command|shared/server)/'),
    forbid('the-catalogue-does-not-know-the-commands', '^src/cli/catalogue/', '^src/cli/(?:command|mcp)/'),
    forbid('the-command-does-not-know-the-server', '^src/cli/command/', '^src/cli/mcp/'),
    forbid('the-server-does-not-know-the-command', '^src/cli/mcp/', '^src/cli/command/'),
  ],
  options: {
    includeOnly: ours,
    exclude: '/(?:dist|node_modules|peers|projects)/',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['carillon-source', 'import', 'default'], exportsFields: ['exports'] },
  },
};
