/** A field that an ES module adds is there in CommonJS: there is one declaration of a record. */
import type { Crm } from 'carillon';
import type { Deal } from 'carillon/crm';

export const deal: Deal = { id: 501, my_field: 'added in augmentation.ts' };
export const same: Crm.Deal['my_field'] = deal.my_field;
// @ts-expect-error a field that nobody added
export const missing = deal.their_field;
