import type { Messaging } from '../../../src/client/index.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';

/** A promo to two phone numbers. */
export const promo = {
  message_type: 2,
  sender_id: 5,
  message_live_time: 3_600,
  send_date: 'now',
  recipients: [15550100123, 15550100136],
  message: 'Your annual plan renews this month.',
} satisfies Messaging.CampaignsCreateParams;

/** A system message from the template of the story. */
export const system = {
  ...promo,
  message_type: 3,
  recipients: [15550100123],
  message: null,
  template_id: 700,
  variables: { name: 'Ann', plan: 'Team' },
} satisfies Messaging.CampaignsCreateParams;

export const button = { text: 'Renew now', link: 'https://shop.example.com/renew' };
export const image = { link: 'https://shop.example.com/renewal.png' };

/** A web push campaign to all subscribers of a website. */
export const sale = {
  title: 'Autumn sale',
  website_id: 42,
  body: '20% off all annual plans until Sunday.',
  ttl: 86_400,
} satisfies Messaging.PushCampaignsCreateParams;

/** A system message as plain text, the form that worked until 2026-10-01. */
export const systemText: Messaging.CampaignsCreateParams = {
  ...promo,
  message_type: 3,
  recipients: [15550100123],
  message: 'Hello Ann, the contract of your Team plan is ready.',
};

/** A raw request, for input that the client's types do not permit. */
export function send(sandbox: Sandbox, path: string, body: unknown): Promise<Response> {
  return sandbox.fetch(`https://sandbox.example.com${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer any' },
    body: JSON.stringify(body),
  });
}

/** Sends a web push campaign with raw fields. Returns the status with the rule or choice. */
export async function sendSale(fields: object): Promise<[status: number, because: string | undefined]> {
  const { status, headers } = await send(createSandbox(), '/push/tasks', { ...sale, ...fields });
  if (status === 200) return [status, undefined];
  return [status, headers.get('x-sandbox-rule')?.split(';')[0] ?? headers.get('x-sandbox-choice') ?? undefined];
}
