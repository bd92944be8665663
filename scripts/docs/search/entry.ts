/** What a hit is about, in the order of the legend. The weight ranks hits that match equally well. */
export const kinds = {
  operation: { label: 'Operation', weight: 1.5 },
  code: { label: 'Error code', weight: 1.5 },
  guide: { label: 'Guide', weight: 1.2 },
  page: { label: 'Page', weight: 1.2 },
  field: { label: 'Field', weight: 1 },
  rule: { label: 'Rule', weight: 1 },
  package: { label: 'Package', weight: 0.35 },
  open: { label: 'Not documented', weight: 0.6 },
  choice: { label: 'Sandbox', weight: 0.5 },
} as const satisfies Record<string, { label: string; weight: number }>;

export type Kind = keyof typeof kinds;

/** A place of the site that a search can find. */
export interface Entry {
  kind: Kind;
  title: string;
  /** Where it is: the guide of a heading, the operation of a field. */
  place: string;
  /** Names that a reader can paste: operation id, method of the client, code. A search for exactly one of them is a hit. */
  names: string[];
  text: string;
  /** Page and anchor, relative to the root of the site. */
  href: string;
}
