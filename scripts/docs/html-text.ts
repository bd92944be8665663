const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of HTML that this project wrote: without tags, in one line. */
export function textOfHtml(source: string): string {
  return source
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (whole, name) => entities[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
