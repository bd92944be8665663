/** U+FFFD, the character for what cannot be shown. */
const replacement = '\u{fffd}';

/**
 * Control characters, which a terminal could obey; characters that hide or reorder text, or that nothing shows, such as fillers and variation
 * selectors; private ones; and the two line breaks of Unicode.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/** They join letters and emoji, or choose how one looks, and hide nothing: people who read a text need them. */
const joiners = '\u200c\u200d\ufe0e\ufe0f';

/** Replaces control characters in data, and leaves other characters as they are. */
export function replaceControls(text: string, kept = ''): string {
  return text.replace(/\p{Cc}/gu, (character) => (kept.includes(character) ? character : replacement));
}

/** Replaces invisible characters in what a person reads. */
export function replaceInvisible(text: string, kept = ''): string {
  return text.replace(invisible, (character) =>
    kept.includes(character) || joiners.includes(character) ? character : replacement,
  );
}

/** Shows invisible characters by their number, as JSON writes it. */
export function escapeInvisible(text: string, kept = ''): string {
  return text.replace(invisible, (character) => (kept.includes(character) ? character : numberOf(character)));
}

/** A character outside the first plane is two units. */
function numberOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at).toString(16);
    return `\\u${unit.padStart(4, '0')}`;
  }).join('');
}
