import { shorten } from '../../shared/did-you-mean.ts';

/**
 * A value that cannot be sent. The message begins with the location of the value, as in `emails[1].email is a Blob`, and never
 * contains the value. `argumentError` converts this error to an `ArgumentError` that names the operation.
 */
export class BadValue extends TypeError {
  /** Path of the value, such as `emails[1].email`. */
  readonly place: string;

  /**
   * @param problem - rest of the sentence that begins with the location
   * @param options - `cause`: error thrown by a getter or another function of the program
   */
  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
    this.place = place;
  }
}

/** Joins the location of a value and the name of a field in that value: `emails[1]` and `email` become `emails[1].email`. */
export function inside(place: string, name: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return `${place}[${JSON.stringify(shorten(name))}]`;
  return place === '' ? shorten(name) : `${place}.${shorten(name)}`;
}

export function withArticle(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
