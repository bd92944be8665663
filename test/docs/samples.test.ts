import { describe, expect, it } from 'vitest';
import { codeSamples } from '../../scripts/docs/samples.ts';
import { generateSamples, sampleFile } from '../../scripts/generate/samples.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec } from '../../scripts/spec/model.ts';

describe('the samples of the reference', () => {
  it.each(specNames)('are those of %s that are generated, without their heads', (name) => {
    const spec = loadSpec(name);
    const files = generateSamples(spec);
    for (const operation of listOperations(spec)) {
      const [method, path, curl] = codeSamples(operation);
      expect([method?.label, path?.label, curl?.label]).toEqual(['TypeScript', 'TypeScript by path', 'curl']);
      expect(files.get(sampleFile(operation, 'method.ts'))).toContain(`\n\n${method?.source}\n`);
      expect(files.get(sampleFile(operation, 'path.ts'))).toContain(`\n\n${path?.source}\n`);
      expect(files.get(sampleFile(operation, 'curl.sh'))).toContain(`\n\n${curl?.source}\n`);
      expect(method?.source).toMatch(/^import { createClient } from 'carillon';\n/);
      expect(curl?.source).toMatch(/^base_url=/);
    }
  });

  it('are missed where the operation has none yet, with the command that makes them', () => {
    const [operation] = listOperations(loadSpec('crm'));
    if (!operation) throw new Error('No operations');
    expect(() => codeSamples({ ...operation, operationId: 'listNothing' })).toThrow(
      'There is no generated/crm/samples/listNothing.method.ts: run `npm run generate`',
    );
  });
});
