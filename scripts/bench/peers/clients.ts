import axios from 'axios';
import { createClient } from 'carillon';
import ky from 'ky';
import createOpenapiFetch from 'openapi-fetch';
import { crmOperations } from '../../../generated/crm/operations.ts';
import type { paths } from '../../../generated/crm/types.ts';
import type { Surroundings } from '../parts/calls.ts';
import { client as heyApi } from './generated/crm/client.gen.js';
import { getDeal, listDealContacts } from './generated/crm/sdk.gen.js';

/** Two reads. Each reads and parses the body, unwraps the envelope and returns the payload. */
export interface Calls {
  deal(): Promise<unknown>;
  contacts(): Promise<unknown>;
}

interface Envelope {
  data: unknown;
}

/** `fetch` is a stub if no network is used. */
type Given = Surroundings & { fetch?: typeof fetch };

/** Each client as its own documentation shows it, with only the address and the credential set. */
export const clients: Record<string, (given: Given) => Calls> = {
  'raw fetch': ({ baseUrl, token, addresses, fetch = globalThis.fetch }) => {
    const get = async (path: string): Promise<unknown> => {
      const response = await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${token}` } });
      const body: Envelope = await response.json();
      return body.data;
    };
    return { deal: () => get(addresses.deal), contacts: () => get(addresses.contacts) };
  },

  'fetch with a Request': ({ baseUrl, token, addresses, fetch = globalThis.fetch }) => {
    const get = async (path: string): Promise<unknown> => {
      const response = await fetch(new Request(baseUrl + path, { headers: { Authorization: `Bearer ${token}` } }));
      const body: Envelope = await response.json();
      return body.data;
    };
    return { deal: () => get(addresses.deal), contacts: () => get(addresses.contacts) };
  },

  'openapi-fetch': ({ baseUrl, token, dealId, fetch }) => {
    const client = createOpenapiFetch<paths>({
      baseUrl: baseUrl + crmOperations.base,
      headers: { Authorization: `Bearer ${token}` },
      fetch,
    });
    const params = { path: { dealId } };
    return {
      deal: async () => (await client.GET('/deals/{dealId}', { params })).data?.data,
      contacts: async () => (await client.GET('/deals/{dealId}/contacts', { params })).data?.data,
    };
  },

  ky: ({ baseUrl, token, addresses, fetch }) => {
    const client = ky.create({ prefix: baseUrl, headers: { Authorization: `Bearer ${token}` }, fetch });
    const get = async (path: string) => (await client.get<Envelope>(path).json()).data;
    return { deal: () => get(addresses.deal), contacts: () => get(addresses.contacts) };
  },

  axios: ({ baseUrl, token, addresses, fetch }) => {
    const client = axios.create({
      baseURL: baseUrl,
      headers: { Authorization: `Bearer ${token}` },
      ...(fetch && { adapter: 'fetch', env: { fetch } }),
    });
    const get = async (path: string) => (await client.get<Envelope>(path)).data.data;
    return { deal: () => get(addresses.deal), contacts: () => get(addresses.contacts) };
  },

  '@hey-api/openapi-ts': ({ baseUrl, token, dealId, fetch }) => {
    heyApi.setConfig({ baseUrl: baseUrl + crmOperations.base, auth: token, fetch });
    const path = { dealId };
    return {
      deal: async () => (await getDeal({ path })).data?.data,
      contacts: async () => (await listDealContacts({ path })).data?.data,
    };
  },

  'carillon by path': ({ baseUrl, token, dealId, fetch }) => {
    const api = createClient({ baseUrl, auth: { apiKey: token }, fetch });
    const params = { path: { dealId } };
    return {
      deal: async () => (await api.crm.GET('/deals/{dealId}', { params })).data,
      contacts: async () => (await api.crm.GET('/deals/{dealId}/contacts', { params })).data,
    };
  },

  'carillon by method': ({ baseUrl, token, dealId, fetch }) => {
    const api = createClient({ baseUrl, auth: { apiKey: token }, fetch });
    return {
      deal: () => api.crm.deals.get({ dealId }),
      contacts: () => api.crm.deals.contacts.list({ dealId }),
    };
  },
};
