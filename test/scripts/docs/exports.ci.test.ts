import { lexer, walkTokens } from 'marked';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { readGuides } from '../../../scripts/docs/guides/read-guides.ts';
import { packageEntries } from '../../support/package-entries.ts';

describe('what users can import', () => {
  const entries = packageEntries();
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      noLib: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      customConditions: ['carillon-source'],
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
    },
  );
  const checker = program.getTypeChecker();
  const exports = entries.flatMap(({ name: entry, file }) => {
    const module = program.getSourceFile(file);
    const symbol = module && checker.getSymbolAtLocation(module);
    if (!symbol) throw new Error(`${entry} exports nothing`);
    return checker.getExportsOfModule(symbol).map((exported) => {
      const target = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const [declaration] = target.declarations ?? [];
      const isGenerated = declaration?.getSourceFile().fileName.includes('/generated/') === true;
      return { place: `${entry}: ${exported.name}`, name: exported.name, target, isGenerated };
    });
  });

  it('has a comment', () => {
    expect(exports.length).toBeGreaterThan(500);
    const without = exports.filter(
      // A namespace is a module: its names have the comments.
      ({ target }) =>
        !(target.flags & ts.SymbolFlags.ValueModule) && target.getDocumentationComment(checker).length === 0,
    );
    expect(without.map(({ place }) => place)).toEqual([]);
  });

  it('has an example if it is a function', () => {
    const functions = exports.filter(
      // Methods have their examples, with tests, in the generated interfaces.
      ({ target, isGenerated }) =>
        !isGenerated && target.valueDeclaration && checker.getTypeOfSymbol(target).getCallSignatures().length > 0,
    );
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['createClient', 'isCarillonError']));
    const without = functions.filter(
      ({ target }) => !target.getJsDocTags(checker).some(({ name }) => name === 'example'),
    );
    expect(without.map(({ place }) => place)).toEqual([]);
  });

  it('is named in a guide, as code', () => {
    const named = new Set<string>();
    for (const { markdown } of readGuides()) {
      walkTokens(lexer(markdown), (token) => {
        if (token.type !== 'code' && token.type !== 'codespan') return;
        for (const [word] of token.raw.matchAll(/[\w$]+/g)) named.add(word);
      });
    }
    // The guide on options says how generated types are named.
    const missing = exports.filter(({ name, isGenerated }) => !isGenerated && !named.has(name));
    expect([...new Set(missing.map(({ name }) => name))]).toEqual([]);
  });
});
