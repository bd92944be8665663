import * as z from 'zod';
import { crmHandlers } from '../../../src/sandbox/crm/handlers.ts';
import type { CrmState } from '../../../src/sandbox/crm/resources.ts';
import { tags } from '../../../src/sandbox/crm/tags.ts';
import { team } from '../../../src/sandbox/crm/team.ts';
import type { Ledger } from '../../../src/sandbox/data/ledger.ts';
import { joinResources, merge } from '../../../src/sandbox/data/resource.ts';
import { Table } from '../../../src/sandbox/data/table.ts';
import type { Handlers } from '../../../src/sandbox/rules/handler-types.ts';

/** Parts that a sandbox resource must have. Only type-checked, never run. */
export function forgotten(ledger: Ledger) {
  interface Colour {
    id: number;
    name: string;
  }
  const key = ({ id }: Colour): number => id;
  const whole = z.object({ id: z.int(), name: z.string() });
  const colours: Table<number, Colour> = new Table(ledger, 'crm.colours', { key, schema: whole });

  // @ts-expect-error a table without a schema
  new Table<number, Colour>(ledger, 'crm.colours', { key });
  // @ts-expect-error a schema without a required field of the record
  new Table<number, Colour>(ledger, 'crm.colours', { key, schema: z.object({ id: z.int() }) });

  const { seed: _, ...unseeded } = tags;
  // @ts-expect-error a resource without a seed
  joinResources({ team, unseeded });

  const product = joinResources({ team, tags });
  // @ts-expect-error a list without most of the resources
  const state: CrmState = product.tables(ledger);
  // @ts-expect-error operations without a handler
  const handlers: Handlers['crm'] = merge([crmHandlers.team, crmHandlers.tags]);
  return { colours, state, handlers };
}
