import { describe, expect, it } from 'vitest';
import { collectErrorCodes, collectStatuses } from '../../../scripts/docs/error-codes.ts';
import { renderErrorsPage } from '../../../scripts/docs/errors-page.ts';
import { linkCodes } from '../../../scripts/docs/fact-links.ts';
import { inlineCode } from '../../../scripts/docs/html.ts';
import { readReference } from '../../../scripts/docs/site.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { listErrorCodes } from '../../../scripts/spec/rules.ts';

const references = specNames.map((name) => readReference(loadSpec(name)));
const documented = references.flatMap(({ spec }) => listErrorCodes(spec));

describe('the page of error codes', () => {
  const page = renderErrorsPage(references, []);

  it('has one anchor for each documented code, with its meaning, rule, operation, and what to do', () => {
    const codes = collectErrorCodes(references);
    expect(codes.map(({ code }) => code)).toEqual(documented.toSorted());
    for (const { code, rule, operations, advice } of codes) {
      expect(page).toContain(`<dt>What to do</dt><dd>${inlineCode(advice).source}</dd>`);
      expect(page.split(`id="${code}"`), code).toHaveLength(2);
      expect(page).toContain(`href="rules.html#${rule.id}"`);
      expect(operations.length).toBeGreaterThan(0);
    }
    expect(page).toContain('<h2 id="3087"><code>3087</code> The template belongs to another sender.</h2>');
    expect(page).toContain('href="messaging.html#/campaigns/createcampaign"');
    expect(page).toContain('href="try.html?operation=createCampaign"');
  });

  it('names the statuses that are documented, each with the class of its error', () => {
    expect([...collectStatuses(references).keys()]).toEqual(['404', '422']);
    expect(page).toMatch(/id="404">404<\/code><\/td><td[^>]*><code>NotFoundError</);
    expect(page).toMatch(/id="422">422<\/code><\/td><td[^>]*><code>UnprocessableEntityError</);
  });
});

describe('a code in a text', () => {
  it('links to its place on the page of error codes', () => {
    expect(linkCodes('It is refused with code 3086 (not 3087).')).toBe(
      'It is refused with [code 3086](errors.html#3086) (not 3087).',
    );
  });
});
