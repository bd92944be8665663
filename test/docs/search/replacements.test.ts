import { describe, expect, it } from 'vitest';
import { markForSearch, removeSearchWords, searchWords } from '../../../scripts/docs/markdown.ts';
import { renderMarkdown, renderPage, type SitePage } from '../../../scripts/docs/page.ts';
import { searchReplacements } from '../../../scripts/docs/search/replacements.ts';

const page: SitePage = {
  path: '/crm/deals/update/',
  title: 'Update a deal',
  description: 'Updates a deal.',
  body: [
    'Sets `failReasonId` with `api.crm.deals.update()`. `carts[].price` is a number.',
    '## Error codes',
    searchWords(['cancel', 'undo <it>']),
    '| `3087` | `await send({ data })` |',
  ].join('\n\n'),
  head: { operation: { verb: 'PUT', path: '/crm/v1/deals/{dealId}', method: 'crm.deals.update', id: 'updateDeal' } },
};

describe('names that replace words on no page', () => {
  it('are the names of operations and fields, error codes, and words of titles', () => {
    const { names } = searchReplacements([page]);
    expect(names).toEqual(
      expect.arrayContaining([
        'updateDeal',
        'crm.deals.update',
        '/crm/v1/deals/{dealId}',
        'failReasonId',
        'price',
        '3087',
        'update',
        'codes',
      ]),
    );
  });

  it('exclude code that is more than a name', () => {
    expect(searchReplacements([page]).names.filter((name) => /[\s()[\]]/.test(name))).toEqual([]);
  });
});

describe('search words in Markdown', () => {
  it('are hidden on the page, in brackets that excerpts omit', () => {
    expect(renderPage(page, undefined)).toContain(
      '\n\n<p hidden data-pagefind-weight="8">⟦ cancel, undo &lt;it&gt; ⟧</p>\n\n',
    );
  });

  it('are not in the Markdown that readers copy', () => {
    expect(renderMarkdown(page)).toContain('## Error codes\n\n| `3087` |');
  });

  it('leave all other lines unchanged', () => {
    const code = '```ts\na();\n\n\nb();\n```';
    expect(removeSearchWords(`## A\n\n${searchWords(['a'])}\n\n${code}`)).toBe(`## A\n\n${code}`);
  });

  it('are comments on their own line, so that other comments and code remain', () => {
    const text = 'Write `<!-- search: a -->` there.\n<!-- other -->';
    expect([markForSearch(text), removeSearchWords(text)]).toEqual([text, text]);
  });
});
