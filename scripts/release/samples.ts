import { casesOf } from '../samples/cases.ts';
import { sampleLanguages } from '../samples/languages.ts';
import { specNames } from '../spec/files.ts';
import { listOperations, loadSpec } from '../spec/model.ts';

/** Prints every TypeScript sample as JSON: name → program. */
export async function printSamples(): Promise<number> {
  const programs = specNames.flatMap((name) =>
    listOperations(loadSpec(name)).flatMap((operation) =>
      sampleLanguages
        .filter(({ extension }) => extension === 'ts')
        .flatMap(({ id, write }) =>
          casesOf(operation).map(({ example, operation: reduced }) => [
            ['sample', operation.operationId, example, id].filter(Boolean).join(' '),
            write(reduced),
          ]),
        ),
    ),
  );
  console.log(JSON.stringify(Object.fromEntries(programs)));
  return 0;
}
