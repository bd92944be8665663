import { describe, expect, it } from 'vitest';
import { replies } from '../../../generated/replies.ts';
import { integerClass, lengthClass, textClass } from '../../../src/shared/observed/classes.ts';
import { readObserved, writeObserved } from '../../../src/shared/observed/observed.ts';
import { bodyPlace, documentedReply, type Place } from '../../../src/shared/observed/places.ts';
import { Recorder } from '../../../src/shared/observed/recorder.ts';
import fc, { samples } from '../../fast-check.ts';
import { plantSecrets, secrets } from '../../support/planted-secrets.ts';
import { allOperations, type Seen, sandboxTraffic } from '../../support/sandbox-traffic.ts';

const products = Object.values(replies);
const account = '00000000-0000-4000-8000-000000000001';

function learn(traffic: readonly Seen[]): string {
  const recorder = new Recorder(products);
  for (const { operationId, status, body } of traffic) recorder.record(operationId, status, body);
  return writeObserved({ accounts: { [account]: recorder.take() } });
}

function lengthened(text: string, random: () => number): string {
  return textClass(text) === 'text' ? text + 'word'.slice(0, Math.floor(random() * 5)) : text;
}

/** Returns texts of the same class, with other digits and letters. */
function otherText(text: string, random: () => number): string {
  for (let tries = 0; tries < 30; tries += 1) {
    const other = lengthened(text, random).replace(/[a-z\d]/gi, (character) => {
      const from = /\d/.test(character)
        ? '0123456789'
        : /[a-z]/.test(character)
          ? 'abcdefghijklmnopqrstuvwxyz'
          : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
      return from[Math.floor(random() * from.length)] ?? character;
    });
    if (textClass(other) === textClass(text) && lengthClass(other.length) === lengthClass(text.length)) return other;
  }
  return text;
}

function otherInteger(value: number, random: () => number): number {
  for (let tries = 0; tries < 50; tries += 1) {
    const other = Math.floor(value * (0.5 + random()) + 2 * random());
    if (integerClass(other) === integerClass(value)) return other;
  }
  return value;
}

/** Returns another value of the same class. Each documented value and boolean is its own class. */
function replaced(value: unknown, place: Place | undefined, random: () => number): unknown {
  const isDocumented = (one: unknown): boolean => place?.values?.some((known) => known === one) ?? false;
  if (Array.isArray(value)) return value.map((item) => replaced(item, place?.items, random));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        replaced(inner, place?.field(name) ?? place?.entries, random),
      ]),
    );
  if (isDocumented(value)) return value;
  const fits = (text: string): boolean => place?.pattern === undefined || new RegExp(place.pattern).test(text);
  const other =
    typeof value === 'string'
      ? otherText(value, random)
      : typeof value === 'number' && Number.isInteger(value)
        ? otherInteger(value, random)
        : typeof value === 'number'
          ? value + 0.25
          : value;
  const isSame =
    isDocumented(other) || (typeof other === 'string' && typeof value === 'string' && fits(other) !== fits(value));
  return isSame ? value : other;
}

function placeOf({ operationId, status }: Seen): Place | undefined {
  const product = products.find(({ operations }) => Object.hasOwn(operations, operationId));
  const documented = product && documentedReply(product, operationId, String(status));
  return documented && product && bodyPlace(product, documented);
}

describe('the file of observations', () => {
  it('is the same after writing and reading', async () => {
    const text = learn(await sandboxTraffic());
    expect(writeObserved(readObserved(text, 'observed.json', new Recorder(products).isKnown))).toBe(text);
    expect(Object.keys(JSON.parse(text).accounts[account])).toHaveLength(allOperations.length);
  });

  it('has the same bytes for other values of the same classes, for every operation', { timeout: 300_000 }, async () => {
    const traffic = await sandboxTraffic();
    const expected = learn(traffic);
    expect(new Set(traffic.map(({ operationId }) => operationId)).size).toBe(allOperations.length);
    let changed = 0;
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 200, maxLength: 200 }),
        (numbers) => {
          let at = 0;
          const random = (): number => numbers[at++ % numbers.length] ?? 0;
          const others = traffic.map((seen) => ({ ...seen, body: replaced(seen.body, placeOf(seen), random) }));
          changed += others.filter(
            ({ body }, index) => JSON.stringify(body) !== JSON.stringify(traffic[index]?.body),
          ).length;
          expect(learn(others)).toBe(expected);
        },
      ),
      { numRuns: samples(20) },
    );
    expect(changed).toBeGreaterThan(samples(20) * 114);
  });

  it('contains none of 300 secrets in values, names, Base64 and messages', async () => {
    expect(secrets).toHaveLength(300);
    const { planted, traffic } = plantSecrets(await sandboxTraffic());
    expect(planted).toBeGreaterThanOrEqual(900);
    const text = learn(traffic);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(secrets.filter((secret) => text.includes(Buffer.from(secret).toString('base64')))).toEqual([]);
  });
});
