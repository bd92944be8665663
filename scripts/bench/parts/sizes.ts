import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { npm } from '../../check/runtimes/package.ts';
import { repositoryRoot, specNames } from '../../spec/files.ts';
import { countDependencies, readLock } from '../dependencies.ts';
import { interleave } from '../interleave.ts';
import type { BenchPart } from '../results.ts';
import { benchFolder, peersFolder, readVersions, runCommand } from '../run-peer.ts';
import { buildTable } from '../table.ts';

/** A package as users import it. */
interface Packaged {
  subject: string;
  /** The npm package. `undefined` if the code is generated into the project. */
  name?: string;
  /** Modules that the program imports. */
  entries: string[];
  /** Creates a client as the package's documentation shows. */
  program: string;
}

const heyApi = specNames.map((name) => `./generated/${name}/index.js`);

const packages: Packaged[] = [
  own('carillon by method', 'carillon', 'createClient'),
  own('carillon by method, CRM alone', 'carillon/crm', 'createCrmClient'),
  own('carillon by path', 'carillon/paths', 'createPathsClient'),
  {
    subject: '@hey-api/openapi-ts',
    entries: heyApi,
    program: heyApi
      .map((entry, index) => `import * as part${index} from '${entry}'; globalThis.part${index} = part${index};`)
      .join('\n'),
  },
  foreign('openapi-fetch', 'createClient', "createClient({ baseUrl: 'https://api.example.com' })"),
  foreign('ky', 'ky', "ky.create({ prefix: 'https://api.example.com' })"),
  foreign('axios', 'axios', "axios.create({ baseURL: 'https://api.example.com' })"),
  foreign('octokit', '{ Octokit }', "new Octokit({ auth: 'key' })"),
  foreign('resend', '{ Resend }', "new Resend('key')"),
  foreign('stripe', 'Stripe', "new Stripe('key')"),
  foreign('openai', 'OpenAI', "new OpenAI({ apiKey: 'key' })"),
];

function own(subject: string, entry: string, create: string): Packaged {
  const program = `import { ${create} } from '${entry}';
globalThis.api = ${create}({ baseUrl: 'https://api.example.com', auth: null });`;
  return { subject, name: 'carillon', entries: [entry], program };
}

function foreign(name: string, imported: string, create: string): Packaged {
  return {
    subject: name,
    name,
    entries: [name],
    program: `import ${imported} from '${name}';\nglobalThis.api = ${create};`,
  };
}

const clientFolder = 'src/client';

/** Well-known clients of other services, for orientation only, because they do other work. */
const references = ['octokit', 'resend', 'stripe', 'openai'];

const subjects = packages.map(({ subject }) => subject);
const names = packages.flatMap(({ name }) => name ?? []);

export const sizes: BenchPart = {
  title: 'Sizes and imports',
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
          ? countDependencies(readLock(repositoryRoot), clientFolder)
          : countDependencies(readLock(benchFolder), `node_modules/${name}`);
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
      `A bundle is a page's program that makes a client, by esbuild; that of @hey-api/openapi-ts has all its functions, as ours has all methods. Packed is the file that npm fetches. Dependencies count those of dependencies. A cold import is one in a new process. ${references.join(', ')} are for orientation: they are clients of other services.`,
    );
    return {
      tables: [table],
      versions: readVersions([...new Set(names.filter((name) => name !== 'carillon')), 'esbuild']),
    };
  },
};

function measureInstalled(name: string): Promise<number> {
  if (name === 'carillon') return measurePacked('.', join(repositoryRoot, clientFolder));
  return measurePacked(`${name}@${readVersions([name])[name]}`, benchFolder);
}

/**
 * Size in bytes of a program, bundled, minified and gzipped.
 *
 * @param folder - folder that imports are resolved from
 */
async function measureProgram(contents: string, folder: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild returned no bundle');
  return gzipSync(output.contents, { level: 9 }).length;
}

/**
 * Size in bytes of the file that npm downloads for a package.
 *
 * @param what - `.` for the package in this folder, or `ky@2.1.0` for one from the registry
 */
async function measurePacked(what: string, folder: string): Promise<number> {
  // Skips lifecycle scripts, so that the built and tested files are packed.
  const output = await npm(['pack', what, '--dry-run', '--ignore-scripts', '--prefer-offline', '--json'], folder);
  const [packed]: { size: number }[] = JSON.parse(output);
  if (!packed) throw new Error(`npm created no package file of ${what}`);
  return packed.size;
}

/** Milliseconds from the start of the import to its end, in its own process. */
async function importOnce({ entries }: Packaged): Promise<number> {
  const imports = entries.map((entry) => `import('${entry}')`).join(', ');
  const program = `const started = performance.now(); await Promise.all([${imports}]); console.log(performance.now() - started);`;
  return Number(await runCommand(process.execPath, ['--input-type=module', '--eval', program], peersFolder));
}
