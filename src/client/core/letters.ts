const percent = 0x25;
const zero = 0x30;
const backslash = 0x5c;
const letterU = 0x75;
const letterX = 0x78;

/** An escape can be escaped again, in another way. */
const mostLevels = 3;

/**
 * Keeps only the letters and digits of a text in UTF-8, also those that are escaped: they stay the same however a text is
 * quoted. Only those of ASCII count. The work is in proportion to the length, whatever the text.
 *
 * @param text - is changed
 */
export function keepLetters(text: Uint8Array): Uint8Array {
  let decoded = text;
  for (let level = 0; level < mostLevels; level += 1) {
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

/** Decodes `%41`, `\x41` and `\u0041` in place, one level of them. */
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
      // A run counts as one: text in quotes within quotes has several. Reading it once keeps the work in proportion.
      while (text[at] === backslash) at += 1;
      const digits = digitsAfter(text[at]);
      const value = digits > 0 ? hexValue(text, at + 1, digits) : -1;
      if (value >= 0) {
        // Only letters of ASCII count.
        code = value < 256 ? value : 0;
        at += 1 + digits;
      }
    }
    text[length] = code;
    length += 1;
  }
  return text.subarray(0, length);
}

/** How many digits an escape has after its backslash and its letter. 0 if the letter begins none. */
function digitsAfter(letter = 0): number {
  const lower = lowerCase(letter);
  if (lower === letterX) return 2;
  return lower === letterU ? 4 : 0;
}

/** The value of some hexadecimal digits, or -1 if other characters are among them. */
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

/** The code of the small letter. No other character becomes a letter by it. */
function lowerCase(code: number): number {
  return code | 0x20;
}
