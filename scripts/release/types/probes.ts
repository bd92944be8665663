import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import ts from 'typescript';
import { z } from 'zod';
import { modelSpec } from '../../generate/operation-model.ts';
import { specNames } from '../../spec/files.ts';
import { loadSpec } from '../../spec/model.ts';

/** A module that users import, and its declarations. */
export interface TypeEntry {
  /** `carillon/crm`. */
  specifier: string;
  /** From the root of the repository: `src/client/crm.ts`. */
  source: string;
  /** From the root of the repository: `src/client/dist/types/src/client/crm.d.ts`. */
  declarations: string;
}

const entryShape = z.object({ 'carillon-source': z.string(), import: z.object({ types: z.string() }) });
const manifestShape = z.object({ name: z.string(), exports: z.record(z.string(), z.unknown()).default({}) });

/** The modules that the packages of a release export. */
export async function listEntries(folder: string): Promise<TypeEntry[]> {
  const read = async (file: string): Promise<unknown> => JSON.parse(await readFile(join(folder, file), 'utf8'));
  const { workspaces } = z.object({ workspaces: z.array(z.string()) }).parse(await read('package.json'));
  const packages = workspaces.map(async (path) => {
    const { name, exports } = manifestShape.parse(await read(posix.join(path, 'package.json')));
    return Object.entries(exports).flatMap(([place, target]): TypeEntry[] => {
      const { data } = entryShape.safeParse(target);
      if (!data) return [];
      const [source, declarations] = [data['carillon-source'], data.import.types].map((file) => posix.join(path, file));
      return [{ specifier: posix.join(name, place), source: source ?? '', declarations: declarations ?? '' }];
    });
  });
  return (await Promise.all(packages)).flat();
}

/** The name by which a probe imports the old declarations of an entry. */
export function oldSpecifier(specifier: string): string {
  return `old-release/${specifier}`;
}

/** Types and functions of the probes. `Kept` is `'kept'`, or the lost names, which the compiler then reports. */
const helpers = `type Keys<Type> = Type extends unknown ? keyof Type : never;
type Lost<Old, New> = Exclude<Keys<Old>, Keys<New>>;
type Kept<Old, New> = [Lost<Old, New>] extends [never] ? 'kept' : Lost<Old, New>;
declare function some<Type>(): Type;
`;

/**
 * Programs that use all exports of the old release: one per entry, which names each export with all its members, and one per spec,
 * which calls each method with all its fields and reads all fields of each reply.
 *
 * @returns file → text
 */
export function writeProbes(folder: string, entries: readonly TypeEntry[]): Map<string, string> {
  const missing = entries.find(({ declarations }) => !existsSync(join(folder, declarations)));
  if (missing) throw new Error(`${folder} has no ${missing.declarations}: build it first`);
  const files = entries.map(({ declarations }) => join(folder, declarations));
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    strict: true,
  });
  const checker = program.getTypeChecker();
  const exported = new Map(
    entries.map(({ specifier }, index) => {
      const source = program.getSourceFile(files[index] ?? '');
      const symbol = source && checker.getSymbolAtLocation(source);
      if (!symbol) throw new Error(`The declarations of ${specifier} export nothing`);
      return [specifier, checker.getExportsOfModule(symbol)];
    }),
  );
  return new Map([
    ...[...exported].map(([specifier, symbols]): [string, string] => [
      `exports of ${specifier}.ts`.replaceAll(/[ /]/g, '-'),
      writeExports(specifier, symbols, checker),
    ]),
    ...specNames.map((name): [string, string] => {
      const names = new Set(exported.get(`carillon/${name}`)?.map((symbol) => symbol.name));
      return [`methods-of-${name}.ts`, writeMethods(folder, name, names)];
    }),
  ]);
}

function writeExports(specifier: string, symbols: readonly ts.Symbol[], checker: ts.TypeChecker): string {
  const lines = symbols.map((alias) => {
    const symbol = alias.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(alias) : alias;
    return writeExport(alias.name, symbol, checker);
  });
  return `import type * as Old from '${oldSpecifier(specifier)}';
import type * as New from '${specifier}';
${helpers}${lines.join('')}`;
}

function writeExport(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const lines: string[] = [];
  if (symbol.flags & ts.SymbolFlags.Value) {
    lines.push(`{ const kept: Kept<typeof Old.${name}, typeof New.${name}> = 'kept'; }`);
    const type = checker.getTypeOfSymbol(symbol);
    const [signature, ...overloads] = type.getCallSignatures();
    if (signature && overloads.length === 0 && !signature.typeParameters) {
      lines.push(
        `{ const taken: Parameters<typeof New.${name}> = some<Parameters<typeof Old.${name}>>(); }`,
        `{ const kept: Kept<Awaited<ReturnType<typeof Old.${name}>>, Awaited<ReturnType<typeof New.${name}>>> = 'kept'; }`,
      );
    }
  }
  if (symbol.flags & ts.SymbolFlags.Type) {
    const parameters = countTypeParameters(symbol);
    const filled = parameters > 0 ? `<${Array.from({ length: parameters }, () => 'never').join(', ')}>` : '';
    lines.push(
      parameters > 0
        ? `{ type Known = New.${name}${filled}; }`
        : `{ const kept: Kept<Old.${name}, New.${name}> = 'kept'; }`,
    );
  }
  return lines.map((line) => `${line} // ${name}\n`).join('');
}

function countTypeParameters(symbol: ts.Symbol): number {
  for (const declaration of symbol.declarations ?? []) {
    if (
      ts.isInterfaceDeclaration(declaration) ||
      ts.isClassDeclaration(declaration) ||
      ts.isTypeAliasDeclaration(declaration)
    ) {
      return declaration.typeParameters?.length ?? 0;
    }
  }
  return 0;
}

function writeMethods(folder: string, name: (typeof specNames)[number], exported: ReadonlySet<string>): string {
  const { operations } = modelSpec(loadSpec(name, join(folder, 'spec', `${name}.yaml`)));
  const lines = operations.map(({ place, typeName }) => {
    const [given, result] = [`${typeName}Params`, `${typeName}Result`];
    const takes = exported.has(given);
    const call = `api.${place}(${takes ? `some<Old.${given}>()` : ''})`;
    return [
      `async (api: Client['${name}']) => { const answer = ${call}; };`,
      ...(takes ? [`{ const kept: Kept<Old.${given}, New.${given}> = 'kept'; }`] : []),
      ...(exported.has(result) ? [`{ const read: Old.${result} = some<New.${result}>(); }`] : []),
    ]
      .map((line) => `${line} // ${name}.${place}\n`)
      .join('');
  });
  return `import type * as Old from '${oldSpecifier(`carillon/${name}`)}';
import type * as New from 'carillon/${name}';
import type { Client } from 'carillon';
${helpers}${lines.join('')}`;
}
