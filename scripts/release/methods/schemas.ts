import type { Impact } from '../verdict.ts';
import type { Keyword, Node } from './report.ts';
import type { Direction } from './uses.ts';

/** A difference between two schemas for callers who send values (`request`) and for callers who read them (`reply`). */
export interface SchemaChange {
  /** Path from the compared schema: `.settings[].name`. */
  path: string;
  /** The changed part: `maxLength`, `type`, `enum 3`. Empty for the schema itself. */
  aspect: string;
  /** The rest of a sentence that begins with the field's name: `is new`. */
  what: string;
  impact: Record<Direction, Impact>;
}

/** How the set of accepted values changes. */
type Shift = 'narrower' | 'wider' | 'other' | 'told' | 'none';

/** Narrower requests break, and wider replies break. A different set of values breaks both. */
const impacts: Record<Exclude<Shift, 'none'>, Record<Direction, Impact>> = {
  narrower: { request: 'break', reply: 'fix' },
  wider: { request: 'addition', reply: 'break' },
  other: { request: 'break', reply: 'break' },
  // The same values are accepted, but users learn a new fact.
  told: { request: 'fix', reply: 'fix' },
};

/** How a keyword changes from one value (JSON) to another. `undefined` means that the keyword is missing. */
type KeywordRule = (before: string | undefined, after: string | undefined) => Shift;

const upperBound: KeywordRule = (before, after) => compareBounds(before ?? 'Infinity', after ?? 'Infinity');
const lowerBound: KeywordRule = (before, after) => compareBounds(after ?? '-Infinity', before ?? '-Infinity');
/** A length is at least 0. */
const leastLength: KeywordRule = (before, after) => lowerBound(before ?? '0', after ?? '0');

/** A keyword that accepts all values if it is missing. */
const constraint: KeywordRule = (before, after) => {
  if (before === undefined) return 'narrower';
  return after === undefined ? 'wider' : 'other';
};

const keywordRules: Record<Keyword, KeywordRule> = {
  format: constraint,
  pattern: constraint,
  minLength: leastLength,
  maxLength: upperBound,
  minimum: lowerBound,
  maximum: upperBound,
  minItems: leastLength,
  maxItems: upperBound,
  minProperties: leastLength,
  maxProperties: upperBound,
  uniqueItems: constraint,
  const: constraint,
  dependentRequired: constraint,
  // Methods take and return the decoded value.
  contentEncoding: () => 'other',
  contentMediaType: () => 'other',
  // With a changed default, a call without the field has another effect. A new default documents existing behaviour.
  default: (before) => (before === undefined ? 'told' : 'other'),
};

function compareBounds(before: string, after: string): Shift {
  if (Number(after) === Number(before)) return 'none';
  return Number(after) < Number(before) ? 'narrower' : 'wider';
}

/** Finds the schema of a component by name, in the old and in the new report. */
export interface Components {
  before(name: string): Node | undefined;
  after(name: string): Node | undefined;
}

/** Compares two schemas. Components with the same name on both sides are compared once, separately. */
export function compareSchemas(before: Node, after: Node, components: Components): SchemaChange[] {
  return new Comparison(components).nodes(before, after, '');
}

class Comparison {
  readonly #components: Components;
  /** Pairs of components in comparison, so that recursive schemas terminate. */
  readonly #open = new Set<string>();

  constructor(components: Components) {
    this.#components = components;
  }

  nodes(before: Node, after: Node, path: string): SchemaChange[] {
    const changes = compareMarks(before, after, path);
    if (before.reference === after.reference && before.reference !== undefined) return changes;
    const pair = `${before.reference} ${after.reference}`;
    if (before.reference ?? after.reference) {
      if (this.#open.has(pair)) return changes;
      this.#open.add(pair);
    }
    const old = this.#followed(before, this.#components.before);
    const current = this.#followed(after, this.#components.after);
    return [...changes, ...this.#contents(old, current, path)];
  }

  #followed(node: Node, find: Components['before']): Node {
    let found = node;
    for (let depth = 0; found.reference !== undefined && depth < 20; depth += 1) {
      const target = find(found.reference);
      if (!target) throw new Error(`The report refers to the schema ${found.reference} and has no line for it`);
      found = target;
    }
    return found;
  }

  #contents(before: Node, after: Node, path: string): SchemaChange[] {
    if (!isSameComposition(before, after)) {
      return this.#contents(
        this.#merged(before, this.#components.before),
        this.#merged(after, this.#components.after),
        path,
      );
    }
    if (isUnion(before) !== isUnion(after)) return this.#forms(before, after, path);
    const names = new Set([...before.children.keys(), ...after.children.keys()]);
    return [
      ...compareTypes(before, after, path),
      ...compareKeywords(before, after, path),
      ...compareValues(before, after, path),
      ...compareMeanings(before, after, path),
      ...compareConditions(before, after, path),
      ...[...names].flatMap((name) => this.#child(name, before.children.get(name), after.children.get(name), path)),
      ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
        this.#branches(keyword, before.branches.get(keyword) ?? [], after.branches.get(keyword) ?? [], path),
      ),
    ];
  }

  /** A schema merged with its `allOf` branches, so that inherited and listed fields compare as equal. */
  #merged(node: Node, find: Components['before']): Node {
    const parts = (node.branches.get('allOf') ?? []).map((branch) => this.#merged(this.#followed(branch, find), find));
    const all = [
      ...parts,
      { ...node, branches: new Map([...node.branches].filter(([keyword]) => keyword !== 'allOf')) },
    ];
    const union = <Key, Value>(each: (part: Node) => Iterable<[Key, Value]>): Map<Key, Value> =>
      new Map(all.flatMap((part) => [...each(part)]));
    return {
      ...node,
      types: all.find(({ types }) => types.length > 0 && !types.includes('any'))?.types ?? node.types,
      open: all.some(({ open }) => open),
      keywords: union(({ keywords }) => keywords),
      values: new Set(all.flatMap(({ values }) => [...values])),
      children: union(({ children }) => children),
      branches: union(({ branches }) => branches),
      meanings: union(({ meanings }) => meanings),
      conditions: union(({ conditions }) => conditions),
    };
  }

  /** A schema that changes from one form to several, or from several to one. */
  #forms(before: Node, after: Node, path: string): SchemaChange[] {
    const [single, union] = isUnion(after) ? [before, after] : [after, before];
    const forms = [...(union.branches.get('anyOf') ?? []), ...(union.branches.get('oneOf') ?? [])];
    const sides = isUnion(after)
      ? [this.#components.before, this.#components.after]
      : [this.#components.after, this.#components.before];
    const [ofSingle = this.#components.before, ofUnion = this.#components.after] = sides;
    const comparison = new Comparison({ before: ofSingle, after: ofUnion });
    const isOne = forms.some(
      (form) => comparison.nodes(single, { ...form, required: single.required }, '').length === 0,
    );
    const shift = !isOne ? 'other' : isUnion(after) ? 'wider' : 'narrower';
    const what = isUnion(after) ? `can now have ${forms.length} forms` : 'now has one form only';
    return [{ path, aspect: 'forms', what, impact: impacts[shift] }];
  }

  #child(name: string, before: Node | undefined, after: Node | undefined, path: string): SchemaChange[] {
    if (before && after) return this.nodes(before, after, path + name);
    const change = { path: path + name, aspect: '' };
    if (!name.startsWith('.')) {
      // A schema for items, other keys, or the content of a text limits the accepted values.
      const shift = name === '<content>' ? 'other' : after ? 'narrower' : 'wider';
      return [{ ...change, what: after ? 'now has a schema' : 'no longer has a schema', impact: impacts[shift] }];
    }
    if (before) {
      return [{ ...change, what: 'no longer exists', impact: { request: 'break', reply: 'break' } }];
    }
    const isRequired = after?.required === true;
    return [{ ...change, what: 'is new', impact: { request: isRequired ? 'break' : 'addition', reply: 'addition' } }];
  }

  #branches(keyword: string, before: Node[], after: Node[], path: string): SchemaChange[] {
    const rest = [...after];
    const changed = before.filter((branch) => {
      const same = rest.findIndex((other) => this.#isSame(branch, other));
      if (same >= 0) rest.splice(same, 1);
      return same < 0;
    });
    const paired = Math.min(changed.length, rest.length);
    const place = (index: number): string => `${path}(${keyword} ${index + 1})`;
    const changes = changed
      .slice(0, paired)
      .flatMap((branch, index) => this.nodes(branch, rest[index] ?? branch, place(before.indexOf(branch))));
    // A value must match all branches of `allOf`, but only one branch of the other keywords.
    const isAll = keyword === 'allOf';
    return [
      ...changes,
      ...changed.slice(paired).map((branch) => ({
        path: place(before.indexOf(branch)),
        aspect: 'removed',
        what: isAll ? 'no longer has one of its parts' : 'no longer has one of its forms',
        impact: impacts[isAll ? 'other' : 'narrower'],
      })),
      ...rest.slice(paired).map((branch) => ({
        path: place(after.indexOf(branch)),
        aspect: 'added',
        what: isAll ? 'has another part' : 'can have another form',
        impact: impacts[isAll ? 'narrower' : 'wider'],
      })),
    ];
  }

  #isSame(before: Node, after: Node): boolean {
    return (
      (before.reference === undefined) === (after.reference === undefined) && this.nodes(before, after, '').length === 0
    );
  }
}

function isUnion({ branches }: Node): boolean {
  return branches.has('anyOf') || branches.has('oneOf');
}

/** Whether two schemas combine the same components with `allOf`. */
function isSameComposition(before: Node, after: Node): boolean {
  const names = ({ branches }: Node): string =>
    (branches.get('allOf') ?? []).map(({ reference = '' }) => reference).join(' ');
  return names(before) === names(after) && before.branches.has('allOf') === after.branches.has('allOf');
}

/** Keywords beside a reference: whether the field is required or deprecated. */
function compareMarks(before: Node, after: Node, path: string): SchemaChange[] {
  const changes: SchemaChange[] = [];
  if (before.required !== after.required) {
    changes.push({
      path,
      aspect: 'required',
      what: after.required ? 'is now required' : 'is now optional',
      impact: impacts[after.required ? 'narrower' : 'wider'],
    });
  }
  if (before.deprecated !== after.deprecated) {
    const impact = after.deprecated ? 'addition' : 'fix';
    const what = after.deprecated ? 'is deprecated' : 'is no longer deprecated';
    changes.push({ path, aspect: 'deprecated', what, impact: { request: impact, reply: impact } });
  }
  return changes;
}

function compareTypes(before: Node, after: Node, path: string): SchemaChange[] {
  const changes: SchemaChange[] = [];
  const [old, current] = [typeNames(before), typeNames(after)];
  const shift = shiftOf(isWithin(old, current), isWithin(current, old));
  if (shift !== 'none') {
    const what = `is now ${namesOf(after)} (before: ${namesOf(before)})`;
    changes.push({ path, aspect: 'type', what, impact: impacts[shift] });
  }
  // For text and numbers, `open` only marks undocumented points.
  if (before.open !== after.open && holdsFields(before) && holdsFields(after)) {
    changes.push(
      after.open
        ? { path, aspect: 'open', what: 'can have other fields', impact: { request: 'addition', reply: 'fix' } }
        : { path, aspect: 'open', what: 'has no other fields than those listed', impact: impacts.other },
    );
  }
  return changes;
}

function holdsFields({ types }: Node): boolean {
  return types.includes('object');
}

function typeNames({ types }: Node): string[] {
  return types.length === 0 ? ['any'] : types;
}

function namesOf(node: Node): string {
  return typeNames(node).join(' or ');
}

function isWithin(types: string[], others: string[]): boolean {
  if (others.includes('any')) return true;
  return types.every((type) => others.includes(type) || (type === 'integer' && others.includes('number')));
}

function shiftOf(oldFitsNew: boolean, newFitsOld: boolean): Shift {
  if (oldFitsNew && newFitsOld) return 'none';
  if (oldFitsNew) return 'wider';
  return newFitsOld ? 'narrower' : 'other';
}

function compareKeywords(before: Node, after: Node, path: string): SchemaChange[] {
  const names = new Set([...before.keywords.keys(), ...after.keywords.keys()]);
  return [...names].flatMap((name): SchemaChange[] => {
    const [old, current] = [before.keywords.get(name), after.keywords.get(name)];
    if (old === current) return [];
    const what = current === undefined ? `no longer has \`${name}\` ${old}` : `now has \`${name}\` ${current}`;
    const shift = keywordRules[name](old, current);
    if (shift === 'none') return [];
    const impact = impacts[shift];
    return [{ path, aspect: name, what: old && current ? `${what} (before: ${old})` : what, impact }];
  });
}

function compareValues(before: Node, after: Node, path: string): SchemaChange[] {
  const list = (values: Set<string>): string => [...values].join(', ');
  if (before.values.size === 0 && after.values.size === 0) return [];
  if (before.values.size === 0) {
    return [{ path, aspect: 'enum', what: `is now one of ${list(after.values)}`, impact: impacts.narrower }];
  }
  if (after.values.size === 0) {
    return [{ path, aspect: 'enum', what: 'can now have any value of its type', impact: impacts.wider }];
  }
  const lost = [...before.values].filter((value) => !after.values.has(value));
  const added = [...after.values].filter((value) => !before.values.has(value));
  const { narrower, wider } = impacts;
  return [
    ...lost.map((value) => ({ path, aspect: `enum ${value}`, what: `can no longer be ${value}`, impact: narrower })),
    ...added.map((value) => ({ path, aspect: `enum ${value}`, what: `can now be ${value}`, impact: wider })),
  ];
}

/** Conditions and variants. Parameter types accept only the variants, so a missing or different variant narrows them. */
function compareConditions(before: Node, after: Node, path: string): SchemaChange[] {
  const [oldForms, forms] = [before, after].map(variantsOf);
  // The first variants limit a body that had none before.
  if (forms && forms.length > 0 && oldForms?.length === 0) {
    const what = `now has only these forms: ${forms.map((name) => `\`${name}\``).join(', ')}`;
    return [
      { path, aspect: 'variants', what, impact: impacts.narrower },
      ...compareEach(before, after, path, (name) => !isVariant(name)),
    ];
  }
  return compareEach(before, after, path, () => true);
}

function isVariant(name: string): boolean {
  return name.startsWith('variant ');
}

/** Values and limits that remain, with another meaning. */
function compareMeanings({ meanings: old }: Node, { meanings }: Node, path: string): SchemaChange[] {
  return [...old].flatMap(([subject, text]) => {
    const current = meanings.get(subject);
    if (current === undefined || current === text) return [];
    const what = `has another meaning of ${subject === 'limits' ? 'its limits' : `the value ${subject}`}: read it`;
    return [{ path, aspect: `meaning of ${subject}`, what, impact: impacts.told }];
  });
}

function variantsOf({ conditions }: Node): string[] {
  return [...conditions.keys()].filter(isVariant).map((name) => name.slice('variant '.length));
}

function compareEach(before: Node, after: Node, path: string, isCompared: (name: string) => boolean): SchemaChange[] {
  const names = new Set([...before.conditions.keys(), ...after.conditions.keys()]);
  const isLast = variantsOf(after).length === 0;
  return [...names].filter(isCompared).flatMap((name): SchemaChange[] => {
    const [old, current] = [before.conditions.get(name), after.conditions.get(name)];
    if (old === current) return [];
    // Another variant widens the body. Removing all variants also widens it.
    const widens = isVariant(name) && !isLast ? current !== undefined : current === undefined;
    const shift = old !== undefined && current !== undefined ? 'other' : widens ? 'wider' : 'narrower';
    const condition = isVariant(name) ? `the form \`${name.slice('variant '.length)}\`` : `the condition \`${name}\``;
    const verb = old === undefined ? 'now has' : current === undefined ? 'no longer has' : 'has changed';
    return [{ path, aspect: name, what: `${verb} ${condition}`, impact: impacts[shift] }];
  });
}
