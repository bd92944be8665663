import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capitalize } from '../generate/names.ts';
import { compareFacts, compareOperations } from './methods/operations.ts';
import { type Node, type Operation, type Report, readReport } from './methods/report.ts';
import { type Components, compareSchemas, type SchemaChange } from './methods/schemas.ts';
import { type Direction, findUses, referenceOf, type Uses } from './methods/uses.ts';
import type { Impact, Judge, Release, Verdict } from './verdict.ts';

/** Methods and their data, from the lines of `generated/<spec>/report.txt`. */
export const methodsJudge: Judge = {
  surface: 'methods',
  judge: async (base, next) => {
    const specs = new Set([...listReports(base), ...listReports(next)]);
    const read = (release: Release, spec: string): string =>
      existsSync(reportFile(release, spec)) ? readFileSync(reportFile(release, spec), 'utf8') : '';
    return [...specs].flatMap((spec) => judgeReports(spec, read(base, spec), read(next, spec)));
  },
};

function reportFile({ folder }: Release, spec: string): string {
  return join(folder, 'generated', spec, 'report.txt');
}

function listReports(release: Release): string[] {
  return readdirSync(join(release.folder, 'generated')).filter((spec) => existsSync(reportFile(release, spec)));
}

/** A change with its place in the spec. */
interface Found {
  place: string;
  impact: Impact;
  sentence: string;
}

/** Verdicts on two reports of one spec. */
export function judgeReports(spec: string, before: string, after: string): Verdict[] {
  const comparison = new ReportComparison(
    spec,
    readReport(before, `The old report of ${spec}`),
    readReport(after, `The new report of ${spec}`),
  );
  return comparison.all().map((found) => ({ surface: 'methods', ...found, place: `${spec} ${found.place}` }));
}

class ReportComparison {
  readonly #spec: string;
  readonly #before: Report;
  readonly #after: Report;
  readonly #uses: Map<string, Uses>;
  readonly #components: Components;

  constructor(spec: string, before: Report, after: Report) {
    this.#spec = spec;
    this.#before = before;
    this.#after = after;
    this.#uses = findUses(before);
    this.#components = { before: (name) => before.schemas.get(name), after: (name) => after.schemas.get(name) };
  }

  all(): Found[] {
    return [
      ...this.#rules(),
      ...[...this.#before.operations.values()].flatMap((operation) => this.#operation(operation)),
      ...this.#newOperations(),
      ...[...this.#before.schemas.keys()].flatMap((name) => this.#schema(name)),
      ...[...this.#before.responses.keys()].flatMap((name) => this.#response(name)),
    ];
  }

  #rules(): Found[] {
    const changes = compareFacts(this.#before.rules, this.#after.rules);
    return changes.map(({ aspect, what, impact }) => {
      // Rules of the whole spec describe the format of requests and replies. Rules that refuse requests belong to
      // operations.
      const isNew = !this.#before.rules.has(aspect);
      const sentence = isNew ? `${this.#spec} documents ${aspect.replace(' ', ' `')}\`` : `${this.#spec} ${what}`;
      return { place: aspect, impact: isNew ? 'fix' : impact, sentence: `${sentence}.` };
    });
  }

  #operation(before: Operation): Found[] {
    const after = this.#after.operations.get(before.id) ?? findAt(this.#after, before);
    const method = this.#method(before.place);
    if (!after) {
      const sentence = `${method} (\`${keyOf(before)}\`) no longer exists. Remove its calls.`;
      return [{ place: before.id, impact: 'break', sentence }];
    }
    const names = new Set([...before.places.keys(), ...after.places.keys()]);
    const moved = `${method} moves from \`${keyOf(before)}\` to \`${keyOf(after)}\`. Change calls by path.`;
    return [
      ...(keyOf(before) === keyOf(after) ? [] : [{ place: before.id, impact: 'break', sentence: moved } as const]),
      ...compareOperations(before, after).map(({ aspect, impact, what }) => ({
        place: `${before.id} ${aspect}`,
        impact,
        sentence: `${method} ${what}.`,
      })),
      ...[...names].flatMap((name) => this.#place([before, after], name)),
      ...this.#sharedReplies(before, after),
    ];
  }

  #newOperations(): Found[] {
    return [...this.#after.operations.values()]
      .filter((after) => !this.#before.operations.has(after.id) && !findAt(this.#before, after))
      .map((after) => ({
        place: after.id,
        impact: 'addition',
        sentence: `${this.#method(after.place)} (\`${keyOf(after)}\`) is new.`,
      }));
  }

  #place(operations: readonly [Operation, Operation], name: string): Found[] {
    const [operation] = operations;
    const [before, after] = operations.map(({ places }) => places.get(name));
    const method = this.#method(operation.place);
    const place = `${operation.id} ${name}`;
    if (name.startsWith('reply ')) {
      const [, status = '', type] = name.split(' ');
      const reply = status.startsWith('2') ? 'the reply' : `the reply with status ${status}`;
      if (!before || !after) {
        // A new or removed status, and one that now refers to a shared reply, is another change.
        const [old, current] = operations.map(({ facts }) => facts.get(`status ${status}`)?.value);
        if (old === undefined || old !== current) return [];
        const verb = after ? 'has' : 'no longer has';
        const sentence = `${capitalize(reply)} of ${method} ${verb} the content type ${type}.`;
        return [{ place, impact: after ? 'addition' : 'break', sentence }];
      }
      return this.#compare(place, before, after, (path) => inside(path, `${reply} of ${method}`, 'reply'));
    }
    const parameter = name.replace(/^\w+\./, '');
    const subject = name === 'body' ? `the body of ${method}` : `\`${parameter}\` of ${method}`;
    if (before && after) return this.#compare(place, before, after, (path) => inside(path, subject, 'request'));
    if (before) {
      return [
        { place, impact: 'break', sentence: `${capitalize(subject)} no longer exists. Remove it from your code.` },
      ];
    }
    return [
      after?.required
        ? { place, impact: 'break', sentence: `${capitalize(subject)} is new and required. Add it to your calls.` }
        : { place, impact: 'addition', sentence: `${capitalize(subject)} is new.` },
    ];
  }

  /** Replies that now reference another component of `components/responses`. */
  #sharedReplies(before: Operation, after: Operation): Found[] {
    return [...before.facts.values()].flatMap(({ kind, subject: status, value }) => {
      const current = after.facts.get(`${kind} ${status}`)?.value;
      if (kind !== 'status' || current === undefined || value === current) return [];
      const [old, next] = [
        value ? this.#before.responses.get(referenceOf(value)) : inlineReply(before, status),
        current ? this.#after.responses.get(referenceOf(current)) : inlineReply(after, status),
      ];
      return [...(old ?? [])].flatMap(([type, node]) => {
        const other = next?.get(type);
        const place = `${before.id} reply ${status} ${type}`;
        const reply = `the reply with status ${status} of ${this.#method(before.place)}`;
        return other ? this.#compare(place, node, other, (path) => inside(path, reply, 'reply')) : [];
      });
    });
  }

  #schema(name: string): Found[] {
    const [before, after] = [this.#before.schemas.get(name), this.#after.schemas.get(name)];
    if (!before) return [];
    const uses = this.#uses.get(`schema ${name}`);
    if (!after) {
      // A type that only removed methods used is removed with them.
      const users = [...(uses?.request ?? []), ...(uses?.reply ?? [])];
      const remaining = new Set([...this.#after.operations.values()].map(({ place }) => place));
      if (users.length > 0 && users.every((method) => !remaining.has(method))) return [];
      const type = `${capitalize(this.#spec)}.${name}`;
      return [
        {
          place: name,
          impact: 'break',
          sentence: `The type \`${type}\` no longer exists. Use another type in your code.`,
        },
      ];
    }
    return this.#compare(name, before, after, (path) => this.#shared(`${name}${path}`, uses));
  }

  #response(name: string): Found[] {
    const uses = this.#uses.get(`response ${name}`);
    return [...(this.#before.responses.get(name) ?? [])].flatMap(([type, node]) => {
      const other = this.#after.responses.get(name)?.get(type);
      if (!other) return [];
      return this.#compare(`response ${name} ${type}`, node, other, (path) =>
        this.#shared(`${name}${path}`, uses, ['reply']),
      );
    });
  }

  #compare(place: string, before: Node, after: Node, about: (path: string) => Subject): Found[] {
    return compareSchemas(before, after, this.#components).map((change) => {
      const { text, directions, where } = about(change.path);
      const [direction] = directions.toSorted((a, b) => severity(change, b) - severity(change, a));
      const impact = change.impact[direction ?? 'request'];
      // Name both directions if the impact is the same.
      const affected = directions.filter((each) => change.impact[each] === impact);
      const sentence = `${capitalize(text)} ${change.what}${where(affected)}.${impact === 'break' ? ` ${advice(change, affected)}` : ''}`;
      return { place: [`${place}${change.path}`, change.aspect].filter(Boolean).join(' '), impact, sentence };
    });
  }

  /** A part of a component that several methods can share. */
  #shared(name: string, uses: Uses | undefined, known?: Direction[]): Subject {
    const used = (['request', 'reply'] as const).filter((each) => (uses?.[each].size ?? 0) > 0);
    // A component without uses is still a type that users import.
    const directions = known ?? (used.length > 0 ? used : ['request', 'reply']);
    return {
      text: `\`${withoutBranches(name)}\``,
      directions,
      where: (affected) => {
        const parts = affected.flatMap((each) => {
          const methods = [...(uses?.[each] ?? [])].map((place) => this.#method(place));
          return methods.length > 0 ? [`${each === 'request' ? 'requests' : 'replies'} of ${listed(methods)}`] : [];
        });
        return parts.length > 0 ? ` in ${parts.join(' and in ')}` : '';
      },
    };
  }

  #method(place: string): string {
    return `\`${this.#spec}.${place}\``;
  }
}

/** `PUT /crm/v1/deals/{dealId}`. */
function keyOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The operation at the same path, which may have another ID. */
function findAt({ operations }: Report, operation: Operation): Operation | undefined {
  return [...operations.values()].find((each) => keyOf(each) === keyOf(operation));
}

/** The beginning of a sentence about a part of a schema, and the methods that use it. */
interface Subject {
  text: string;
  directions: Direction[];
  where(directions: Direction[]): string;
}

/** A part of one method's request or reply. */
function inside(path: string, whole: string, direction: Direction): Subject {
  const field = withoutBranches(path).replace(/^\./, '');
  const text = field === '' ? whole : `\`${field}\` in ${whole}`;
  return { text, directions: [direction], where: () => '' };
}

/** Users see fields, not the branches of a schema that contain them. */
function withoutBranches(path: string): string {
  return path.replaceAll(/\((?:allOf|anyOf|oneOf) \d+\)/g, '');
}

function inlineReply(operation: Operation, status: string): Map<string, Node> {
  const start = `reply ${status} `;
  return new Map(
    [...operation.places].flatMap(([name, node]) => (name.startsWith(start) ? [[name.slice(start.length), node]] : [])),
  );
}

function severity({ impact }: SchemaChange, direction: Direction): number {
  return ['fix', 'addition', 'break'].indexOf(impact[direction]);
}

function advice({ aspect, impact }: SchemaChange, affected: readonly Direction[]): string {
  if (aspect === '' && impact.reply !== 'break') return 'It is required: add it to your calls.';
  if (aspect === '')
    return `Change code that ${affected.map((each) => (each === 'request' ? 'sends' : 'reads')).join(' or ')} it.`;
  if (!affected.includes('request')) return 'Check the code that reads it.';
  return aspect === 'required' ? 'Add it to your calls.' : 'Check the values that you send.';
}

/** The first two methods of a list, and the number of others. */
function listed(methods: string[]): string {
  const [first = '', second, ...more] = methods;
  if (second === undefined) return first;
  return more.length === 0 ? `${first} and ${second}` : `${first}, ${second} and ${more.length} more`;
}
