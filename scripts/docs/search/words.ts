/** A name or a word. Names may contain `.`, `-` and `_`: `deals.changePipeline`, `push-campaign-quota`. */
const namePattern = /[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu;
const boundary = /[._-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

/** The words of a text. A name is a word, and so is each of its parts. */
export function splitWords(text: string): string[] {
  return (text.match(namePattern) ?? []).flatMap((name) => {
    const parts = partsOf(name);
    return parts.length > 1 ? [name.toLowerCase(), ...parts] : parts;
  });
}

/** `deals.changePipeline` → `deals`, `change`, `pipeline` */
export function partsOf(name: string): string[] {
  return name
    .split(boundary)
    .filter(Boolean)
    .map((part) => part.toLowerCase());
}

/** Words that tell nothing about what a reader looks for. */
const fillers = new Set(
  'a an and are can do does for from how i if in is it me my of on or that the their there this to what when where which who why with you your'.split(
    ' ',
  ),
);

export function isFiller(word: string): boolean {
  return fillers.has(word);
}

/** The form under which a word is indexed and searched: lower case, singular. */
export function normalise(word: string): string {
  const lower = word.toLowerCase();
  if (lower.length > 4 && lower.endsWith('ies')) return `${lower.slice(0, -3)}y`;
  if (lower.length > 3 && /[^su]s$/.test(lower) && !lower.endsWith('is')) return lower.slice(0, -1);
  return lower;
}
