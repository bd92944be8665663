import * as z from 'zod';

/** Stored value of a custom attribute. */
export interface StoredValue {
  attributeId: number;
  value: string;
}

/** Attribute values of a record, in the order in which the attributes were first set. */
export type StoredValues = readonly Readonly<StoredValue>[];

/** @internal */
export const zStoredValues = z.array(z.object({ attributeId: z.int(), value: z.string() }));

export function storedValue(values: StoredValues | undefined, attributeId: number): string | undefined {
  return values?.find((one) => one.attributeId === attributeId)?.value;
}

/** Returns a copy of the values with one value added. Replaces an existing value of the attribute without moving it. */
export function withValue(values: StoredValues = [], attributeId: number, value: string): StoredValues {
  return storedValue(values, attributeId) === undefined
    ? [...values, { attributeId, value }]
    : values.map((one) => (one.attributeId === attributeId ? { attributeId, value } : one));
}

export function withoutValue(values: StoredValues = [], attributeId: number): StoredValues {
  return values.filter((one) => one.attributeId !== attributeId);
}
