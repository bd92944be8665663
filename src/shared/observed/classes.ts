/** Classes of values. An observation contains the class of a value instead of the value. */

/** Longer texts, in characters, are not compared with patterns. */
const maxPatternLength = 1_000;

const digits = [
  ['integer', /^-?\d+$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['date time', /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/],
  ['ISO date time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/],
  ['ISO date time with offset', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/],
  ['date with dots', /^\d{1,2}\.\d{1,2}\.\d{4}(?:[ ,]+\d{2}:\d{2}(?::\d{2})?)?$/],
  ['date with slashes', /^\d{1,4}\/\d{1,2}\/\d{1,4}(?:[ ,]+\d{2}:\d{2}(?::\d{2})?)?$/],
  ['time', /^\d{1,2}:\d{2}(?::\d{2})?$/],
  ['decimal', /^-?\d+[.,]\d+$/],
  ['IP address', /^\d{1,3}(?:\.\d{1,3}){3}$/],
] as const;

const others = [
  ['two capitals', /^[A-Z]{2}$/],
  ['three capitals', /^[A-Z]{3}$/],
  ['URL', /^https?:\/\/\S+$/i],
  ['colour', /^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i],
  ['phone', /^\+\d[\d ()-]{5,20}$/],
  ['JSON', /^(?:\{[\s\S]*\}|\[[\s\S]*\])$/],
  ['HTML', /^\s*<[\s\S]+>\s*$/],
] as const;

/** The classes of texts. `text` is any other. */
export const textClasses: readonly string[] = [
  'empty',
  ...digits.map(([name]) => name),
  ...others.map(([name]) => name),
  'UUID',
  'email',
  'Base64',
  'long text',
  'text',
];

/** The class of a text. */
export function textClass(text: string): string {
  const { length } = text;
  if (length === 0) return 'empty';
  if (length > maxPatternLength) return isBase64(text.slice(0, maxPatternLength)) ? 'Base64' : 'long text';
  const first = text.charCodeAt(0);
  const isNumeric = (first > 47 && first < 58) || first === 45;
  for (const [name, pattern] of isNumeric ? digits : others) if (pattern.test(text)) return name;
  if (length === 36 && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) return 'UUID';
  if (length <= 320 && text.includes('@') && /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text)) return 'email';
  return length >= 16 && length % 4 === 0 && isBase64(text) ? 'Base64' : 'text';
}

/** Requires lower case, upper case, and a digit or sign, because an ordinary word is valid Base64, too. */
function isBase64(text: string): boolean {
  return /^[A-Za-z\d+/]+={0,2}$/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && /[\d+/=]/.test(text);
}

const lengthLimits = [8, 32, 128, 1_024, 16_384, 1_048_576];

/** The classes of the lengths of texts, in characters. */
export const lengthClasses: readonly string[] = [
  '1-8',
  '9-32',
  '33-128',
  '129-1024',
  '1025-16384',
  '16385-1048576',
  '1048577-',
];

/** The class of the length of a text that is not empty. */
export function lengthClass(length: number): string {
  const at = lengthLimits.findIndex((limit) => length <= limit);
  return lengthClasses.at(at) ?? '';
}

/** The classes of whole numbers. */
export const integerClasses: readonly string[] = [
  'below 0',
  '0-1',
  '2-999',
  '1000-',
  'as seconds since 1970',
  'as milliseconds since 1970',
];

/** The class of a whole number. */
export function integerClass(value: number): string {
  if (value < 0) return 'below 0';
  if (value < 2) return '0-1';
  if (value < 1_000) return '2-999';
  if (value >= 1e9 && value < 1e10) return 'as seconds since 1970';
  return value >= 1e12 && value < 1e13 ? 'as milliseconds since 1970' : '1000-';
}

/** The classes of the lengths of lists. */
export const countClasses: readonly string[] = ['0', '1', '2-9', '10-99', '100-999', '1000-'];

/** The class of the length of a list. */
export function countClass(count: number): string {
  if (count < 2) return String(count);
  return countClasses[Math.min(String(count).length + 1, 5)] ?? '';
}

/** The JSON types. */
export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

/**
 * Whether a name looks like the name of a field: words with at most two digits, unlike a key, an address or encoded data.
 */
export function looksLikeFieldName(name: string): boolean {
  if (name.length > 40 || !/^[A-Za-z]+(?:[_-][A-Za-z]+)*(?:_?\d{1,2})?$/.test(name)) return false;
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const isWord = (word: string): boolean => word.length <= 20 && (word.length <= 4 || /[aeiouy]/i.test(word));
  return words.length <= 7 && words.filter((word) => word.length === 1).length < 2 && words.every(isWord);
}
