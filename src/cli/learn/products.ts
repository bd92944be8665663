import { openPoints } from '../../../generated/open-points.ts';
import { operations } from '../../../generated/operations.ts';
import { type Product, productNames } from '../../../generated/products.ts';
import { replies } from '../../../generated/replies.ts';
import type { OperationTable } from '../../shared/operation.ts';
import type { Replies, UndocumentedPoint } from '../../shared/replies.ts';

/** Generated data of one product that `carillon learn` needs. */
export interface LearntProduct {
  readonly name: Product;
  readonly operations: OperationTable;
  readonly replies: Replies;
  readonly points: readonly UndocumentedPoint[];
}

/** The products, in the order of the documents. */
export const learntProducts: readonly LearntProduct[] = productNames.map((name) => ({
  name,
  operations: operations[name],
  replies: replies[name],
  points: openPoints[name],
}));
