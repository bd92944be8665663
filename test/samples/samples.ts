import { type SampleKind, sampleFile, sampleKinds } from '../../scripts/generate/samples.ts';
import { generatedPath, specNames } from '../../scripts/spec/files.ts';
import { listOperations, loadSpec, type SpecOperation } from '../../scripts/spec/model.ts';

export interface Sample {
  /** `crm/samples/getDeal.method.ts` */
  name: string;
  file: string;
  kind: SampleKind;
  operation: SpecOperation;
  /** How many calls it makes, where a list has one page. */
  calls: number;
}

/** Every sample that the specs call for, whether its file is there or not. */
export const samples: Sample[] = specNames
  .flatMap((name) => listOperations(loadSpec(name)))
  .flatMap((operation) =>
    sampleKinds.map((kind) => ({
      name: `${operation.spec.name}/${sampleFile(operation, kind)}`,
      file: generatedPath(operation.spec.name, sampleFile(operation, kind)),
      kind,
      operation,
      calls: Math.max(1, Object.keys(operation.body?.examples ?? {}).length),
    })),
  );

export const typescriptSamples = samples.filter(({ kind }) => kind.endsWith('.ts'));
export const curlSamples = samples.filter(({ kind }) => kind === 'curl.sh');
