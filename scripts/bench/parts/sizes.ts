import { measureProgram } from '../../check/budgets/bundles.ts';
import { countDependencies, readLock } from '../../check/budgets/dependencies.ts';
import { measurePacked } from '../../check/budgets/packed.ts';
import { repositoryRoot } from '../../spec/files.ts';
import { interleave } from '../interleave.ts';
import { peersFolder, runCommand } from '../run-peer.ts';
import { buildTable } from '../table.ts';
import { readVersions } from '../versions.ts';
import { type Packaged, packages } from './packages.ts';
import type { Part } from './part.ts';

/** Known clients of other services: for orientation, since they do other work. */
const references = ['octokit', 'resend', 'stripe', 'openai'];

const subjects = packages.map(({ subject }) => subject);
const names = packages.flatMap(({ name }) => name ?? []);

export const sizes: Part = {
  title: 'Size, dependencies and import',
  async measure({ quick, report }) {
    report('Bundling and packing …');
    const bundled: Record<string, number> = {};
    const packed: Record<string, number> = {};
    const dependencies: Record<string, number> = {};
    for (const { subject, name, program } of packages) {
      bundled[subject] = (await measureProgram(program, peersFolder)) / 1_000;
      if (name === undefined) continue;
      packed[subject] = (await measureInstalled(name)) / 1_000;
      dependencies[subject] =
        name === 'carillon'
          ? countDependencies(readLock(repositoryRoot), '')
          : countDependencies(readLock(peersFolder), `node_modules/${name}`);
    }
    report('Importing …');
    const imports = await interleave(
      Object.fromEntries(packages.map((one) => [one.subject, () => importOnce(one)])),
      quick ? 1 : 15,
    );
    const leftOut = Object.fromEntries(
      packages.filter(({ name }) => name === undefined).map(({ subject }) => [subject, 'generated into the project']),
    );
    const table = buildTable(
      'What a client brings with it',
      subjects,
      [
        {
          title: 'bundle',
          unit: 'kB minified and gzipped',
          better: 'lower',
          chart: 'bundle-size',
          samples: bundled,
        },
        { title: 'packed', unit: 'kB', better: 'lower', samples: packed, leftOut },
        { title: 'dependencies', unit: 'packages', better: 'lower', samples: dependencies, leftOut },
        { title: 'cold import', unit: 'ms', better: 'lower', chart: 'import-time', samples: imports },
      ],
      `A bundle is a page's program that makes a client, by esbuild; that of @hey-api/openapi-ts has all its functions, as ours has all methods. Packed is the file that npm fetches; ours holds the sandbox and the specs too. Dependencies count those of dependencies. A cold import is one in a new process. ${references.join(', ')} are for orientation: they are clients of other services.`,
    );
    return {
      tables: [table],
      goals: [],
      versions: readVersions([...new Set(names.filter((name) => name !== 'carillon')), 'esbuild']),
    };
  },
};

function measureInstalled(name: string): Promise<number> {
  if (name === 'carillon') return measurePacked('.', repositoryRoot);
  return measurePacked(`${name}@${readVersions([name])[name]}`, peersFolder);
}

/** Milliseconds from the start of the import to its end, in its own process. */
async function importOnce({ entries }: Packaged): Promise<number> {
  const imports = entries.map((entry) => `import('${entry}')`).join(', ');
  const program = `const started = performance.now(); await Promise.all([${imports}]); console.log(performance.now() - started);`;
  return Number(await runCommand(process.execPath, ['--input-type=module', '--eval', program], peersFolder));
}
