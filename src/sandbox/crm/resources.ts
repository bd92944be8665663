import { joinResources } from '../data/resource.ts';
import { type BoardsTables, boards } from './boards.ts';
import { type CrmCommonTables, crmCommon } from './common.ts';
import { type ContactAttributesTables, contactAttributes } from './contact-attributes.ts';
import { type ContactsTables, contacts } from './contacts/contacts.ts';
import { type DealsTables, deals } from './deals/deals.ts';
import { type MessengerTypesTables, messengerTypes } from './messenger-types.ts';
import { type PaymentsTables, payments } from './payments.ts';
import { type DealAttributesTables, dealAttributes } from './pipelines/deal-attributes.ts';
import { type FailReasonsTables, failReasons } from './pipelines/fail-reasons.ts';
import { type PipelinesTables, pipelines } from './pipelines/pipelines.ts';
import { type StepsTables, steps } from './pipelines/steps.ts';
import { type TagsTables, tags } from './tags.ts';
import { type TeamTables, team } from './team.ts';
import { token } from './token.ts';

/**
 * Tables of CRM data. The `record` of an item holds response fields. Its other properties hold state that only the
 * sandbox uses.
 */
export interface CrmState
  extends CrmCommonTables,
    TeamTables,
    PipelinesTables,
    StepsTables,
    DealAttributesTables,
    FailReasonsTables,
    ContactsTables,
    ContactAttributesTables,
    MessengerTypesTables,
    DealsTables,
    TagsTables,
    PaymentsTables,
    BoardsTables {}

/**
 * The CRM resources.
 *
 * @internal
 */
export const crm = joinResources({
  common: crmCommon,
  team,
  pipelines,
  steps,
  dealAttributes,
  failReasons,
  contacts,
  contactAttributes,
  messengerTypes,
  // The seed of deals links deals to contacts, so contacts come first.
  deals,
  tags,
  payments,
  boards,
  token,
});
