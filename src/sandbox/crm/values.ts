import * as z from 'zod';

/** Value of a custom attribute, as a record stores it. */
export interface StoredValue {
  attributeId: number;
  value: string;
}

/** Values of a record, in the order in which they were first set. */
export type StoredValues = readonly Readonly<StoredValue>[];

/** @internal */
export const zStoredValues = z.array(z.object({ attributeId: z.int(), value: z.string() }));

export function storedValue(values: StoredValues | undefined, attributeId: number): string | undefined {
  return values?.find((one) => one.attributeId === attributeId)?.value;
}

/** Returns the values with one added, or replaced in its place. */
export function withValue(values: StoredValues = [], attributeId: number, value: string): StoredValues {
  return storedValue(values, attributeId) === undefined
    ? [...values, { attributeId, value }]
    : values.map((one) => (one.attributeId === attributeId ? { attributeId, value } : one));
}

export function withoutValue(values: StoredValues = [], attributeId: number): StoredValues {
  return values.filter((one) => one.attributeId !== attributeId);
}
