/** The beginning of a string that is too long, and how much is left out. */
export function cutText(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}… [${text.length - most} more characters]` : text;
}
