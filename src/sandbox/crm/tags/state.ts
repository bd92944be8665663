import type { ContactTag } from '../../../../generated/crm/models.ts';
import type { Ledger } from '../../data/ledger.ts';
import { Table } from '../../data/table.ts';

export interface TagsState {
  tags: Table<number, ContactTag>;
}

export function emptyTags(ledger: Ledger): TagsState {
  return { tags: new Table(ledger, 'crm.tags', ({ id }) => id) };
}

export function seedTags({ tags }: TagsState): void {
  const vip = { id: 15, name: 'VIP', colorText: '#000000', colorBackground: '#ffd54f' };
  for (const tag of [vip, { id: 16, name: 'Newsletter' }]) tags.put(tag);
}
