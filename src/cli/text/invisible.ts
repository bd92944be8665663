/** U+FFFD, the replacement character. */
const replacement = '\u{fffd}';

/**
 * Control characters, which a terminal could interpret as commands; characters that hide or reorder text or are invisible, such
 * as fillers and variation selectors; private-use characters; and the two Unicode line separators.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu;

/**
 * Joiners and variation selectors in letters and emoji. Text for people keeps these characters, because they affect its
 * appearance and hide no content.
 */
const joiners = '\u200c\u200d\ufe0e\ufe0f';

/** Replaces the control characters in data. Other invisible characters are kept. */
export function replaceControls(text: string, kept = ''): string {
  return text.replace(/\p{Cc}/gu, (character) => (kept.includes(character) ? character : replacement));
}

/** Replaces invisible characters in text for people. */
export function replaceInvisible(text: string, kept = ''): string {
  return text.replace(invisible, (character) =>
    kept.includes(character) || joiners.includes(character) ? character : replacement,
  );
}

/** Replaces invisible characters with their JSON escapes. */
export function escapeInvisible(text: string, kept = ''): string {
  return text.replace(invisible, (character) => (kept.includes(character) ? character : numberOf(character)));
}

/** Escapes each UTF-16 code unit of a character. */
function numberOf(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    const unit = character.charCodeAt(at).toString(16);
    return `\\u${unit.padStart(4, '0')}`;
  }).join('');
}
