import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { packageEntries } from '../../../scripts/docs/package-entries.ts';

const entries = new Map(packageEntries().map(({ name, file }) => [name, file]));

describe('a function that users can import', () => {
  const program = ts.createProgram([...entries.values()], {
    noLib: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  });
  const checker = program.getTypeChecker();
  const functions = [...entries].flatMap(([entry, file]) => {
    const module = program.getSourceFile(file);
    const symbol = module && checker.getSymbolAtLocation(module);
    if (!symbol) throw new Error(`${entry} exports nothing`);
    return checker.getExportsOfModule(symbol).flatMap((exported) => {
      const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const declaration = target.valueDeclaration;
      // Methods have their examples, with tests, in the generated interfaces.
      if (!declaration || declaration.getSourceFile().fileName.includes('/generated/')) return [];
      const isFunction = checker.getTypeOfSymbol(target).getCallSignatures().length > 0;
      return isFunction
        ? [{ entry, name: exported.name, tags: target.getJsDocTags(checker).map((tag) => tag.name) }]
        : [];
    });
  });

  it('has an example in every entry', () => {
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['createClient', 'isCarillonError']));
    const without = functions.filter(({ tags }) => !tags.includes('example'));
    expect(without.map(({ entry, name }) => `${entry}: ${name}`)).toEqual([]);
  });
});
