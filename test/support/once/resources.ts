import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { install, local, type Packed, pack } from '../../../scripts/check/runtimes/package.ts';
import { provideTools } from '../../../scripts/command-line/provide-tools.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';
import { startRedis } from '../../client/tokens/redis-server.ts';
import { createTemplate, startPostgres } from '../../jobs/start-postgres.ts';
import { type StartedProgram, siteFolder, startAll } from './npm-start.ts';
import { serveChromium } from './serve-chromium.ts';

/** What tests share, by name. It travels as JSON. */
export interface Resources {
  /** `dist/` of each package, built from the sources as they are. */
  dist: null;
  /** The tools that only system tests need, installed. */
  tools: { nodeModules: string };
  /** What builds the docs, installed. */
  docsTools: { nodeModules: string };
  /** The packed packages. */
  tarballs: Packed[];
  /** The packed packages, installed with what they depend on, as users install them. */
  installed: { nodeModules: string };
  /** `npm start`, running on any free ports, and what it has printed. If nothing has changed, its docs are those of the last run. */
  start: { output: string };
  /** How `npm start` ends after Ctrl+C, and all that it has printed. Its docs stay. */
  stopped: { code: number | null; output: string };
  /** The docs, as `npm start` has built them over an old site. */
  site: { folder: string };
  /** The address of a running Chromium. */
  browser: { endpoint: string };
  /** A Redis that no test harms. */
  redis: { url: string };
  /** A Postgres that no test harms: each creates databases of its own, which have the tables of the jobs. */
  postgres: { port: number };
}

/** How the other resources and the end of the run are reached. */
export interface Context {
  once<Name extends keyof Resources>(name: Name): Promise<Resources[Name]>;
  /** Runs at the end of the run. */
  onEnd(end: () => unknown): void;
  /** A folder that goes with the run. */
  folder(): Promise<string>;
}

type Makers = { [Name in keyof Resources]: (context: Context) => Promise<Resources[Name]> };

const run = promisify(execFile);
/** `npm start` of this run. */
let started: StartedProgram | undefined;

export const makers: Makers = {
  async dist() {
    await run(process.execPath, [join(repositoryRoot, 'scripts', 'build', 'main.ts')], { timeout: 300_000 });
    return null;
  },

  async tools() {
    const tools = join(repositoryRoot, 'scripts', 'check', 'tools');
    await provideTools(tools, 'the tools of system tests', console.log);
    return { nodeModules: join(tools, 'node_modules') };
  },

  async docsTools() {
    const docs = join(repositoryRoot, 'docs');
    await provideTools(docs, 'the site generator', console.log);
    return { nodeModules: join(docs, 'node_modules') };
  },

  async tarballs({ once, folder }) {
    await once('dist');
    return pack(await folder());
  },

  async installed({ once, folder }) {
    const tarballs = (await once('tarballs')).map(({ tarball }) => tarball);
    const work = join(await folder(), 'installed');
    await install('program', work, [...tarballs, ...local('@types/node', 'undici-types')]);
    return { nodeModules: join(work, 'node_modules') };
  },

  async start({ onEnd }) {
    started?.child.kill('SIGKILL');
    const program = await startAll();
    started = program;
    onEnd(() => program.child.kill('SIGKILL'));
    return { output: program.output() };
  },

  async stopped({ once }) {
    await once('start');
    started?.child.kill('SIGINT');
    return { code: (await started?.ended) ?? null, output: started?.output() ?? '' };
  },

  async site({ once }) {
    await once('start');
    return { folder: siteFolder };
  },

  async browser({ onEnd }) {
    const server = await serveChromium();
    onEnd(() => server.close());
    return { endpoint: server.wsEndpoint() };
  },

  async redis({ onEnd }) {
    const redis = await startRedis();
    onEnd(() => redis.kill());
    return { url: redis.url };
  },

  async postgres({ onEnd }) {
    const postgres = await startPostgres({ fsync: false });
    onEnd(() => postgres.stop());
    await createTemplate(postgres.port);
    return { port: postgres.port };
  },
};

/** Below the system's folder for temporary files. */
export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'carillon-run-'));
}
