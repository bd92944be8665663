import { references as ofProducts } from '../../../generated/reference.ts';
import { isRecord } from '../../shared/is-record.ts';
import type { OperationReferences } from '../../shared/reference.ts';
import { identityOf } from './values.ts';

const references: OperationReferences = Object.assign({}, ...Object.values(ofProducts));

/**
 * Texts that identify the people whom a call concerns, according to the spec.
 *
 * @param body - the fields of its body
 */
export function peopleIn(operationId: string, body: Readonly<Record<string, unknown>>): string[] {
  const { people, optOuts } = references[operationId] ?? {};
  return (people?.fields ?? [])
    .flatMap((field) => body[field] ?? [])
    .flatMap((person) => {
      const name = isRecord(person) && optOuts ? person[optOuts.field] : person;
      return typeof name === 'string' || typeof name === 'number' ? [identityOf(String(name))] : [];
    });
}
