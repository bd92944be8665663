/**
 * Whether tests read every page of the docs in all its looks, and "Try it" by keyboard and with every document. CI sets
 * `PAGES=all`. Without it they read one page of each kind, because pages of one kind come from one template: to read them
 * all takes a quarter of the time of all tests.
 */
export const readsEveryPage = process.env.PAGES === 'all';

/** Names of every page, or only the samples, each of which must be one of them. */
export function choosePages<Name extends string>(all: readonly Name[], samples: readonly NoInfer<Name>[]): Name[] {
  const unknown = samples.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}`);
  return all.filter((name) => readsEveryPage || samples.includes(name));
}
