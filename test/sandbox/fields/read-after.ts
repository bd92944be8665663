import type { SpecOperation } from '../../../scripts/spec/model.ts';
import type { JsonValue } from '../../../scripts/spec/schema.ts';
import { createSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { valueAt } from '../../support/json-value.ts';
import { send } from '../raw.ts';
import { day } from '../support.ts';
import { otherAddress } from './bodies.ts';

/** Responses of reading operations, by request. */
export type Readings = ReadonlyMap<string, JsonValue>;

/** Before the story of the examples, so that their dates are in the future. */
const startAt = Date.UTC(2026, 10, 2, 12);
/** By then, all sent messages have arrived. */
const later = 2 * day;

/** Writes bodies, each into data that no other body has changed. */
export class Writer {
  /** Unchanged, because a rejected body changes nothing. */
  #fresh: Sandbox | undefined;

  /** Returns later reads, or `undefined` if the body is rejected. */
  async readAfter(
    operation: SpecOperation,
    body: JsonValue,
    readers: readonly SpecOperation[],
  ): Promise<Readings | undefined> {
    this.#fresh ??= await prepare();
    const sandbox = this.#fresh;
    const written = await send(sandbox, requestOf(operation), { body });
    const text = await written.text();
    if (!written.ok) return undefined;
    this.#fresh = undefined;
    sandbox.clock.advance(later);
    const ids = text === '' ? [] : idsIn(JSON.parse(text));
    const read = new Map<string, JsonValue>();
    for (const request of new Set(readers.flatMap((one) => [requestOf(one), ...ids.map((id) => requestOf(one, id))]))) {
      const response = await send(sandbox, request);
      if (response.ok) read.set(request, await response.json());
    }
    return read;
  }
}

/** A sandbox with records that other values of fields refer to, and without values whose addition must have an effect. */
async function prepare(): Promise<Sandbox> {
  const sandbox = createSandbox({ startAt });
  sandbox.clock.freeze(startAt);
  const preparing: [request: string, body?: JsonValue][] = [
    ['DELETE /crm/v1/deals/501/attributes/211'],
    ['DELETE /crm/v1/contacts/3001/attributes/311'],
    ['POST /senders', { email: otherAddress, name: 'Other' }],
    ['POST /smtp/unsubscribe', { emails: [{ email: otherAddress }] }],
  ];
  for (const [request, body] of preparing) {
    const response = await send(sandbox, request, { body });
    // Otherwise, handlers would seem to lose the fields that refer to these records.
    if (!response.ok)
      throw new Error(`test/sandbox/fields/read-after.ts: ${request} is rejected: ${await response.text()}`);
  }
  return sandbox;
}

/** The request with the examples of its path and required query, or with another ID as the last parameter of the path. */
export function requestOf({ base, path, method, parameters }: SpecOperation, id?: string): string {
  const last = path.lastIndexOf('{');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string, place: number) => {
    const example = parameters.find((parameter) => parameter.in === 'path' && parameter.name === name)?.example;
    return encodeURIComponent(String(place === last && id !== undefined ? id : example));
  });
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const query = required.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
  return `${method} ${base}${filled}${query && `?${query}`}`;
}

/** IDs of new records in a response. */
function idsIn(response: JsonValue): string[] {
  const records = [response, valueAt(response, ['data'])];
  return records
    .flatMap((record) => ['id', 'task_id'].map((name) => valueAt(record, [name])))
    .flatMap((id) => (typeof id === 'number' || typeof id === 'string' ? String(id) : []));
}
