import { header } from './header.ts';
import { source } from './literal.ts';
import type { SpecModel } from './operation-model.ts';

/** `quotas.ts`: the documented quotas by operationId, without the validators of `details.ts`. */
export function generateQuotas({ spec, operations }: SpecModel): string {
  const quotas = operations.flatMap(({ operationId, quota }) =>
    quota ? [[operationId, { requests: quota.requests, seconds: quota.seconds, per: quota.per }] as const] : [],
  );
  return `${header(`spec/${spec.name}.yaml`)}
import type { Quota } from '../../src/core/operation-details.ts';

/** Documented quotas over rolling windows, by operationId. */
export const ${spec.name}Quotas: Readonly<Record<string, Quota>> = ${source(Object.fromEntries(quotas))};
`;
}
