import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { repositoryRoot } from '../spec/files.ts';
import { writeExchanges } from './behaviour/record.ts';
import { writeData } from './data/fixtures.ts';

export function runFixtures(args: string[]): Promise<number> {
  const command = createCommand(
    'npm run release:fixtures --',
    'Writes data and recorded replies of this version to test/releases/, to test later versions.',
  ).option('--replace', 'replace those of a version that is not released yet');
  return runCommand<{ replace?: true }>(command, args, ({ replace }) =>
    reportFailure('No fixtures were written', async () => {
      const text = readFileSync(join(repositoryRoot, 'package.json'), 'utf8');
      const { version } = z.object({ version: z.string() }).parse(JSON.parse(text));
      const folder = join(repositoryRoot, 'test', 'releases', version);
      if (existsSync(folder) && !replace)
        throw new Error(`test/releases/${version} exists. If ${version} is not released yet, add --replace.`);
      rmSync(folder, { recursive: true, force: true });
      console.log('Writing data …');
      await writeData(repositoryRoot, join(folder, 'data'));
      console.log('Recording the tests of the rules …');
      const count = await writeExchanges(repositoryRoot, join(folder, 'exchanges.json.gz'));
      console.log(`test/releases/${version} has the data and ${count} exchanges.`);
      return 0;
    }),
  );
}
