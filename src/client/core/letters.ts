const percent = 0x25;
const zero = 0x30;
const backslash = 0x5c;
const letterU = 0x75;
const letterX = 0x78;

/** Maximum number of nested levels of escapes. */
const maxLevels = 3;

/**
 * Keeps only the ASCII letters and digits of a UTF-8 text, including escaped ones, because they stay the same however the text is
 * quoted. Runs in linear time for any text.
 *
 * @param text - modified in place
 */
export function keepLetters(text: Uint8Array): Uint8Array {
  let decoded = text;
  for (let level = 0; level < maxLevels; level += 1) {
    const longer = decoded;
    decoded = decodeEscapes(longer);
    if (decoded.length === longer.length) break;
  }
  let length = 0;
  for (let at = 0; at < decoded.length; at += 1) {
    const code = decoded[at] ?? 0;
    if (isLetterOrDigit(code)) {
      text[length] = code;
      length += 1;
    }
  }
  return text.subarray(0, length);
}

/** Decodes one level of `%41`, `\x41` and `\u0041` in place. */
function decodeEscapes(text: Uint8Array): Uint8Array {
  if (!text.includes(percent) && !text.includes(backslash)) return text;
  let length = 0;
  let at = 0;
  while (at < text.length) {
    let code = text[at] ?? 0;
    at += 1;
    if (code === percent) {
      const value = hexValue(text, at, 2);
      if (value >= 0) {
        code = value;
        at += 2;
      }
    } else if (code === backslash) {
      // Treat a run of backslashes as one, because nested quotes have several. Reading it once keeps the time linear.
      while (text[at] === backslash) at += 1;
      const digits = digitsAfter(text[at]);
      const value = digits > 0 ? hexValue(text, at + 1, digits) : -1;
      if (value >= 0) {
        // Only ASCII letters are relevant.
        code = value < 256 ? value : 0;
        at += 1 + digits;
      }
    }
    text[length] = code;
    length += 1;
  }
  return text.subarray(0, length);
}

/** Number of digits in an escape that begins with this letter, or 0 if it is not an escape. */
function digitsAfter(letter = 0): number {
  const lower = lowerCase(letter);
  if (lower === letterX) return 2;
  return lower === letterU ? 4 : 0;
}

/** Value of the hexadecimal digits, or -1 if one of them is another character. */
function hexValue(text: Uint8Array, start: number, digits: number): number {
  let value = 0;
  for (let at = start; at < start + digits; at += 1) {
    const digit = hexDigit(text[at]);
    if (digit < 0) return -1;
    value = 16 * value + digit;
  }
  return value;
}

function hexDigit(code = 0): number {
  if (code >= zero && code <= zero + 9) return code - zero;
  const value = lowerCase(code) - 0x61 + 10;
  return value >= 10 && value <= 15 ? value : -1;
}

function isLetterOrDigit(code: number): boolean {
  const lower = lowerCase(code);
  return (code >= zero && code <= zero + 9) || (lower >= 0x61 && lower <= 0x7a);
}

/** Code of the lower-case letter. Does not turn other characters into letters. */
function lowerCase(code: number): number {
  return code | 0x20;
}
