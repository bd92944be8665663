/** A section of a page, as Pagefind describes it. */
export interface Section {
  title: string;
  url: string;
  excerpt: string;
  weighted_locations: readonly { balanced_score: number }[];
}

/** Sections of a page that are shown below it. */
const mostPlaces = 3;

/** A section with less than this part of the best section's score is left out. */
const leastPart = 0.3;

/**
 * The sections of a page that answer best, the best first. A long section wins by its best matches, not by their number.
 *
 * @param url - address of the page: the text above its first heading is no section
 * @param words - how many words were looked for
 */
export function bestPlaces<Place extends Section>(sections: readonly Place[], url: string, words: number): Place[] {
  const scored = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .sort((one, other) => other.score - one.score);
  const least = (scored[0]?.score ?? 0) * leastPart;
  return scored
    .filter(({ section, score }) => score >= least && section.url !== url && !section.url.endsWith('#_top'))
    .slice(0, mostPlaces)
    .map(({ section }) => section);
}

function scoreOf({ weighted_locations }: Section, words: number): number {
  return weighted_locations
    .map(({ balanced_score }) => balanced_score)
    .sort((one, other) => other - one)
    .slice(0, words)
    .reduce((sum, score) => sum + score, 0);
}
