import type { operations } from '../../../generated/crm/types.ts';
import { findOperation, requestOf } from '../requests.ts';

type Success<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** A copy of the first documented success response of an operation. */
function exampleResponse<Id extends keyof operations>(operationId: Id): Success<Id> {
  const [example] = Object.values(findOperation(operationId).success.examples);
  if (!example) throw new Error(`${operationId} has no example of its response`);
  return JSON.parse(JSON.stringify(example.value));
}

/** The path of an operation below the server's address. */
function addressOf(operationId: string): string {
  const { base, path } = requestOf(operationId);
  return base + path;
}

/** A deal response of exactly `bytes` bytes (pads the name). */
export function dealResponse(bytes: number): string {
  const { data } = exampleResponse('getDeal');
  const missing = bytes - JSON.stringify({ data }).length;
  return JSON.stringify({ data: { ...data, name: data.name + '.'.repeat(missing) } });
}

/** A list of a deal's contacts with at least `bytes` bytes of JSON. */
export function contactsResponse(bytes: number): string {
  const [contact] = exampleResponse('listDealContacts').data;
  const count = Math.ceil(bytes / JSON.stringify(contact).length);
  return JSON.stringify({ data: Array.from({ length: count }, (_, index) => ({ ...contact, id: index + 1 })) });
}

/** The paths of these responses. */
export const addresses = {
  deal: addressOf('getDeal'),
  contacts: addressOf('listDealContacts'),
};

/** Sizes of the two responses used to measure calls. */
export const responseBytes = { deal: 300, contacts: 1_000_000 };
