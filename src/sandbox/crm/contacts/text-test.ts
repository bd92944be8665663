import { ContactConditionExpression } from '../../../../generated/crm/models.ts';

/** Returns whether a text matches. Created once per request and called for each text of a contact. */
export type TextTest = (text: string) => boolean;

/** Normalises a text for comparison. */
export type Fold = (text: string) => string;

export const ignoreCase: Fold = (text) => text.toLowerCase();

/** Returns the digits of a phone, or the text in lower case if it has none. */
export const digitsOnly: Fold = (text) => text.replace(/\D+/g, '') || ignoreCase(text);

/** Returns a test for texts that contain a part. */
export function contains(part: string, fold: Fold = ignoreCase): TextTest {
  return textTest(ContactConditionExpression.Like, [part], fold);
}

/** Returns a test for texts that are equal. */
export function equals(whole: string): TextTest {
  return textTest(ContactConditionExpression.Equal, [whole]);
}

/** Returns a test for texts that match any of the values under the expression. */
export function textTest(
  expression: Exclude<ContactConditionExpression, 'empty' | 'neq'>,
  values: readonly string[],
  fold: Fold = ignoreCase,
): TextTest {
  const folded = values.map(fold);
  const [only = ''] = folded;
  switch (expression) {
    case ContactConditionExpression.Equal:
    case ContactConditionExpression.In: {
      const among = new Set(folded);
      return folded.length === 1 ? (text) => fold(text) === only : (text) => among.has(fold(text));
    }
    case ContactConditionExpression.Like:
      // A text that contains the value unchanged needs no folding.
      if (folded.length === 1) return (text) => text.includes(only) || fold(text).includes(only);
      return anyOf(folded, fold, (text, part) => text.includes(part));
    case ContactConditionExpression.GreaterThan:
      return anyOf(folded.map(orderAgainst), fold, (text, order) => order(text) > 0);
    case ContactConditionExpression.GreaterThanOrEqual:
      return anyOf(folded.map(orderAgainst), fold, (text, order) => order(text) >= 0);
    case ContactConditionExpression.LessThan:
      return anyOf(folded.map(orderAgainst), fold, (text, order) => order(text) < 0);
    case ContactConditionExpression.LessThanOrEqual:
      return anyOf(folded.map(orderAgainst), fold, (text, order) => order(text) <= 0);
  }
}

/** Folds a text once, even for several values. */
function anyOf<Against>(
  against: readonly Against[],
  fold: Fold,
  fits: (text: string, one: Against) => boolean,
): TextTest {
  return (text) => {
    const folded = fold(text);
    for (const one of against) if (fits(folded, one)) return true;
    return false;
  };
}

/**
 * Compares texts with a value: positive, negative or 0. Compares two numbers as numbers and everything else as text.
 */
function orderAgainst(value: string): (text: string) => number {
  const number = asNumber(value);
  const asText = (text: string): number => (text < value ? -1 : text > value ? 1 : 0);
  if (Number.isNaN(number)) return asText;
  return (text) => {
    const difference = asNumber(text) - number;
    return Number.isNaN(difference) ? asText(text) : difference;
  };
}

/** Parses a number. Returns `NaN` for any other text, also for a blank one. */
function asNumber(text: string): number {
  const number = Number(text);
  return number === 0 && text.trim() === '' ? Number.NaN : number;
}
