import { expect, it } from 'vitest';
import { messagingReference } from '../../../generated/messaging/reference.ts';
import { findMethod } from '../../../src/cli/catalogue/index.ts';
import { writeFailure } from '../../../src/cli/mcp/failure.ts';
import { createClient } from '../../../src/client/client.ts';

it('suggests the documented advice as the next step for each code', async () => {
  const method = findMethod('messaging.campaigns.create');
  if (!method?.errors?.['3085']) throw new Error('the code is not documented');
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'my-key' },
    fetch: async () => Response.json({ message: '3085' }, { status: 422 }),
  });
  const error = await api.messaging.campaigns
    .create({ ...messagingReference.createCampaign.example, recipients: [15550100123] })
    .catch((reason: unknown) => reason);
  expect(writeFailure(method, error)).toContain(`next: ${method.errors['3085'].advice} Do not repeat the same call.`);
});
