import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';

/** A module with its own CommonJS declarations. */
export interface BuiltModule {
  /** Name of the module. The declarations of `crm` are in `dist/crm.d.cts`. */
  name: string;
  /** Path of the source from the root: `src/client/crm.ts`. */
  source: string;
}

/** A module in `exports` that users import: `dist/crm.js` and `dist/crm.cjs`. */
export interface Entry extends BuiltModule {
  /** Import specifier, such as `carillon/crm`. */
  specifier: string;
}

/** A program in `dist/bin/<name>.js` that Node runs: a command of `bin`, or a process that a command starts. */
export type Program = BuiltModule;

/** A package of the workspace. */
export interface Package {
  /** Package name, such as `carillon-sandbox`. */
  name: string;
  /** Folder from the root, such as `src/sandbox`. */
  folder: string;
  entries: Entry[];
  /** Modules that entries export as namespaces, such as `Crm`. Users cannot import them. */
  namespaces: BuiltModule[];
  programs: Program[];
  /** Commands of `bin`, with the file that npm links. */
  commands: Record<string, string>;
  /** Dependencies and peer dependencies of the package. */
  dependencies: string[];
}

const source = z.string().regex(/^\.\/[\w/-]+\.ts$/);
const types = z.object({ types: z.string(), default: z.string() });
const entry = z.object({ 'carillon-source': source, import: types, require: types });
const names = z.record(z.string(), z.string()).default({});
const manifestShape = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), entry, z.object({ default: z.string() })])),
  bin: names,
  dependencies: names,
  peerDependencies: names,
});

/** The packages of the workspace. Each package follows its dependencies. */
export function listPackages(): Package[] {
  const { workspaces } = z.object({ workspaces: z.array(z.string()) }).parse(readJson('package.json'));
  return workspaces.map(readPackage);
}

function readPackage(folder: string): Package {
  const { name, exports, bin, dependencies, peerDependencies } = manifestShape.parse(
    readJson(posix.join(folder, 'package.json')),
  );
  const entries = Object.entries(exports).flatMap(([path, target]): Entry[] => {
    if (typeof target === 'string' || !('import' in target)) return [];
    const file = /^\.\/dist\/([\w-]+)\.js$/.exec(target.import.default)?.[1];
    if (!file) throw new Error(`${folder}/package.json: exports['${path}'] does not name a file that the build writes`);
    return [{ specifier: posix.join(name, path), name: file, source: posix.join(folder, target['carillon-source']) }];
  });
  return {
    name,
    folder,
    entries,
    namespaces: modulesIn(folder, 'types'),
    programs: modulesIn(folder, 'bin'),
    commands: bin,
    dependencies: Object.keys({ ...dependencies, ...peerDependencies }),
  };
}

/** The modules in a folder of a package. Empty if there is no such folder. */
function modulesIn(folder: string, name: string): BuiltModule[] {
  const path = join(repositoryRoot, folder, name);
  if (!existsSync(path)) return [];
  return readdirSync(path).map((file) => ({
    name: `${name}/${file.replace(/\.ts$/, '')}`,
    source: posix.join(folder, name, file),
  }));
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(repositoryRoot, path), 'utf8'));
}
