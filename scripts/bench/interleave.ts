/**
 * Measures the subjects in turn, round after round, so that a machine that slows down affects all of them. Each round begins
 * with another subject, so that no subject always follows the same one.
 *
 * @returns the values of each subject, one for each round
 */
export async function interleave<Value>(
  subjects: Record<string, () => Value | Promise<Value>>,
  rounds: number,
): Promise<Record<string, Value[]>> {
  const entries = Object.entries(subjects);
  const samples = new Map<string, Value[]>(entries.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    const first = round % entries.length;
    for (const [name, measure] of [...entries.slice(first), ...entries.slice(0, first)]) {
      samples.get(name)?.push(await measure());
    }
  }
  return Object.fromEntries(samples);
}
