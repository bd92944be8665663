import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../scripts/spec/files.ts';

const folder = join(repositoryRoot, 'docs', 'guides');
const names = [...readdirSync(folder).map((name) => join('docs', 'guides', name)), 'README.md', 'AGENTS.md'];
const guides = names.map((name) => ({ name, text: readFileSync(join(repositoryRoot, name), 'utf8') }));

it.each(guides)('$name installs the file of the package, because nothing is published under its name', ({ text }) => {
  expect(text).not.toMatch(/^(?!.*Do not write).*(?:npm (?:install|i)|npx .*-p|"-p",) "?carillon(?=[\s"@])/m);
});

it('the guide on jobs installs what its program needs, and says that it is a module', () => {
  const text = guides.find(({ name }) => name.endsWith('jobs.md'))?.text ?? '';
  const [before = ''] = text.split("from 'carillon/jobs'");
  expect(before).toContain('npm pkg set type=module');
  expect(before).toMatch(/npm install \S+\.tgz pg pg-boss/);
  expect(before).toContain('npm install csv-parse');
});
