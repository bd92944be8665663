/** A CommonJS module in TypeScript: `import` becomes `require()`. */
import { createClient, isApiError } from 'carillon';

import crm = require('carillon/crm');

const api = createClient({ baseUrl: 'https://api.example.com', auth: null });
const status: (typeof crm.DealStatus)['Fail'] = crm.DealStatus.Fail;

export = { api, status, isApiError };
