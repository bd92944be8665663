import type { Replacements } from '../../../docs/src/search/answer.ts';
import type { SitePage } from '../page.ts';
import synonyms from './synonyms.json' with { type: 'json' };

/**
 * Collects the words that the search can suggest for a word that is on no page: names in code (methods, fields, values,
 * error codes, operationIds, paths), and the words of titles and headings.
 */
export function searchReplacements(pages: readonly SitePage[]): Replacements {
  const names = new Set(pages.flatMap((page) => [...operationNames(page), ...codeNames(page), ...titleWords(page)]));
  return { names: [...names].sort(), synonyms };
}

function operationNames({ head }: SitePage): string[] {
  const { operation } = head ?? {};
  return typeof operation === 'object' && operation !== null ? Object.values(operation) : [];
}

const nameForm = /^[\p{L}\p{N}]+(?:[._-][\p{L}\p{N}]+)*$/u;

/** Names in inline code. From `data[].name`, takes the last part, a field name. */
function codeNames({ body }: SitePage): string[] {
  return Array.from(body.matchAll(/`([^`\n]+)`/g), ([, text = '']) => text)
    .flatMap((text) => [text, text.split(/\[?\]?\./).at(-1) ?? ''])
    .filter((name) => nameForm.test(name) && name.length > 2);
}

function titleWords({ title, body }: SitePage): string[] {
  const headings = Array.from(body.matchAll(/^#{2,4} (.*)$/gm), ([, text = '']) => text);
  return [title, ...headings].flatMap((text) =>
    (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.toLowerCase()),
  );
}
