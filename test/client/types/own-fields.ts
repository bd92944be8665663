/**
 * One augmentation of `DealFields` applies by method and by path, to requests and responses. Checked by `tsc`, never run.
 * `test/system/package` checks the packed declarations in the same way.
 */
import { expectTypeOf } from 'vitest';
import type { Client } from '../../../src/client/index.ts';

declare module '../../../src/client/crm.ts' {
  interface DealFields {
    contract_number?: string;
  }
}

export async function byMethod(api: Client): Promise<void> {
  const created = await api.crm.deals.create({ pipelineId: 1, stepId: 11, contract_number: 'C-1' });
  expectTypeOf(created.contract_number).toEqualTypeOf<string | undefined>();
  const required = { dealId: 501, pipelineId: 1, stepId: 12, name: 'Renewal', price: 100, status: 1 } as const;
  await api.crm.deals.update({ ...required, contract_number: 'C-2' });
  // A detailed deal is a deal.
  expectTypeOf((await api.crm.deals.get({ dealId: 501 })).contract_number).toEqualTypeOf<string | undefined>();
  for await (const deal of api.crm.deals.list()) expectTypeOf(deal.contract_number).toEqualTypeOf<string | undefined>();
  // @ts-expect-error a number for a field that was declared as a string
  await api.crm.deals.create({ pipelineId: 1, stepId: 11, contract_number: 7 });
  // @ts-expect-error a misspelt field of the account's own
  await api.crm.deals.create({ pipelineId: 1, stepId: 11, contract_nummer: 'C-1' });
  // @ts-expect-error a field of another record
  await api.crm.contacts.create({ firstName: 'Ann', contract_number: 'C-1' });
}

export async function byPath(api: Client): Promise<void> {
  const body = { pipelineId: 1, stepId: 11, contract_number: 'C-1' };
  const { data } = await api.crm.POST('/deals', { body });
  expectTypeOf(data?.contract_number).toEqualTypeOf<string | undefined>();
  await api.crm.PUT('/deals/{dealId}', {
    params: { path: { dealId: 501 } },
    body: { pipelineId: 1, stepId: 12, name: 'Renewal', price: 100, status: 1, contract_number: 'C-2' },
  });
  // @ts-expect-error a misspelt field of the account's own
  await api.crm.POST('/deals', { body: { pipelineId: 1, stepId: 11, contract_nummer: 'C-1' } });
  const { data: list } = await api.crm.POST('/deals/get-list', {});
  expectTypeOf(list?.[0]?.contract_number).toEqualTypeOf<string | undefined>();
}
