import { type Client, isCarillonError } from 'carillon';
import { isRecord } from '../../shared/is-record.ts';
import { brief } from './brief.ts';
import { callMethod } from './call.ts';
import type { Params } from './check-params.ts';
import { type Method, methods } from './methods.ts';
import { canEmulate } from './needs-consent.ts';
import { hideSecretFields } from './secret-fields.ts';

/** Nobody waits longer for a question. */
const milliseconds = 5_000;
const mostFields = 5;

/** A fact that a person should know before a call: its name, and its value as JSON. */
export interface Fact {
  readonly name: string;
  readonly json: string;
}

/**
 * Reads what a call concerns, for the person who decides about it: the record of its path, or the result of the service's test mode.
 * Nothing is changed, and a failure is a fact, too.
 */
export async function readBefore(client: Client, method: Method, params: Params, signal: AbortSignal): Promise<Fact[]> {
  const options = { signal: AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]) };
  try {
    if (canEmulate(method)) {
      const reply = await callMethod(client, method.name, { ...params, emulate: true }, options);
      return [{ name: 'a rehearsal by the service', json: brief(reply, 300).json }];
    }
    const source = sourceOf(method);
    if (!source) return [];
    const { reader, id } = source;
    const inPath = Object.fromEntries(Object.keys(reader.inPath).map((name) => [name, params[name]]));
    const reply = await callMethod(client, reader.name, { ...inPath, ...wholePage(reader) }, options);
    const record = id === undefined ? reply : itemsOf(reply).find((item) => isRecord(item) && item.id === params[id]);
    return factsOf(record, reader.title ?? []);
  } catch (error) {
    signal.throwIfAborted();
    return [{ name: 'could not be read', json: JSON.stringify(reasonOf(error)) }];
  }
}

/** The method that reads the record at the end of a path, by itself or in the list above it. */
function sourceOf({ path }: Method): { reader: Method; id?: string } | undefined {
  const [, above, id] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  const reading = (other: string | undefined): Method | undefined =>
    methods.find((method) => method.method === 'GET' && method.path === other && method.returns !== 'nothing');
  const own = reading(path);
  if (own && id !== undefined) return { reader: own };
  const list = reading(above);
  return list && id !== undefined ? { reader: list, id } : undefined;
}

function wholePage({ paging }: Method): Params {
  return paging?.maximum === undefined ? {} : { [paging.limit]: paging.maximum };
}

function itemsOf(reply: unknown): readonly unknown[] {
  if (Array.isArray(reply)) return reply;
  return isRecord(reply) && Array.isArray(reply.data) ? reply.data : [];
}

/** The title of a record, and a few of its fields. */
function factsOf(found: unknown, titleFields: readonly string[]): Fact[] {
  const record = hideSecretFields(found);
  if (!isRecord(record)) return [{ name: 'not found', json: 'null' }];
  const title = titleFields.map((name) => record[name]).filter((value) => value !== undefined && value !== null);
  const others = Object.entries(record).filter(
    ([name, value]) => name !== 'id' && !titleFields.includes(name) && !isEmpty(value),
  );
  return [
    ...(title.length > 0 ? [{ name: 'record', json: brief(title.join(' '), 200).json }] : []),
    ...others.slice(0, mostFields).map(([name, value]) => ({ name, json: brief(value, 120).json })),
  ];
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function reasonOf(error: unknown): string {
  if (isCarillonError(error, 'ApiError')) return `status ${error.status}`;
  return error instanceof Error ? error.name : 'an unknown failure';
}
