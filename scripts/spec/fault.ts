/** A fact in a spec that the client cannot represent. The lint reports the fault at its place. */
export class SpecFault extends Error {
  /** Rule that the lint reports. */
  readonly rule: string;
  /** Place inside the operation, or from the root if it begins with `components` or `paths`. */
  readonly place: readonly (string | number)[];

  constructor(rule: string, place: readonly (string | number)[], message: string) {
    super(message);
    this.rule = rule;
    this.place = place;
  }
}
