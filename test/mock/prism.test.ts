import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';

const prism = join(repositoryRoot, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');

// Prism's own command knows no base path and one file only; for those who know it, it works nonetheless.
it.each(specNames)('npx prism mock spec/%s.yaml serves the spec', async (name) => {
  const child = spawn(process.execPath, [prism, 'mock', '--port', '0', `spec/${name}.yaml`], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 30_000,
  });
  try {
    const operation = listOperations(loadSpec(name)).find(({ key }) => /^GET [^{]+$/.test(key));
    const [reply] = Object.values(operation?.success.examples ?? {});
    let output = '';
    for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += chunk;
      if (/listening on http:\S+/.test(output)) break;
    }
    const [, url] = /listening on (http:\S+)/.exec(output) ?? [];
    const response = await fetch(`${url}${operation?.path}`, {
      headers: { authorization: 'Bearer any' },
      signal: AbortSignal.timeout(10_000),
    });
    expect([response.status, await response.json()]).toEqual([200, reply?.value]);
  } finally {
    child.kill('SIGKILL');
  }
});
