import { describe, expect, it } from 'vitest';
import { linkCodes } from '../../../scripts/docs/fact-links.ts';
import { renderMarkdown } from '../../../scripts/docs/guide-markdown.ts';
import { readGuides } from '../../../scripts/docs/guides.ts';
import { Html } from '../../../scripts/docs/html.ts';
import { findMethods, linkMethods } from '../../../scripts/docs/method-links.ts';
import { anchorOf } from '../../../scripts/docs/open-points.ts';
import { describeCall, describeMore } from '../../../scripts/docs/operation-hub.ts';
import { readReference } from '../../../scripts/docs/site.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';

const guides = readGuides();
const references = specNames.map((name) => readReference(loadSpec(name)));

function find(operationId: string) {
  for (const { operations, openGroups } of references) {
    const operation = operations.find((one) => one.operationId === operationId);
    if (operation) return { operation, openGroups };
  }
  throw new Error(`${operationId} is not in the specs`);
}

describe('an operation of the reference', () => {
  it('begins with its method, its path with the base, its client method, and a link to the console', () => {
    const text = describeCall(find('updateDeal').operation);
    expect(text.replace(/<[^>]*>/g, '')).toBe('PUT /crm/v1/deals/{dealId} api.crm.deals.update() Try it');
    expect(text).toContain('href="try.html?operation=updateDeal"');
  });

  it('names the guides that use it, and its entry among the gaps', () => {
    const { operation, openGroups } = find('createDeal');
    expect(describeMore(operation, openGroups, guides)).toEqual([
      '**Open points.** [What is not documented here](open.html#createDeal) (1)',
      expect.stringContaining('[Errors and retries](guide-errors.html)'),
    ]);
  });

  it('has no line for what it does not have', () => {
    const { operation } = find('createDeal');
    expect(describeMore(operation, [], [])).toEqual([]);
  });
});

describe('a method in the code of a guide', () => {
  it.each([
    ['in a line of text', '<code>api.crm.deals.create()</code>'],
    [
      'in highlighted code',
      '<code>api.<span class="a">crm</span>.<span class="a">deals</span>.<span class="b c_">create</span>({</code>',
    ],
    ['on several lines', '<code>api.crm\n  .deals.create({</code>'],
  ])('links to its operation: %s', (_, source) => {
    const linked = linkMethods(new Html(source)).source;
    expect(linked).toContain('<a class="method" href="crm.html#/deals/createdeal">');
    expect(linked.replace(/<\/?a\b[^>]*>/g, '')).toBe(source);
  });

  it.each([
    ['of another object', '<code>email.toLowerCase()</code>'],
    ['outside code', '<p>api.crm.deals.create</p>'],
    ['in a link', '<a href="x"><code>api.crm.deals.create()</code></a>'],
    ['that does not exist', '<code>api.crm.deals.burn()</code>'],
  ])('does not link if it is a name %s', (_, source) => {
    expect(linkMethods(new Html(source)).source).toBe(source);
  });

  it.each(guides)('is a link wherever $name uses it', (guide) => {
    const page = linkMethods(renderMarkdown(guide, guides)).source;
    for (const operation of findMethods(guide.content.map(({ raw }) => raw).join(''))) {
      expect(page).toContain(`href="${operation.spec.name}.html${anchorOf(operation)}"`);
    }
  });
});

describe('a rule in the reference', () => {
  it('links the codes that it names', () => {
    const [rule] = (find('createCampaign').operation.operation['x-rules'] ?? []).filter(({ text }) =>
      text.includes('3086'),
    );
    expect(linkCodes(rule?.text ?? '')).toContain('[code 3086](errors.html#3086)');
  });
});
