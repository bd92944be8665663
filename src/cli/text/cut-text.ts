/** Cuts a string that is longer than the maximum, and appends the number of omitted characters. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… [${text.length - most} more characters]` : text;
}
