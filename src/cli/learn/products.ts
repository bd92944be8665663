import { crmOpenPoints } from '../../../generated/crm/open-points.ts';
import { crmOperations } from '../../../generated/crm/operations.ts';
import { crmReplies } from '../../../generated/crm/replies.ts';
import { emailOpenPoints } from '../../../generated/email/open-points.ts';
import { emailOperations } from '../../../generated/email/operations.ts';
import { emailReplies } from '../../../generated/email/replies.ts';
import { messagingOpenPoints } from '../../../generated/messaging/open-points.ts';
import { messagingOperations } from '../../../generated/messaging/operations.ts';
import { messagingReplies } from '../../../generated/messaging/replies.ts';
import type { OperationTable } from '../../shared/operation.ts';
import type { Replies, UndocumentedPoint } from '../../shared/replies.ts';

/** Generated data of one product that `carillon learn` needs. */
export interface LearntProduct {
  readonly name: 'crm' | 'messaging' | 'email';
  readonly operations: OperationTable;
  readonly replies: Replies;
  readonly points: readonly UndocumentedPoint[];
}

/** The products, in the order of the documents. */
export const learntProducts: readonly LearntProduct[] = [
  { name: 'crm', operations: crmOperations, replies: crmReplies, points: crmOpenPoints },
  { name: 'messaging', operations: messagingOperations, replies: messagingReplies, points: messagingOpenPoints },
  { name: 'email', operations: emailOperations, replies: emailReplies, points: emailOpenPoints },
];
