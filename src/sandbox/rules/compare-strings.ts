/** Compares two numbers as numbers, and everything else as strings. Returns a negative number, 0 or a positive number. */
export function compareStrings(one: string, other: string): number {
  if (isNumber(one) && isNumber(other)) return Number(one) - Number(other);
  return one < other ? -1 : Number(one > other);
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && !Number.isNaN(Number(text));
}
