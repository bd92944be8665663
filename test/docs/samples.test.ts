import { describe, expect, it } from 'vitest';
import { toDocument } from '../../scripts/docs/document.ts';
import { sampleLanguages } from '../../scripts/samples/languages.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, lookUp } from '../../scripts/spec/model.ts';

describe('the samples of the reference', () => {
  it.each(specNames)('are those of %s that the tests run, in every language', (name) => {
    const spec = loadSpec(name);
    const document = toDocument(spec);
    for (const operation of listOperations(spec)) {
      const pointer = `#/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}/x-codeSamples`;
      const samples = sampleLanguages.map(({ highlight, label, write }) => ({
        lang: highlight,
        label,
        source: write(operation).trimEnd(),
      }));
      expect(lookUp(document, pointer), operation.operationId).toEqual(samples);
    }
  });
});
