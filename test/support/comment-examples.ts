import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../scripts/spec/files.ts';

/** The code of an `@example`. */
export interface Example {
  /** Position of the comment: `core/options.ts:12`. */
  place: string;
  code: string;
}

const source = join(repositoryRoot, 'src');

/** Every `@example` in the comments of the sources. */
export const examples = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/^\w+[\\/](?:dist|node_modules)[\\/]/.test(name))
  .sort()
  .flatMap((name) => findExamples(name, readFileSync(join(source, name), 'utf8')));

/** The code of every `@example` in a source text. Throws for one without code. */
export function findExamples(name: string, text: string): Example[] {
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
