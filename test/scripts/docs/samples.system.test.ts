import { describe, expect, it } from 'vitest';
import { toDocument } from '../../../scripts/docs/document.ts';
import { pickSamples } from '../../../scripts/docs/sample-picker.ts';
import { casesOf } from '../../../scripts/samples/cases.ts';
import { sampleLanguages } from '../../../scripts/samples/languages.ts';
import { specNames } from '../../../scripts/spec/files.ts';
import { listOperations, loadSpec, lookUp } from '../../../scripts/spec/model.ts';

describe('the samples of the reference', () => {
  it.each(specNames)('are those of %s that the tests run, in every language', (name) => {
    const spec = loadSpec(name);
    const document = toDocument(spec);
    for (const operation of listOperations(spec)) {
      const pointer = `#/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}/x-codeSamples`;
      // After the first example, a label names its example: Redoc's picker of examples finds the sample by it.
      const samples = casesOf(operation).flatMap(({ example, operation: reduced }, index) =>
        sampleLanguages.map(({ highlight, label, write }) => ({
          lang: highlight,
          label: index === 0 ? label : `${label}|${example}`,
          source: write(reduced).trimEnd(),
        })),
      );
      expect(lookUp(document, pointer), operation.operationId).toEqual(samples);
    }
  });

  it('need a Redoc that looks a sample up as this one does', () => {
    expect(() => pickSamples('another program')).toThrow(/0 lookups of a code sample instead of 1/);
  });
});
