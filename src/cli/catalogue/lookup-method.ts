import { type CarillonError, isCarillonError } from 'carillon';
import type { OperationId } from '../../../generated/types.ts';
import { findMethod, type Method, methods } from './methods.ts';

/**
 * Maps an operation to the operation that shows whether a call was processed, if the path and the group do not lead to that
 * operation.
 */
const shownBy: { readonly [Id in OperationId]?: OperationId } = {
  assignTag: 'listContacts',
  unassignTag: 'listContacts',
  requestEmailResubscription: 'listEmailMessages',
  setSubscriberState: 'listWebsiteSubscribers',
};

/** Whether a failed call may have been processed. The caller must then check the outcome before repeating the call. */
export function mayBeDone({ effect }: Method, error: CarillonError): boolean {
  if (effect === 'read') return false;
  return error.sent === 'maybe' || isCarillonError(error, 'ServerError') || isCarillonError(error, 'ResponseError');
}

/**
 * Returns the method that shows whether a call was processed, for use after the response was lost.
 *
 * @returns `undefined` if the method only reads, or if no method shows its effect
 */
export function lookupMethod(method: Method): Method | undefined {
  if (method.effect === 'read') return undefined;
  const [, shown] = Object.entries(shownBy).find(([id]) => id === method.id) ?? [];
  if (shown !== undefined) return methods.find(({ id }) => id === shown);
  return byPath(method) ?? byGroup(method);
}

/** Finds a GET method with the same path or a parent path. For example, `/deals/7/comments` shows `/deals/7/comments/8`. */
function byPath({ path }: Method): Method | undefined {
  const parts = path.split('/');
  for (let length = parts.length; length > 2; length -= 1) {
    const above = parts.slice(0, length).join('/');
    const found = methods.find((other) => other.method === 'GET' && other.path === above);
    if (found) return found;
  }
  return undefined;
}

/** Finds the list method of the group, such as `crm.deals.list` for `crm.deals.create`. */
function byGroup({ words }: Method): Method | undefined {
  for (let length = words.length - 1; length > 1; length -= 1) {
    const group = `${words.slice(0, length).join('.')}.`;
    const found = findMethod(`${group}list`) ?? findMethod(`${group}get`);
    if (found) return found;
  }
  return undefined;
}
