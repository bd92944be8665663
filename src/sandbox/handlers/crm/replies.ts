import type * as Models from '../../../../generated/crm/models.ts';
import type { Context } from '../../handler.ts';
import type { StoredDeal } from '../../state/crm.ts';
import { given } from './fields.ts';

/** The definition of an attribute, where the pipeline of the deal has it. */
export function definitionFor(
  context: Context,
  deal: StoredDeal,
  attributeId: number,
): Models.DealAttribute | undefined {
  return context.state.crm.pipelines.get(deal.record.pipelineId)?.attributes.get(attributeId);
}

/** A deal as replies carry it. */
export function dealReply(context: Context, deal: StoredDeal): Models.Deal {
  const attributes: Models.AttributeValueInput[] = [];
  for (const [attributeId, value] of deal.values) {
    if (definitionFor(context, deal, attributeId)) attributes.push({ attributeId, value });
  }
  if (attributes.length > 0) context.chose('deal-values-as-pairs');
  if (attributes.length < deal.values.size) context.chose('values-follow-pipeline');
  return { ...deal.record, contact: [...deal.contacts], attributes };
}

/** The value of an attribute, with what its definition says of it. */
export function attributeValueReply(
  context: Context,
  { id, type, status, options }: Models.DealAttribute | Models.ContactAttribute,
  value: string,
): Models.DealAttributeValue & Models.ContactAttributeValue {
  context.chose('facts-without-field-names');
  return {
    attributeId: id,
    value,
    ...given({ type, status, options }),
  };
}

/** A list in display order, whose place in it the documents leave open for records without an order. */
export function listedByOrder<Entry extends { order?: number }>(context: Context, records: Iterable<Entry>): Entry[] {
  const listed = byOrder(records);
  if (listed.length > 1) context.chose('listed-by-order');
  return listed;
}

/** A list for which the documents name no order. */
export function listedByAge<Entry>(context: Context, records: Iterable<Entry>): Entry[] {
  const listed = [...records];
  if (listed.length > 1) context.chose('listed-by-age');
  return listed;
}

/** Records in their display order; those without one last, by age. */
export function byOrder<Entry extends { order?: number }>(records: Iterable<Entry>): Entry[] {
  return [...records].sort((one, other) => (one.order ?? Infinity) - (other.order ?? Infinity) || 0);
}
