import { describe, expect, it } from 'vitest';
import { modelSpec } from '../../../../scripts/generate/model/operation-model.ts';
import { renderLlmsFull } from '../../../../scripts/generate/outputs/llms.ts';
import { specNames } from '../../../../scripts/spec/files.ts';
import { loadSpec } from '../../../../scripts/spec/model.ts';
import { gapTextsIn } from '../../docs/redoc/gap-texts.ts';

const models = specNames.map((name) => modelSpec(loadSpec(name)));
const full = renderLlmsFull(models);

/** A method's section, from its heading to the next one. */
function sectionOf(method: string): string {
  return full.split(`\n## ${method}\n`)[1]?.split(/\n##? /)[0] ?? '';
}

describe('llms-full.txt', () => {
  it.each(models.flatMap(({ operations }) => operations))(
    'has for $operationId its rules, its failures, and the gaps of its request',
    (operation) => {
      const { spec, place, bodyModel, operation: source } = operation;
      const body = bodyModel && spec.openapi.components.schemas[bodyModel];
      const section = sectionOf(`${spec.name}.${place}`);
      const { 'x-rules': rules = [], 'x-errors': errors = {} } = source;
      const texts = [
        ...rules.map(({ text }) => text.trim()),
        ...Object.entries(errors).map(([code, { meaning }]) => `- code ${code}: ${meaning}`),
      ];
      for (const text of texts) expect(section).toContain(withMethods(text));
      for (const text of [...gapTextsIn(source), ...gapTextsIn(body)]) expect(section).toContain(text);
    },
  );

  it('has every gap and conflict of records and other shared parts, and of each whole document', () => {
    for (const { spec } of models) {
      const texts = [
        ...gapTextsIn(spec.openapi.info),
        ...gapTextsIn(spec.openapi.components, ['x-open', 'x-conflict']),
      ];
      for (const text of texts) expect(full).toContain(text);
    }
  });
});

/** The file names methods instead of paths. */
function withMethods(text: string): string {
  return models
    .flatMap(({ operations }) => operations)
    .reduce((all, { key, spec, place }) => all.replaceAll(`\`${key}\``, `\`${spec.name}.${place}\``), text);
}
