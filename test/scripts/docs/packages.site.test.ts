import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { describe, expect, it, onTestFinished } from 'vitest';
import { packagePath } from '../../../scripts/docs/addresses.ts';
import { packageEntries } from '../../../scripts/docs/package-entries.ts';
import { siteFolder } from '../../../scripts/docs/site.ts';
import { repositoryRoot } from '../../../scripts/spec/files.ts';

const entries = packageEntries();
const pageOf = (name: string): Promise<string> => readFile(join(siteFolder, packagePath(name), 'index.html'), 'utf8');

describe('the pages of the packages', () => {
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

  it.each(entries)('have one for $name, with its title and a description', async ({ name }) => {
    const page = await pageOf(name);
    expect(page).toContain(`<h1 id="_top" class="astro-`);
    expect(/<h1[^>]*>([^<]*)<\/h1>/.exec(page)?.[1]?.trim()).toBe(name);
    expect(page).toMatch(new RegExp(`<meta name="description" content="${name}: [^"]{20,}"`));
  });

  it('include every name that users can import, on the page of one of the modules', async () => {
    const names = entries.flatMap(({ name, file }) => {
      const module = program.getSourceFile(file);
      const symbol = module && checker.getSymbolAtLocation(module);
      if (!symbol) throw new Error(`${name} exports nothing`);
      return checker.getExportsOfModule(symbol).map((exported) => exported.name);
    });
    expect(names.length).toBeGreaterThan(500);
    const pages = (await Promise.all(entries.map(({ name }) => pageOf(name)))).join('');
    const headings = Array.from(pages.matchAll(/<h3[^>]*>(?:<[^>]*>|abstract|\s)*(\w+)/g), ([, heading]) => heading);
    const namespaces = Array.from(pages.matchAll(/\/namespaces\/\w+\/"[^>]*>(\w+)/g), ([, heading]) => heading);
    const shown = new Set([...headings, ...namespaces]);
    const missing = names.filter((name) => !shown.has(name));
    expect(missing).toEqual([]);
  });

  it('show how to call a function', async () => {
    const page = await pageOf('carillon-sandbox');
    const section = page.slice(page.indexOf('<h3 id="createsandbox"'));
    expect(section.slice(0, section.indexOf('<h3 id=', 1))).toContain('carillon-sandbox');
  });

  it('omit the rules and choices of the sandbox, which have their own page', async () => {
    const page = await pageOf('carillon-sandbox');
    expect(page).toContain('href="/reference/rules/"');
    expect(page).not.toContain('deal-update-overwrites');
  });
});

describe('the build of these pages', () => {
  /** Converts a module as the build does. */
  async function convert(source: string): Promise<string[]> {
    const require = createRequire(join(repositoryRoot, 'docs', 'package.json'));
    const { Application, Logger, LogLevel } = await import(pathToFileURL(require.resolve('typedoc')).href);
    const folder = await mkdtemp(join(tmpdir(), 'carillon-typedoc-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'index.ts');
    await writeFile(file, `/**\n * A module.\n * @module example\n */\n${source}`);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'example', version: '1.0.0' }));
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
    const app = await Application.bootstrapWithPlugins({
      plugin: [require.resolve('typedoc-plugin-markdown'), join(repositoryRoot, 'docs', 'typedoc', 'plugin.ts')],
      entryPoints: [file],
      tsconfig: join(folder, 'tsconfig.json'),
      skipErrorChecking: true,
      disableSources: true,
      name: 'example',
      logLevel: LogLevel.None,
      validation: { notDocumented: true, notExported: true, invalidLink: true },
    });
    const messages: string[] = [];
    app.logger = new (class extends Logger {
      log(message: string, level: number): void {
        super.log(message, level);
        if (level >= LogLevel.Warn) messages.push(message);
      }
    })();
    await app.convert().catch((error: unknown) => messages.push(String(error)));
    return messages;
  }

  it('accepts documented names', async () => {
    expect(await convert('/** Adds one. */\nexport const one = 1;')).toEqual([]);
  });

  it('fails on a public name without a comment, a link without a target, and a type that is used but not exported', async () => {
    const messages = await convert(`export const one = 1;
/** See {@link Nothing}. */
export const two = 2;
/** A number. */
interface Inner { }
/** Uses it. */
export function use(inner: Inner): void { inner; }`);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/one \(Variable\).* does not have any documentation/),
        expect.stringContaining('Failed to resolve link to "Nothing"'),
        expect.stringMatching(/Inner, .* is referenced by .* but not included/),
      ]),
    );
    expect(messages.at(-1)).toMatch(/^Error: The comments of public names are not complete/);
  });
});
