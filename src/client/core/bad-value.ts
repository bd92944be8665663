/**
 * A value that cannot be sent. The message begins with its place: `emails[1].email is a Blob`. It never contains the value.
 * It becomes an `ArgumentError` that names the operation.
 */
export class BadValue extends TypeError {
  /** Where the value is, such as `emails[1].email`. */
  readonly place: string;

  /**
   * @param problem - continues the sentence that the place begins
   * @param options - `cause`: what a getter or another function of the program threw
   */
  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`${place} ${problem}`, options);
    this.place = place;
  }
}

/** Names of fields can come from data. Longer ones are cut. */
const longestName = 60;

/** The place of a field inside another: `emails[1]` and `email` are `emails[1].email`. */
export function inside(place: string, name: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name)) return `${place}[${JSON.stringify(shorten(name))}]`;
  return place === '' ? shorten(name) : `${place}.${shorten(name)}`;
}

/** Cuts a name that is too long for a message. */
export function shorten(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

export function withArticle(kind: string): string {
  return `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`;
}
