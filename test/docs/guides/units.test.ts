import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const folder = join(repositoryRoot, 'docs', 'guides');
const guides = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
/** Commands that the guides' unit and container files start. */
const started = guides.flatMap((text) =>
  [...text.matchAll(/^(?:ExecStart=|CMD |ENTRYPOINT )(.*)$/gm)].map(([, line]) => line),
);

it('supervisors start the command itself, because npx does not forward the stop signal', () => {
  expect(started.length).toBeGreaterThan(2);
  for (const line of started) expect(line).not.toMatch(/\bnp[mx]\b/);
  for (const line of started) expect(line).toContain('node_modules/.bin/carillon-');
});
