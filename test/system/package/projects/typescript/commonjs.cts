/** A CommonJS module in TypeScript: `import` becomes `require()`. */
import { ApiError, type Client, Crm, createClient, isCarillonError } from 'carillon';
import { createSandbox } from 'carillon-sandbox';

import crm = require('carillon/crm');

const api: Client = createClient({ baseUrl: 'https://api.example.com', auth: null, fetch: createSandbox().fetch });
const status: (typeof crm.DealStatus)['Fail'] = Crm.DealStatus.Fail;
const written: crm.DealStatus = status;

/** A class is a value and a type in both formats, and a guard narrows. */
class OwnError extends ApiError {}
function codeOf(error: unknown): number | undefined {
  if (error instanceof OwnError) return error.status;
  // @ts-expect-error nothing has narrowed it yet
  error.status;
  return isCarillonError(error, 'ApiError') ? error.status : undefined;
}

async function name(dealId: number): Promise<Crm.Deal['name']> {
  // @ts-expect-error a misspelt parameter
  await api.crm.deals.get({ dealID: dealId });
  return (await api.crm.deals.get({ dealId })).name;
}

export = { codeOf, name, written };
