import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import type { BuiltModule } from './packages.ts';

/** Imports the types of the ES module, whatever the format of the importing file. */
const fromModule = "with { 'resolution-mode': 'import' }";

/**
 * Writes the CommonJS declarations of each module. They refer to the declarations of the ES modules, so that each type has
 * one declaration and a field that a user adds to it exists in files of both formats.
 *
 * @param declarations - folder of the compiled declarations
 * @param output - folder for the `.d.cts` files
 */
export function writeCommonjsTypes(modules: BuiltModule[], declarations: string, output: string): void {
  const files = new Map(modules.map((built) => [built, join(declarations, built.source.replace(/\.ts$/, '.d.ts'))]));
  const program = ts.createProgram([...files.values()], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
  });
  const checker = program.getTypeChecker();
  const nameOf = new Map([...files].map(([{ name }, file]) => [program.getSourceFile(file), name]));
  for (const [{ name }, file] of files) {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is not a module`);
    const target = join(output, `${name}.d.cts`);
    const path = relativePath(target, file.replace(/\.d\.ts$/, '.js'));
    const lines = checker.getExportsOfModule(module).flatMap((symbol) => redeclare(symbol, checker, nameOf));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(
      target,
      [
        `import type * as m from '${path}' ${fromModule};`,
        `export type * from '${path}' ${fromModule};`,
        ...references(source, checker, nameOf).map(
          (other) => `export type {} from '${relativePath(target, join(output, `${other}.cjs`))}';`,
        ),
        ...lines,
        '',
      ].join('\n'),
    );
  }
}

function relativePath(from: string, to: string): string {
  const path = relative(dirname(from), to).replaceAll(sep, '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/**
 * Names of the built modules that a module exports types from. Its CommonJS declarations must reference theirs: users
 * augment the module that `require` finds, so the compiler must have read it.
 */
function references(
  { statements }: ts.SourceFile,
  checker: ts.TypeChecker,
  nameOf: Map<ts.SourceFile | undefined, string>,
): string[] {
  return statements.filter(ts.isExportDeclaration).flatMap(({ exportClause, moduleSpecifier }) => {
    if (!moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return [];
    const target = checker.getSymbolAtLocation(moduleSpecifier)?.valueDeclaration;
    const name = target && ts.isSourceFile(target) && nameOf.get(target);
    return name ? [name] : [];
  });
}

/** Exports that `export type *` does not include: values, and namespaces with their own CommonJS form. */
function redeclare(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
  nameOf: Map<ts.SourceFile | undefined, string>,
): string[] {
  const { name } = symbol;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const [declaration] = target.declarations ?? [];
  if (declaration && ts.isSourceFile(declaration)) {
    const namespace = nameOf.get(declaration);
    if (!namespace) throw new Error(`The namespace ${name} is not in types/, so it has no CommonJS declarations`);
    return [`export ${isTypeOnly(symbol) ? 'type ' : ''}* as ${name} from './${namespace}.cjs';`];
  }
  if (!(target.flags & ts.SymbolFlags.Value) || isTypeOnly(symbol)) return [];
  const lines = [`${documentation(target)}export declare const ${name}: typeof m.${name};`];
  // The declaration of the value hides the type of the same name, as for a class or the constants of an enum.
  if (target.flags & ts.SymbolFlags.Type) {
    const parameters = typeParameters(target);
    const declared = parameters.map((parameter) => parameter.getText()).join(', ');
    const passed = parameters.map((parameter) => parameter.name.text).join(', ');
    const generic = (list: string): string => list && `<${list}>`;
    lines.push(`export type ${name}${generic(declared)} = m.${name}${generic(passed)};`);
  }
  return lines;
}

/** Type parameters of a class. Their constraints and defaults may only name global types. */
function typeParameters({ declarations = [] }: ts.Symbol): readonly ts.TypeParameterDeclaration[] {
  return declarations.find(ts.isClassDeclaration)?.typeParameters ?? [];
}

function isTypeOnly({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some((declaration) => ts.isTypeOnlyImportOrExportDeclaration(declaration));
}

/** The TSDoc of the declaration, for editors. */
function documentation({ valueDeclaration }: ts.Symbol): string {
  if (!valueDeclaration) return '';
  const documented = ts.isVariableDeclaration(valueDeclaration) ? valueDeclaration.parent.parent : valueDeclaration;
  const [comment] = ts.getJSDocCommentsAndTags(documented).filter(ts.isJSDoc).slice(-1);
  return comment ? `${comment.getText()}\n` : '';
}
