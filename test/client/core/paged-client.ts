import { vi } from 'vitest';
import { createClient } from '../../../src/client/index.ts';

interface Asked {
  url: URL;
  body: Record<string, unknown> | undefined;
}

/** A client with a function that returns the JSON of each answer. Records the requests. */
export function over(answer: (asked: Asked, count: number) => unknown) {
  const asked: Asked[] = [];
  const warn = vi.fn();
  const api = createClient({
    baseUrl: 'https://api.example.com',
    auth: null,
    logger: { warn },
    maxRetries: 0,
    fetch: async (url, { body }) => {
      const request = { url: new URL(url), body: typeof body === 'string' ? JSON.parse(body) : undefined };
      asked.push(request);
      const response = answer(request, asked.length);
      return response instanceof Response ? response : Response.json(response);
    },
  });
  return { api, asked, warn };
}

export const numbers = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index }));

export async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

/** A service with 250 contacts, at most 100 per page. */
export const contacts = () =>
  over(({ body }) => {
    const offset = Number(body?.offset ?? 0);
    const count = Math.min(Number(body?.limit ?? 20), 100, 250 - offset);
    return { data: { list: numbers(offset, count), total: 250 } };
  });
