/** The most tokens that a result may cost an agent. */
export const mostTokens = 6_000;

/**
 * What a result may have by our own estimate, which is on the safe side. The rest is for the frame around it.
 */
export const mostEstimated = 5_400;

const pieces = /[a-z]+|[A-Z]+|[0-9]+|\s+|[!-~]|[^\0-\x7f]/gu;

/**
 * Estimates tokens without the megabytes of a tokenizer, and too high rather than too low: two letters, one digit or one
 * other character a token. Characters outside ASCII count as many as they have bytes.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(pieces)) {
    const [code = 0] = [piece.codePointAt(0)];
    if (code > 0x7f) tokens += code > 0xffff ? 4 : code > 0x7ff ? 3 : 2;
    else if (code >= 0x41) tokens += isLetter(code) ? Math.ceil(piece.length / 2) : piece.length;
    else if (code >= 0x21) tokens += piece.length;
    else tokens += Math.ceil(piece.length / 4);
  }
  // Control characters are in no piece; JSON escapes them.
  return tokens;
}

function isLetter(code: number): boolean {
  return code <= 0x5a || (code >= 0x61 && code <= 0x7a);
}
