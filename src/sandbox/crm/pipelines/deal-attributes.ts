import * as z from 'zod';
import { AttributeStatus, AttributeType, type DealAttribute } from '../../../../generated/crm/models.ts';
import { zDealAttribute } from '../../../../generated/crm/zod.ts';
import type { Resource } from '../../data/resource.ts';
import { Parts } from './parts.ts';

export interface DealAttributesTables {
  /** Definitions of deal attributes. */
  dealAttributes: Parts<StoredDealAttribute>;
}

export interface StoredDealAttribute {
  pipelineId: number;
  record: DealAttribute;
}

const zStoredDealAttribute = z.object({ pipelineId: z.int(), record: zDealAttribute });

/**
 * Definitions of deal attributes.
 *
 * @internal
 */
export const dealAttributes: Resource<DealAttributesTables, Record<never, string>> = {
  tables: (ledger) => ({ dealAttributes: new Parts(ledger, 'crm.dealAttributes', zStoredDealAttribute) }),

  seed(state) {
    const active = { mandatory: false, status: AttributeStatus.Active };
    const number = { id: 210, name: 'Contract number', type: AttributeType.Text, order: 1, ...active };
    const options = ['Basic', 'Team', 'Enterprise'];
    const plan = { id: 211, name: 'Plan', type: AttributeType.Select, options, order: 2, ...active };
    for (const record of [number, plan]) state.dealAttributes.put({ pipelineId: 1, record });
  },

  choices: {},
};
