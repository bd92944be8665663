import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../spec/files.ts';
import type { Output } from './output.ts';

/** Formats all generated TypeScript in one run of the project's formatter, so that generators can ignore layout. */
export function formatOutput(output: Output): Output {
  // Biome reads biome.json from the folders above, so the files must be inside the repository.
  const cache = join(repositoryRoot, '.cache');
  mkdirSync(cache, { recursive: true });
  const directory = mkdtempSync(join(cache, 'format-'));
  const sources = [...output.keys()].filter((file) => file.endsWith('.ts'));
  try {
    for (const file of sources) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), output.get(file) ?? '');
    }
    const biome = join(repositoryRoot, 'node_modules', '.bin', 'biome');
    execFileSync(biome, ['format', '--write', '--vcs-enabled=false', '--files-max-size=10000000', directory], {
      cwd: repositoryRoot,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return new Map(
      [...output].map(([file, text]) => [
        file,
        file.endsWith('.ts') ? readFileSync(join(directory, file), 'utf8') : text,
      ]),
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
