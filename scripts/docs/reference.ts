import type { Spec, SpecOperation } from '../spec/model.ts';
import type { Page } from './layout.ts';
import type { OpenGroup } from './open-points.ts';

/** A spec with the data that the pages need. */
export interface Reference {
  spec: Spec;
  page: Page;
  operations: SpecOperation[];
  openGroups: OpenGroup[];
}
