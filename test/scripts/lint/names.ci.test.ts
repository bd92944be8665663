import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

/** The names that every entry of the client exports. A component with such a name would be lost in the entry of its product. */
function commonNames(): string[] {
  const file = join(repositoryRoot, 'src', 'client', 'common.ts');
  const program = ts.createProgram([file], {
    allowImportingTsExtensions: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noEmit: true,
    noLib: true,
  });
  const source = program.getSourceFile(file);
  const symbol = source && program.getTypeChecker().getSymbolAtLocation(source);
  if (!symbol) throw new Error(`${file} has no exports`);
  return program
    .getTypeChecker()
    .getExportsOfModule(symbol)
    .map(({ name }) => name)
    .filter((name) => /^[A-Z]/.test(name))
    .sort();
}

test('lint reserves the names that every entry of the client exports', () => {
  const rules = parse(readFileSync(join(repositoryRoot, 'spec', 'rules', 'document.yaml'), 'utf8'));
  const reserved: string[] = rules.rules['name-reserved'].then.functionOptions.exports;
  const names = commonNames();
  expect(names.length).toBeGreaterThan(40);
  expect(reserved).toEqual(names);
});
