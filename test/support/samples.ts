import { casesOf } from '../../scripts/samples/cases.ts';
import { type SampleLanguage, sampleLanguages } from '../../scripts/samples/languages.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../scripts/spec/model.ts';

export interface Sample {
  /** Such as `crm/createDeal.minimal.typescript.ts`. The text is only in memory. */
  name: string;
  text: string;
  language: SampleLanguage;
  operation: SpecOperation;
}

export const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));

/** The samples of every operation in a language, one for each example of its request. */
export function samplesIn(language: SampleLanguage): Sample[] {
  const found = sampleLanguages.find(({ id }) => id === language);
  if (!found) throw new Error(`No sample language is called ${language}`);
  return operations.flatMap((operation) =>
    casesOf(operation).map(({ example, operation: reduced }) => ({
      name: [`${operation.spec.name}/${operation.operationId}`, example, found.id, found.extension]
        .filter((part) => part !== undefined)
        .join('.'),
      text: found.write(reduced),
      language,
      operation,
    })),
  );
}
