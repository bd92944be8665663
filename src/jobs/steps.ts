import type { JobDefinition, JobStep, Json } from './types.ts';

/** A step of one row: a repeated one is several. */
export interface RowStep {
  readonly name: string;
  readonly index: number;
  readonly step: JobStep;
}

/** The next step of a row: the first that concerns it and has no result. */
export function nextStep(
  { steps }: Pick<JobDefinition, 'steps'>,
  values: Json,
  results: Readonly<Record<string, Json>>,
): RowStep | undefined {
  return stepsOf(steps, values).find(({ name }) => !Object.hasOwn(results, name));
}

function stepsOf(steps: readonly JobStep[], values: Json): RowStep[] {
  return steps
    .filter((step) => step.applies?.(values) ?? true)
    .flatMap((step) =>
      step.each
        ? step.each(values).map((_, index) => ({ name: `${step.name} ${index + 1}`, index, step }))
        : [{ name: step.name, index: 0, step }],
    );
}
