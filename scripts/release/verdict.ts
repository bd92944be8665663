/** Surfaces that a release can change, in the order of the output. */
export const surfaces = ['methods', 'types'] as const;

export type Surface = (typeof surfaces)[number];

/**
 * Meaning of a change for users: a `break` stops something that worked, an `addition` is new and stops nothing that
 * worked, a `fix` is any other change that users can notice.
 */
export type Impact = 'break' | 'addition' | 'fix';

/** A change between two releases that a judge found. */
export interface Verdict {
  surface: Surface;
  impact: Impact;
  /** The changed operation, field, file or option, such as `updateDeal body.name`. Unique within its surface. */
  place: string;
  /** A sentence for users: what changed, and what to do if it breaks something. The changelog has the same sentence. */
  sentence: string;
}

/** A release or the working tree: a folder with the whole repository, installed dependencies and the declarations of the packages. */
export interface Release {
  /** Version in `package.json`. */
  version: string;
  /** Absolute path of the folder. */
  folder: string;
}

/** Compares two releases on one surface. Throws if it cannot judge, so that a failure never means "no change". */
export interface Judge {
  surface: Surface;
  judge(base: Release, next: Release): Promise<Verdict[]>;
}
