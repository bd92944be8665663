import type { Criterion, WorkflowFile } from './respect.ts';

export function criteriaOf({ workflows }: WorkflowFile): Criterion[] {
  return workflows.flatMap(({ steps }) => steps).flatMap(({ successCriteria }) => successCriteria);
}

/** Makes a criterion fail for every response. The number keeps the criteria of a step different. */
export function breakCriterion(criterion: Criterion, number = 0): void {
  const { type, condition } = criterion;
  const nothing = `nothing like it ${number}`;
  criterion.condition =
    type === 'regex' ? `^${nothing}$` : condition.replace(/(==|>) ('[^']*'|\{[^}]*\}|[^\s)]+)/, `$1 '${nothing}'`);
}
