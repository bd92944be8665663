import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listPackages } from '../../scripts/build/packages.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const packages = listPackages();
const folder = join(repositoryRoot, 'docs', 'guides');
const names = [...readdirSync(folder).map((name) => join('docs', 'guides', name)), 'README.md', 'AGENTS.md'];
const guides = names.map((name) => ({ name, text: readFileSync(join(repositoryRoot, name), 'utf8') }));
const readmes = packages.map((one) => ({
  name: `${one.folder}/README.md`,
  text: readFileSync(join(repositoryRoot, one.folder, 'README.md'), 'utf8'),
}));

it.each(guides)(
  '$name installs the files of the packages, because nothing is published under their names',
  ({ text }) => {
    expect(text).not.toMatch(/(?:npm (?:install|i)|npx .*-p|"-p",) "?carillon[\w-]*(?=[\s"@])/);
  },
);

it.each([...guides, ...readmes])(
  '$name lets npx fetch no command whose name is not that of a package of this project',
  ({ text }) => {
    const ours = packages.map(({ name }) => name);
    const foreign = packages.flatMap(({ commands }) => Object.keys(commands)).filter((name) => !ours.includes(name));
    expect(foreign).toContain('carillon-mcp');
    for (const command of foreign) expect(text).not.toMatch(new RegExp(`npx (?:-y )?${command}\\b`));
    // The package carillon has no command.
    expect(text).not.toMatch(/npx (?:-y )?carillon(?![\w-])/);
  },
);

it('the guide on jobs installs what its program needs, and says that it is a module', () => {
  const text = guides.find(({ name }) => name.endsWith('jobs.md'))?.text ?? '';
  const [before = ''] = text.split("from 'carillon-jobs'");
  expect(before).toContain('npm pkg set type=module');
  expect(before).toMatch(/npm install \S+carillon-\S+\.tgz \S+carillon-jobs-\S+\.tgz/);
});
