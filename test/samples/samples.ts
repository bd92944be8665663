import { type SampleLanguage, sampleLanguages } from '../../scripts/samples/languages.ts';
import { specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../scripts/spec/model.ts';

export interface Sample {
  /** `crm/getDeal.typescript.ts`: no file has this name, the text is in memory only. */
  name: string;
  text: string;
  language: SampleLanguage;
  operation: SpecOperation;
  /** How many calls it makes if a list has one page. */
  calls: number;
}

export const operations = specNames.flatMap((name) => listOperations(loadSpec(name)));

/** The sample of every operation in a language. */
export function samplesIn(language: SampleLanguage): Sample[] {
  const found = sampleLanguages.find(({ id }) => id === language);
  if (!found) throw new Error(`No sample language is called ${language}`);
  return operations.map((operation) => ({
    name: `${operation.spec.name}/${operation.operationId}.${found.id}.${found.extension}`,
    text: found.write(operation),
    language,
    operation,
    calls: Math.max(1, Object.keys(operation.body?.examples ?? {}).length),
  }));
}
