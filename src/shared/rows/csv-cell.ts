/** Quotes the text of a CSV cell if necessary (RFC 4180). Readers may remove spaces around a cell without quotes. */
export function csvCell(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
