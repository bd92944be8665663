import { z } from 'zod';

const criterion = z.looseObject({ condition: z.string(), type: z.string().optional() });
const step = z.looseObject({ stepId: z.string(), successCriteria: z.array(criterion).min(1) });

/** What the tests look at in a file of workflows. */
export const workflowFile = z.looseObject({
  sourceDescriptions: z.array(z.looseObject({ name: z.string(), url: z.string() })),
  workflows: z.array(z.looseObject({ workflowId: z.string(), steps: z.array(step).min(1) })).min(1),
});

export type WorkflowFile = z.infer<typeof workflowFile>;
type Criterion = z.infer<typeof criterion>;

export function criteriaOf({ workflows }: WorkflowFile): Criterion[] {
  return workflows.flatMap(({ steps }) => steps).flatMap(({ successCriteria }) => successCriteria);
}

/** Makes a criterion expect something that no answer contains; the number keeps the criteria of a step different. */
export function breakCriterion(criterion: Criterion, number = 0): void {
  const { type, condition } = criterion;
  const nothing = `nothing like it ${number}`;
  criterion.condition =
    type === 'regex' ? `^${nothing}$` : condition.replace(/(==|>) ('[^']*'|\{[^}]*\}|[^\s)]+)/, `$1 '${nothing}'`);
}
