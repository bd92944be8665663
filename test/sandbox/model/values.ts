import fc from 'fast-check';
import { AttributeStatus, AttributeType } from '../../../generated/crm/models.ts';

/** Values of custom attributes, each with the types that accept it in addition to text. */
const values: Record<string, number[]> = {
  'free text': [],
  '12.5': [AttributeType.Number],
  '2026-11-04 09:30': [AttributeType.Date],
  '2026-02-30 09:30': [],
  Team: [AttributeType.Select],
  '["Team","Basic"]': [AttributeType.MultiSelect],
  'https://shop.example.com/': [AttributeType.Link],
};

export const value = fc.constantFrom(...Object.keys(values));
export const type = fc.constantFrom(...Object.values(AttributeType));
const options = ['Basic', 'Team'];

/** An attribute definition in the form of responses. */
export interface Definition {
  id: number;
  type?: number;
  options?: (string | number)[];
  status?: AttributeStatus;
}

export function fits({ type: wanted }: Definition, given: string): boolean {
  return wanted === undefined || wanted === AttributeType.Text || values[given]?.includes(wanted) === true;
}

/** Fields to create a definition, and the fields of its record without the ID. */
export function definitionOf<Name extends string>(name: Name, chosen: AttributeType) {
  const hasOptions = chosen === AttributeType.Select || chosen === AttributeType.MultiSelect;
  const sent = { name, type: chosen, ...(hasOptions && { options }) };
  return { sent, shown: { ...sent, mandatory: false, status: AttributeStatus.Active } };
}

/** An attribute value in the form of responses. */
export function shownValue({ id, type: shownType, status, options: choices }: Definition, given: string) {
  return { attributeId: id, value: given, type: shownType, status, ...(choices && { options: choices }) };
}
