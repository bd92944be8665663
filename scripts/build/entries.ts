import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../spec/files.ts';

/** A module with CommonJS declarations of its own. */
export interface BuiltModule {
  /** `crm`: its declarations are in `dist/crm.d.cts`. */
  name: string;
  /** Path of the source in the repository: `src/client/crm.ts`. */
  source: string;
}

/** A module that users import, from `exports` in `package.json`: `dist/crm.js` and `dist/crm.cjs`. */
export interface Entry extends BuiltModule {
  /** `carillon/crm`. */
  specifier: string;
}

/** A command from `bin` in `package.json`. */
export interface Command {
  /** Path of the source in the repository: `src/sandbox/bin/carillon-sandbox.ts`. */
  source: string;
}

const condition = z.object({ types: z.string(), default: z.string() });
const manifestShape = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.union([z.string(), z.object({ import: condition, require: condition })])),
  bin: z.record(z.string(), z.string()),
});

function readManifest(): z.infer<typeof manifestShape> {
  return manifestShape.parse(JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')));
}

/** The modules in `exports`, without files such as `spec/*`. */
export function listEntries(): Entry[] {
  const { name: packageName, exports } = readManifest();
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return [];
    const name = /^\.\/dist\/([\w-]+)\.js$/.exec(target.import.default)?.[1];
    const source = /^\.\/dist\/types\/(src\/.+)\.d\.ts$/.exec(target.import.types)?.[1];
    if (!name || !source) throw new Error(`package.json: exports['${path}'] does not name files that the build writes`);
    return [{ specifier: path.replace('.', packageName), name, source: `${source}.ts` }];
  });
}

/** The modules that entries export as namespaces, such as `Crm`. Users cannot import them. */
export function listNamespaces(): BuiltModule[] {
  return readdirSync(join(repositoryRoot, 'src', 'parts')).map((file) => ({
    name: `parts/${file.replace(/\.ts$/, '')}`,
    source: `src/client/parts/${file}`,
  }));
}

/** The commands in `bin`. */
export function listCommands(): Command[] {
  return Object.entries(readManifest().bin).map(([command, file]) => {
    const name = /^dist\/bin\/([\w-]+)\.js$/.exec(file)?.[1];
    if (!name) throw new Error(`package.json: bin['${command}'] does not name a file that the build writes`);
    return { source: `src/bin/${name}.ts` };
  });
}
