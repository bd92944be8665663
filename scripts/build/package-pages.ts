import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { repositoryRoot, specNames } from '../spec/files.ts';

const guides = [
  'authentication',
  'errors',
  'errors-reference',
  'import-contacts',
  'lists',
  'nextjs',
  'options',
  'options-reference',
  'own-fields',
  'proxies',
  'tanstack-query',
];

const specs = Object.fromEntries(specNames.map((name) => [`spec/${name}.yaml`, `spec/${name}.yaml`]));

/** Pages that a package has besides its README: file in the repository → file in `dist/`. */
export const shippedPages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  carillon: {
    ...specs,
    'spec/README.md': 'spec/README.md',
    'spec/gaps.yaml': 'spec/gaps.yaml',
    'spec/unsupported.yaml': 'spec/unsupported.yaml',
    ...Object.fromEntries(guides.map((name) => [`docs/guides/${name}.md`, `docs/${name}.md`])),
    'generated/llms.txt': 'docs/llms.txt',
    'generated/llms-full.txt': 'docs/llms-full.txt',
    'src/client/AGENTS.md': 'docs/AGENTS.md',
    'CHANGELOG.md': 'docs/CHANGELOG.md',
    'SECURITY.md': 'docs/SECURITY.md',
  },
  'carillon-sandbox': {
    'docs/guides/sandbox.md': 'docs/sandbox.md',
    'docs/guides/sandbox-reference.md': 'docs/sandbox-reference.md',
    'docs/guides/scenarios.md': 'docs/scenarios.md',
    'docs/guides/jest.md': 'docs/jest.md',
    'docs/guides/storybook.md': 'docs/storybook.md',
  },
  'carillon-mock': {
    ...specs,
    'docs/guides/mock.md': 'docs/mock.md',
    'docs/guides/specs.md': 'docs/specs.md',
  },
  'carillon-jobs': {
    'docs/guides/jobs.md': 'docs/jobs.md',
    'docs/guides/jobs-reference.md': 'docs/jobs-reference.md',
    'docs/decisions/0009-jobs-in-sqlite-or-postgres.md': 'docs/0009-jobs-in-sqlite-or-postgres.md',
  },
  'carillon-cli': {
    'docs/guides/terminal.md': 'docs/terminal.md',
    'docs/guides/terminal-reference.md': 'docs/terminal-reference.md',
    'docs/guides/agents.md': 'docs/agents.md',
    'src/cli/skills/carillon/SKILL.md': 'skills/carillon/SKILL.md',
  },
};

/** Copies a package's pages into its `dist/`. A link to a page of another package becomes text that names the page. */
export async function copyPages(name: string, output: string): Promise<void> {
  const copies = shippedPages[name] ?? {};
  for (const [from, to] of Object.entries(copies)) {
    const target = join(output, to);
    await mkdir(dirname(target), { recursive: true });
    if (!from.endsWith('.md')) await cp(join(repositoryRoot, from), target);
    else
      await writeFile(target, adaptPackageLinks(await readFile(join(repositoryRoot, from), 'utf8'), from, to, copies));
  }
}

/**
 * Rewrites the links of a page for its place in the package. Another package may be missing, so its pages are named in
 * words, each once.
 *
 * @param copies - file in the repository → file in `dist/`
 */
export function adaptPackageLinks(
  text: string,
  from: string,
  to: string,
  copies: Readonly<Record<string, string>>,
): string {
  const named = new Set<string>();
  return text.replace(
    // A picture becomes its description.
    /!?\[([^\]]*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)/g,
    (_, label: string, path: string, anchor = '') => {
      const linked = posix.join(posix.dirname(from), path);
      // The package's README is above `dist/`.
      const copy = linked === 'README.md' ? '../README.md' : copies[linked];
      if (copy === undefined) {
        const place = findElsewhere(linked);
        if (place === undefined || named.has(place)) return label;
        named.add(place);
        return `${label} (${place})`;
      }
      // The package's README has different sections, so drop the anchor.
      return `[${label}](${posix.relative(posix.dirname(to), copy)}${linked === 'README.md' ? '' : anchor})`;
    },
  );
}

/** Says in words which package contains the page. */
function findElsewhere(file: string): string | undefined {
  for (const [name, copies] of Object.entries(shippedPages)) {
    if (copies[file] !== undefined) return `\`dist/${copies[file]}\` of the package \`${name}\``;
  }
  return undefined;
}
