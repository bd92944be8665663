/**
 * Measures the subjects in turn, round after round, so that a machine that slows down affects all of them. Each round has
 * another random order: with a fixed one, the garbage of a subject would always be collected in the turn of the next.
 *
 * @returns the values of each subject, one for each round
 */
export async function interleave<Value>(
  subjects: Record<string, () => Value | Promise<Value>>,
  rounds: number,
): Promise<Record<string, Value[]>> {
  const samples = new Map<string, Value[]>(Object.keys(subjects).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, measure] of shuffle(Object.entries(subjects))) samples.get(name)?.push(await measure());
  }
  return Object.fromEntries(samples);
}

/** A copy in random order (Fisher-Yates). */
function shuffle<Item>(items: readonly Item[]): Item[] {
  const rest = [...items];
  return items.flatMap(() => rest.splice(Math.floor(Math.random() * rest.length), 1));
}
