/** A section of a page, as Pagefind describes it. */
export interface Section {
  title: string;
  url: string;
  excerpt: string;
  weighted_locations: readonly { balanced_score: number }[];
}

export interface Places<Place> {
  /** The best sections, best first. */
  sections: Place[];
  /** Target of Enter: the best section, or the page if its beginning matches at least as well. */
  best: string;
}

/** Maximum number of sections shown below a page. */
const maxSections = 3;

/** Sections below this share of the best section's score are left out. */
const minPart = 0.3;

/**
 * The best places of a page. A long section ranks by its best matches, not by their number.
 *
 * @param sections - sections of the page, including the text above its first heading
 * @param url - address of the page
 * @param words - number of words searched for
 */
export function bestPlaces<Place extends Section>(
  sections: readonly Place[],
  url: string,
  words: number,
): Places<Place> {
  const scored = sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .sort((one, other) => other.score - one.score);
  const [first] = scored;
  const least = (first?.score ?? 0) * minPart;
  return {
    sections: scored
      .filter(({ section, score }) => score >= least && !isBeginning(section, url))
      .slice(0, maxSections)
      .map(({ section }) => section),
    best: first && !isBeginning(first.section, url) ? first.section.url : url,
  };
}

/** The title of a page is its first heading: `#_top`. */
function isBeginning(section: Section, url: string): boolean {
  return section.url === url || section.url === `${url}#_top`;
}

function scoreOf({ weighted_locations }: Section, words: number): number {
  return weighted_locations
    .map(({ balanced_score }) => balanced_score)
    .sort((one, other) => other - one)
    .slice(0, words)
    .reduce((sum, score) => sum + score, 0);
}
