import type { ContactMessengerTypeId } from '../../../generated/crm/models.ts';
import type { Context } from '../rules/context.ts';
import type { Handlers } from '../rules/handler-types.ts';

/** @internal */
export const messengerTypeHandlers = {
  listMessengerTypes: {
    list: { order: 'listed-by-age', entry: ['messenger-type-fields'] },
    handle: (_request, context) => ({ data: context.list(context.state.crm.messengerTypes.values()) }),
  },
} satisfies Partial<Handlers['crm']>;

/** Rejects a messenger type that is not available for contacts. */
export function checkMessengerType(context: Context, typeId: ContactMessengerTypeId): void {
  const { messengerTypes } = context.state.crm;
  if (messengerTypes.size === 0) {
    context.chose('no-messenger-types');
    return;
  }
  const number = Number(typeId);
  if (messengerTypes.has(number) && String(number) === String(typeId)) return;
  const message = `typeId must be one of the messenger types that GET /messenger-types lists, not ${typeId}.`;
  context.reject('contact-messenger-type-available', { message });
}
