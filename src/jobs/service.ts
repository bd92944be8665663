/** Whether a job was planned for another service. Jobs of older versions do not know theirs. */
export function isOtherService(planned: string | null, given: string): boolean {
  return planned !== null && planned !== given;
}

/** What is wrong, and what to do: a job of a sandbox must not reach the real service. */
export function otherService(planned: string | null, given: string): string {
  return `was planned for ${planned}, and this program calls ${given}. Use the first address for it (CARILLON_BASE_URL), and give the jobs of each service an account of its own (CARILLON_ACCOUNT).`;
}
