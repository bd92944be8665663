import { expect, it } from 'vitest';
import { readFacts } from '../../../../scripts/generate/outputs/facts.ts';
import { specNames } from '../../../../scripts/spec/files.ts';
import { loadSpec, type Spec } from '../../../../scripts/spec/model.ts';

it.each(specNames)('spec/%s.yaml states every fact that code needs', (name) => {
  for (const [fact, value] of Object.entries(readFacts(loadSpec(name))))
    expect(typeof value, fact).toMatch(/number|string/);
});

it('generation fails and names the fact if a spec does not state a limit that code needs', () => {
  const spec: Spec = structuredClone(loadSpec('messaging'));
  const { variables } = spec.openapi.components.schemas.CampaignCreate?.properties ?? {};
  if (typeof variables?.additionalProperties !== 'object') return expect.unreachable();
  delete variables.additionalProperties.maxLength;
  expect(() => readFacts(spec)).toThrow("spec/messaging.yaml does not state 'maxVariableLength'");
});
