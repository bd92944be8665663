import ts from 'typescript';
import { escapeHtml } from '../markdown/markdown.ts';

/** Packages that the page of a runnable sample has. */
const runnableImports: ReadonlySet<string> = new Set(['carillon', 'carillon-sandbox']);
const programBlock = /^```ts\n([\s\S]*?)^```$/gm;

/** The programs of a guide that need only the client and the sandbox, as JavaScript. */
export function runnablePrograms(markdown: string): string[] {
  return Array.from(markdown.matchAll(programBlock), ([, code = '']) => code)
    .filter(isRunnable)
    .map(withoutTypes);
}

/** Makes these programs run on their page. */
export function makeRunnable(markdown: string): string {
  return markdown.replace(programBlock, (block, code: string) => {
    if (!isRunnable(code)) return block;
    const program = withoutTypes(code);
    const attribute = program === code ? '' : ` program="${escapeAttribute(program)}"`;
    return `<run-sample${attribute}>\n\n${block}\n\n</run-sample>`;
  });
}

/** Shows the name of a block's file above it: "```json promo.json" is Markdown for people, who see the name in the text. */
export function titleFiles(markdown: string): string {
  return markdown.replaceAll(/^```(\w+) (\S*[./]\S*)$/gm, '```$1 title="$2"');
}

function isRunnable(code: string): boolean {
  const imports = Array.from(code.matchAll(/^import .*?from '([^']+)'/gms), ([, name = '']) => name);
  return imports.length > 0 && imports.every((name) => runnableImports.has(name));
}

/** Removes types, because pages run JavaScript. Does not change a program that has none. */
function withoutTypes(code: string): string {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  });
  const letters = (text: string): string => text.replace(/[\s;,()]/g, '');
  return letters(outputText) === letters(code) ? code : outputText;
}

function escapeAttribute(text: string): string {
  return escapeHtml(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;');
}
