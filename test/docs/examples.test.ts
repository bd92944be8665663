import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { packageEntries } from '../../scripts/docs/package-entries.ts';
import { repositoryRoot } from '../../scripts/spec/files.ts';
import { compile } from '../support/compile.ts';

interface Example {
  /** `core/options.ts:12`: where the comment begins. */
  place: string;
  code: string;
}

const source = join(repositoryRoot, 'src');
const entries = new Map(packageEntries().map(({ name, file }) => [name, file]));
const examples = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .sort()
  .flatMap((name) => findExamples(name, readFileSync(join(source, name), 'utf8')));

/** The code of every `@example` of a source text; one without code is an example of nothing. */
function findExamples(name: string, text: string): Example[] {
  return [...text.matchAll(/\/\*\*.*?\*\//gs)].flatMap((comment) => {
    const place = `${name}:${text.slice(0, comment.index).split('\n').length}`;
    const lines = comment[0].split('\n').map((line) => line.replace(/^\s*\/?\*+ ?/, ''));
    const blocks = lines
      .join('\n')
      .split(/^@example\b/m)
      .slice(1);
    return blocks.map((block) => {
      const [, code] = /^\s*```ts\n(.*?)\n```/s.exec(block) ?? [];
      if (code === undefined) throw new Error(`The @example of src/${place} does not begin with a block of \`ts\``);
      return { place, code };
    });
  });
}

/** The entries of the package as the sources that they are built from. */
function fromSources(code: string): string {
  return code.replace(/(?<=from ')carillon[\w/]*(?=')/g, (name) => entries.get(name) ?? name);
}

function compileExamples(all: Example[]): { place: string | undefined; message: string }[] {
  const files = new Map(all.map(({ code }, index) => [`example-${index}.ts`, `${fromSources(code)}\nexport {};\n`]));
  return compile(files).map(({ file, message }) => ({
    place: all[Number(/\d+/.exec(file)?.[0])]?.place ?? file,
    message,
  }));
}

describe('the examples in the comments of the sources', () => {
  it('compile against the package, every one of them', () => {
    expect(examples.length).toBeGreaterThan(30);
    expect(compileExamples(examples)).toEqual([]);
  });

  it('are looked at: a misspelt name in one is found where it stands', () => {
    const text = "/** Makes it.\n * @example\n * ```ts\n * import { createClent } from 'carillon';\n * ```\n */";
    expect(compileExamples(findExamples('a.ts', `\n${text}`))).toEqual([
      { place: 'a.ts:2', message: expect.stringContaining('createClent') },
    ]);
    expect(() => findExamples('a.ts', '/** @example createClient() */')).toThrow('src/a.ts:1');
  });
});

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
      // Methods have their examples, and their tests, in the generated interfaces.
      if (!declaration || declaration.getSourceFile().fileName.includes('/generated/')) return [];
      const isFunction = checker.getTypeOfSymbol(target).getCallSignatures().length > 0;
      return isFunction
        ? [{ entry, name: exported.name, tags: target.getJsDocTags(checker).map((tag) => tag.name) }]
        : [];
    });
  });

  it('has an example, whichever entry it comes from', () => {
    expect(functions.map(({ name }) => name)).toEqual(expect.arrayContaining(['createClient', 'isApiError']));
    const without = functions.filter(({ tags }) => !tags.includes('example'));
    expect(without.map(({ entry, name }) => `${entry}: ${name}`)).toEqual([]);
  });
});
