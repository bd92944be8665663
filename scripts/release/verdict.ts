/** What a release can change, in the order in which the check prints it. */
export const surfaces = ['wire', 'methods', 'types', 'packages', 'data', 'commands', 'behaviour'] as const;

export type Surface = (typeof surfaces)[number];

/**
 * What a change means for a user: `break` stops something that worked, `addition` is new and stops nothing, `fix` is everything
 * else that a user can notice.
 */
export type Impact = 'break' | 'addition' | 'fix';

/** One change between two releases, as a judge found it. */
export interface Verdict {
  surface: Surface;
  impact: Impact;
  /** What changed: an operation, a field, a file or an option, such as `updateDeal body.name`. Unique within its surface. */
  place: string;
  /** A sentence for users: what changed, and what to do about it if it breaks something. The changelog has the same sentence. */
  sentence: string;
}

/** A release, or the working tree: a folder with the whole repository, its dependencies installed and its packages built. */
export interface Release {
  /** As in `package.json`. */
  version: string;
  /** Absolute path of the folder. */
  folder: string;
}

/** Compares two releases on one surface. Throws if it cannot judge: silence is never "no change". */
export interface Judge {
  surface: Surface;
  judge(base: Release, next: Release): Promise<Verdict[]>;
}
