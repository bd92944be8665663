import { ContactConditionExpression } from '../../../../generated/crm/models.ts';
import { compareStrings } from '../../rules/compare-strings.ts';

/** Returns whether a string matches. A test is created once per request, and called for each string of each contact. */
export type StringTest = (text: string) => boolean;

/** Normalises a string for comparison. */
export type Fold = (text: string) => string;

export const ignoreCase: Fold = (text) => text.toLowerCase();

/** Returns the digits in a phone number, or the phone number in lower case if it contains no digits. */
export const digitsOnly: Fold = (text) => text.replace(/\D+/g, '') || ignoreCase(text);

/** Returns a test for strings that contain `part`. */
export function contains(part: string, fold: Fold = ignoreCase): StringTest {
  return stringTest(ContactConditionExpression.Like, [part], fold);
}

/** Returns a test for strings that equal `whole`, ignoring case. */
export function equals(whole: string): StringTest {
  return stringTest(ContactConditionExpression.Equal, [whole]);
}

type Expression = Exclude<ContactConditionExpression, 'empty' | 'neq'>;

/** Returns a test for strings that match at least one of the values. The expression selects the comparison. */
export function stringTest(expression: Expression, values: readonly string[], fold: Fold = ignoreCase): StringTest {
  const wanted = values.map(fold);
  const fits = comparisons[expression];
  return (text) => {
    const folded = fold(text);
    return wanted.some((value) => fits(folded, value));
  };
}

const isEqual = (text: string, value: string): boolean => text === value;

const comparisons: { readonly [Name in Expression]: (text: string, value: string) => boolean } = {
  [ContactConditionExpression.Equal]: isEqual,
  [ContactConditionExpression.In]: isEqual,
  [ContactConditionExpression.Like]: (text, value) => text.includes(value),
  [ContactConditionExpression.GreaterThan]: (text, value) => compareStrings(text, value) > 0,
  [ContactConditionExpression.GreaterThanOrEqual]: (text, value) => compareStrings(text, value) >= 0,
  [ContactConditionExpression.LessThan]: (text, value) => compareStrings(text, value) < 0,
  [ContactConditionExpression.LessThanOrEqual]: (text, value) => compareStrings(text, value) <= 0,
};
