/**
 * Redoc has a picker for the examples of a request, but shows one code sample for all of them. With these changes, the
 * picker chooses the code sample too. A sample of an example that is not the first has the label `TypeScript|example`.
 */

/** A text of Redoc's program, and what replaces it. */
interface Change {
  what: string;
  text: RegExp;
  /** How often the program contains the text. Anything else means that Redoc changed. */
  count: number;
  to: string;
}

/** Label of the sample of an example that is not the first. */
export function exampleLabel(label: string, example: string): string {
  return `${label}|${example}`;
}

/** `ee` is the chosen language, `ne` the name of the chosen example, `Dj` computes the key of a sample's label. */
export const samplePicker: readonly Change[] = [
  {
    what: 'lookups of a code sample',
    text: /let e=O\?\.find\(e=>Dj\(e\)===ee\);return e\?e\.source:/g,
    count: 1,
    to: 'let own=e.definitionSamples?.find(e=>Dj(e)===(ee+"|"+ne).toLowerCase())??O?.find(e=>Dj(e)===ee);return own?own.source:',
  },
  { what: 'dependencies of that lookup', text: /\[ee,O,n\]/g, count: 1, to: '[ee,O,n,ne]' },
];

/** Makes the changes. Throws if Redoc's program differs from the one that they were written for. */
export function pickSamples(program: string): string {
  return samplePicker.reduce((text, { what, text: old, count, to }) => {
    const found = text.match(old)?.length ?? 0;
    if (found !== count) throw new Error(`Redoc's bundle has ${found} ${what} instead of ${count}: it changed`);
    return text.replace(old, () => to);
  }, program);
}
