import { describe, expect, it } from 'vitest';
import { consoleLink } from '../../../scripts/docs/try/console-link.ts';
import { fillRequest } from '../../../scripts/docs/try/ready-request.ts';
import { tryData } from '../../../scripts/docs/try-documents.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../../scripts/spec/model.ts';

const specs = specNames.map((name) => loadSpec(name));

/** What the console reads when a reader follows a link. */
function follow(link: string) {
  const { documents } = tryData(specs);
  const place = fillRequest(documents, new URL(link, 'file:///site/').searchParams);
  const operations = documents.flatMap(({ content }) => Object.values(content.paths).flatMap(Object.values));
  const id = place?.section.split('/').at(-1);
  const operation = operations.find(({ operationId }) => operationId === id);
  const [first] = Object.values<{ value: unknown }>(
    operation?.requestBody?.content['application/json']?.examples ?? {},
  );
  return { place, parameters: operation?.parameters, body: first?.value };
}

describe('a link to the console', () => {
  it('names the operation, and leads to its section, for every operation', () => {
    const { documents } = tryData(specs);
    const operations = specs.flatMap(listOperations);
    const sections = operations.map(({ operationId }) => {
      const link = consoleLink(operationId);
      expect(link).toBe(`try.html?operation=${operationId}`);
      return fillRequest(documents, new URL(link, 'file:///').searchParams);
    });
    expect(sections.map((place) => [place?.document, place?.section.split('/').at(-1)])).toEqual(
      operations.map(({ spec, operationId }) => [spec.name, operationId]),
    );
    expect(sections).toContainEqual({ document: 'crm', section: 'crm/tag/deal-attributes/createDealAttributeValue' });
  });

  it('fills in the parameters and the example that it names', () => {
    const { parameters, body } = follow(consoleLink('updateDeal', { example: 'failed', parameters: { dealId: 777 } }));
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'dealId', in: 'path', example: '777' }));
    const documented = specs.flatMap(listOperations).find(({ operationId }) => operationId === 'updateDeal');
    expect(body).toEqual(documented?.body?.examples.failed?.value);
  });

  it('fills in a body of its own', () => {
    expect(follow(consoleLink('createTag', { body: { name: 'A & B = "C"' } })).body).toEqual({ name: 'A & B = "C"' });
  });

  it('to an operation that does not exist leads to the console as it is, and so does a body that is not JSON', () => {
    expect(follow('try.html?operation=nothing').place).toBeUndefined();
    expect(follow('try.html').place).toBeUndefined();
    expect(follow('try.html?operation=createTag&body={').body).toEqual(follow(consoleLink('createTag')).body);
  });
});
