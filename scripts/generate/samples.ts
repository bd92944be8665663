import { join } from 'node:path';
import { listOperations, type Spec, type SpecOperation } from '../spec/model.ts';
import { header } from './header.ts';
import { curlSample } from './samples-curl.ts';
import { methodSample, pathSample } from './samples-typescript.ts';

/** The samples of an operation, named by the ends of their files' names. */
export const sampleKinds = ['method.ts', 'path.ts', 'curl.sh'] as const;
export type SampleKind = (typeof sampleKinds)[number];

const writers: Record<SampleKind, (operation: SpecOperation) => string> = {
  'method.ts': methodSample,
  'path.ts': pathSample,
  'curl.sh': curlSample,
};

/** Where a sample stands in the folder of its spec. */
export function sampleFile({ operationId }: SpecOperation, kind: SampleKind): string {
  return join('samples', `${operationId}.${kind}`);
}

/** Programs that call every operation with the examples of the spec: path in the folder of the spec → text. */
export function generateSamples(spec: Spec): Map<string, string> {
  const comment = header(`spec/${spec.name}.yaml`);
  // Without `-e`, the last command alone would decide whether the program failed.
  const heads = { 'method.ts': comment, 'path.ts': comment, 'curl.sh': `${comment.replace('//', '#')}set -eu\n` };
  const texts = new Map<string, string>();
  for (const operation of listOperations(spec)) {
    for (const kind of sampleKinds) {
      texts.set(sampleFile(operation, kind), `${heads[kind]}\n${writers[kind](operation)}`);
    }
  }
  return texts;
}

/** The part of a sample's file that readers need: all but its head, which ends at the first empty line. */
export function withoutHead(text: string): string {
  return text.slice(text.indexOf('\n\n') + 2).trimEnd();
}
