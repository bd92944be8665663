import { expect, it } from 'vitest';
import { modelSpec } from '../../../scripts/generate/model/operation-model.ts';
import { renderLlmsFull } from '../../../scripts/generate/outputs/llms.ts';
import { generateModels } from '../../../scripts/generate/outputs/models.ts';
import { buildReference } from '../../../scripts/generate/outputs/reference.ts';
import { loadSpec } from '../../../scripts/spec/model.ts';
import { typeText } from '../../../src/cli/catalogue/type-text.ts';

it('a deprecated field is deprecated for the compiler, the commands and llms-full.txt', () => {
  const spec = structuredClone(loadSpec('crm'));
  const { firstName } = spec.openapi.components.schemas.ContactCreate?.properties ?? {};
  if (firstName) firstName.deprecated = true;
  const model = modelSpec(spec);
  expect(generateModels(model)).toMatch(/First name\.\s+(?:\*[^/]*\s+)?\* @deprecated/);
  const field = buildReference(model).schemas.ContactCreate?.properties?.firstName ?? {};
  // The text for a field in help and `describe`.
  expect(typeText(field)).toMatch(/deprecated$/);
  expect(renderLlmsFull([model])).toContain(`\`firstName\` (${typeText(field)})`);
});
