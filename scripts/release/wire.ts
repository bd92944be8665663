import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { repositoryRoot, type SpecName, specNames } from '../spec/files.ts';
import { listOperations, loadSpec, type Spec, type SpecOperation } from '../spec/model.ts';
import { sdkOf } from '../spec/parameters.ts';
import { findUses } from '../spec/uses.ts';
import type { Impact, Judge, Verdict } from './verdict.ts';

/**
 * Paths, statuses, content types, servers and credentials, from `redocly diff`. Its other findings belong to the methods
 * judge, which knows the client. The command is experimental, so its version is pinned, and an unlisted kind of change
 * stops the check.
 */
export const wireJudge: Judge = {
  surface: 'wire',
  judge: async (base, next) => {
    const verdicts: Verdict[] = [];
    // One after another, because each starts a process.
    for (const name of specNames) {
      const [before, after] = [base, next].map(({ folder }) => join(folder, 'spec', `${name}.yaml`));
      if (before && after && existsSync(before)) verdicts.push(...(await judgeSpecs(name, before, after)));
      else if (after) verdicts.push(newSpec(name, after));
    }
    return verdicts;
  },
};

function newSpec(name: SpecName, file: string): Verdict {
  const { length } = listOperations(loadSpec(name, file));
  return { surface: 'wire', impact: 'addition', place: name, sentence: `\`${name}\` is new, with ${length} methods.` };
}

/** Verdicts on two versions of a spec's file. */
export async function judgeSpecs(name: SpecName, before: string, after: string): Promise<Verdict[]> {
  const changes = await diffSpecs(before, after);
  return translate(loadSpec(name, before), loadSpec(name, after), changes);
}

const program = join(repositoryRoot, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };

const side = z.object({ pointer: z.string(), value: z.unknown().optional() });
const changeShape = z.object({
  path: z.string(),
  typeName: z.string(),
  kind: z.enum(['added', 'removed', 'modified']),
  property: z.string().optional(),
  impact: z.enum(['major', 'minor', 'patch']),
  verdicts: z.array(z.object({ ruleId: z.string() })),
  base: side.optional(),
  revision: side.optional(),
});

/** A change as `redocly diff` reports it. */
export type Change = z.infer<typeof changeShape>;

export async function diffSpecs(before: string, after: string): Promise<Change[]> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-diff-'));
  const output = join(folder, 'diff.json');
  const options = [`--config=${join(repositoryRoot, 'redocly.yaml')}`, '--format=json', '--fail-on=none'];
  try {
    await promisify(execFile)(process.execPath, [program, 'diff', before, after, ...options, `--output=${output}`], {
      cwd: repositoryRoot,
      env: { ...process.env, ...environment },
      timeout: 60_000,
      maxBuffer: 2 ** 26,
    });
    return z.object({ changes: z.array(changeShape) }).parse(JSON.parse(await readFile(output, 'utf8'))).changes;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`redocly diff did not compare ${before} with ${after}: ${reason}`, { cause: error });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The part that judges a change: this judge, or the methods judge (a line of `report.txt`, or a type). Texts are not
 * judged.
 */
type Judged = 'wire' | 'methods' | 'texts';

/** The kinds of changes in a node. `whole` is the node itself, other keys are its properties. */
type Kinds = Readonly<Record<string, Judged>>;

const methods = (...names: string[]): Kinds => Object.fromEntries(names.map((name) => [name, 'methods']));
const texts = (...names: string[]): Kinds => Object.fromEntries(names.map((name) => [name, 'texts']));
const wire = (...names: string[]): Kinds => Object.fromEntries(names.map((name) => [name, 'wire']));

const extensions: Kinds = {
  ...methods(
    'x-sdk',
    'x-effect',
    'x-undo',
    'x-shown-by',
    'x-people',
    'x-opt-outs',
    'x-sends-if',
    'x-test-mode',
    'x-pagination',
    'x-envelope',
    'x-rate-limit',
  ),
  ...methods('x-rules', 'x-errors', 'x-variants', 'x-enum-varnames', 'x-record', 'x-at-least-one', 'x-decoded'),
  ...texts(
    'x-source',
    'x-open',
    'x-observed',
    'x-inferred',
    'x-conflict',
    'x-inferred-limits',
    'x-title',
    'x-columns',
    'x-final',
  ),
  ...methods('x-enumDescriptions'),
  ...texts('x-document', 'x-tagGroups'),
};

const schema: Kinds = {
  ...methods(
    'whole',
    'key',
    '$ref',
    'type',
    'enum',
    'const',
    'default',
    'required',
    'deprecated',
    'additionalProperties',
  ),
  ...methods('format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'),
  ...methods('minProperties', 'maxProperties', 'uniqueItems', 'dependentRequired', 'contentEncoding'),
  ...methods('contentMediaType', 'contentSchema', 'properties', 'items', 'allOf', 'anyOf', 'oneOf'),
  ...methods('not', 'if', 'then', 'else'),
  ...texts('title', 'description', 'examples', 'example'),
};

/** Node type → the judge of each kind. */
const judged: Readonly<Record<string, Kinds>> = {
  Root: texts('openapi'),
  Info: texts('whole', 'title', 'version', 'summary', 'description', 'termsOfService'),
  License: texts('whole', 'name', 'identifier', 'url'),
  Contact: texts('whole', 'name', 'url', 'email'),
  Tag: texts('whole', 'name', 'description', 'summary'),
  TagGroup: texts('whole', 'name', 'tags'),
  TagGroups: texts('whole'),
  TagList: texts('whole'),
  ExternalDocs: texts('whole', 'url', 'description'),
  Example: texts('whole', 'key', 'summary', 'description', 'value'),
  ExamplesMap: texts('whole'),
  NamedExamples: texts('whole'),
  SpecExtension: extensions,
  Server: { ...wire('whole', 'url'), ...texts('description') },
  ServerList: wire('whole'),
  // The default host is an example that users replace.
  ServerVariable: texts('whole', 'default', 'description'),
  ServerVariablesMap: texts('whole'),
  PathItem: { ...wire('whole', 'key'), ...texts('summary', 'description') },
  Operation: { ...wire('whole'), ...methods('operationId', 'deprecated'), ...texts('summary', 'description', 'tags') },
  ParameterList: methods('whole'),
  Parameter: {
    ...methods('whole', 'key', 'name', 'in', 'required', 'deprecated', 'schema'),
    ...wire('style', 'explode', 'allowReserved', 'content'),
    ...texts('description', 'example', 'examples'),
  },
  RequestBody: { ...methods('whole', 'required'), ...texts('description') },
  Responses: {},
  Response: { ...wire('whole', 'key'), ...texts('description') },
  MediaTypesMap: wire('whole'),
  MediaType: { ...wire('whole', 'key'), ...methods('schema'), ...texts('example', 'examples') },
  Header: { ...wire('whole', 'required'), ...texts('description', 'example', 'examples') },
  HeadersMap: wire('whole'),
  SecurityRequirement: { ...wire('whole', 'key') },
  SecurityRequirementList: wire('whole'),
  SecurityScheme: {
    ...wire('type', 'scheme', 'in', 'name', 'bearerFormat', 'openIdConnectUrl'),
    ...texts('whole', 'description'),
  },
  Schema: schema,
  SchemaProperties: methods('whole'),
  AllOf: methods('whole'),
  AnyOf: methods('whole'),
  OneOf: methods('whole'),
  DependentRequired: methods('whole'),
  // A component without uses affects no request. Removing one removes a type.
  NamedSchemas: methods('whole'),
  NamedParameters: texts('whole'),
  NamedResponses: texts('whole'),
  NamedRequestBodies: texts('whole'),
  NamedSecuritySchemes: texts('whole'),
};

/** Rules of `redocly diff`. A new rule may report changes that no line here handles. */
const knownRules = new Set([
  'enum-values-added',
  'enum-values-removed',
  'media-type-removed',
  'operation-id-changed',
  'operation-removed',
  'parameter-became-required',
  'parameter-removed',
  'parameter-serialization-changed',
  'path-removed',
  'property-removed',
  'request-body-became-required',
  'request-body-removed',
  'required-properties-added',
  'required-properties-removed',
  'response-header-removed',
  'response-removed',
  'schema-combinator-changed',
  'schema-constraint-changed',
  'schema-type-changed',
  'security-requirement-changed',
  'security-scheme-changed',
  'server-removed',
]);

/** @throws `Error` if the kind of change is unknown */
function judgeOf({ typeName, property, path, verdicts }: Change): Judged {
  const unknown = verdicts.find(({ ruleId }) => !knownRules.has(ruleId));
  const kinds = Object.hasOwn(judged, typeName) ? judged[typeName] : undefined;
  // An extension can be a property of its node, or a node with its own properties.
  const extension = property?.startsWith('x-') ? property : path.split('/').findLast((part) => part.startsWith('x-'));
  const found =
    typeName === 'SpecExtension' || property?.startsWith('x-')
      ? extensions[extension ?? '']
      : kinds?.[property ?? 'whole'];
  if (unknown || !found) {
    const told = unknown
      ? `the rule ${unknown.ruleId}`
      : `${property ? `\`${property}\` of ` : ''}${typeName} at ${path}`;
    throw new Error(
      `redocly diff reports a change that the release check does not know: ${told}. Add it to scripts/release/wire.ts.`,
    );
  }
  return found;
}

type Said = Omit<Verdict, 'surface'>;

/** @throws `Error` if a kind of change is unknown */
export function translate(before: Spec, after: Spec, changes: readonly Change[]): Verdict[] {
  const own = changes.filter((change) => judgeOf(change) === 'wire');
  const said = [
    ...translateOperations(
      before,
      after,
      own.filter(({ typeName }) => isOperation(typeName)),
    ),
    ...own.filter(({ typeName }) => !isOperation(typeName)).flatMap((change) => translateChange(before, after, change)),
  ];
  // A changed credential of a method can be several changes of its list.
  return [...new Map(said.map((each) => [each.place, each])).values()].map((each) => ({
    surface: 'wire',
    ...each,
    place: `${before.name} ${each.place}`,
  }));
}

function isOperation(typeName: string): boolean {
  return typeName === 'PathItem' || typeName === 'Operation';
}

/** Added, removed and moved operations. Operations with the same ID are the same operation. */
function translateOperations(before: Spec, after: Spec, changes: readonly Change[]): Said[] {
  if (changes.length === 0) return [];
  const [old, current] = [before, after].map(
    (spec) => new Map(listOperations(spec).map((each) => [each.operationId, each])),
  );
  const keys = new Set(listOperations(after).map(({ key }) => key));
  const oldKeys = new Set(listOperations(before).map(({ key }) => key));
  const gone = [...(old?.values() ?? [])].flatMap((operation): Said[] => {
    const { operationId: place, key } = operation;
    const moved = current?.get(place);
    // An operation with a new ID at the same path belongs to the methods judge.
    if (moved ? moved.key === key : keys.has(key)) return [];
    return [
      moved
        ? {
            place,
            impact: 'break',
            sentence: `${methodOf(operation)} moves from \`${key}\` to \`${moved.key}\`. Change calls by path.`,
          }
        : {
            place,
            impact: 'break',
            sentence: `${methodOf(operation)} (\`${key}\`) no longer exists. Remove its calls.`,
          },
    ];
  });
  const added = [...(current?.values() ?? [])]
    .filter(({ key, operationId }) => !oldKeys.has(key) && !old?.has(operationId))
    .map((operation): Said => {
      const { operationId: place, key } = operation;
      return { place, impact: 'addition', sentence: `${methodOf(operation)} (\`${key}\`) is new.` };
    });
  return [...gone, ...added];
}

function translateChange(before: Spec, after: Spec, change: Change): Said[] {
  const { typeName, kind, path } = change;
  if (typeName.startsWith('SecurityRequirement')) return translateCredentials(before, after);
  const was = told(change.base?.value);
  const is = told(change.revision?.value);
  if (typeName.startsWith('Server')) return [server(change, was, is)];
  if (typeName === 'SecurityScheme') {
    const scheme = path.split('/').at(-1);
    const sentence = `Requests carry their credential in another way: \`${change.property}\` of \`${scheme}\` is ${is} (before: ${was}). Change credentials that you send yourself.`;
    return [{ place: `${scheme} ${change.property}`, impact: 'break', sentence }];
  }
  const found = placeOf(kind === 'added' ? after : before, change);
  if (!found) return [];
  const { methods: users, place, status, last } = found;
  const impact: Impact = kind === 'added' ? 'addition' : 'break';
  const verb = kind === 'added' ? 'documents' : 'no longer documents';
  const part = status ? `the reply with status ${status}` : 'the body';
  if (typeName === 'Response') {
    const sentence =
      kind === 'modified' ? `${users} documents the status ${is} in place of ${was}.` : `${users} ${verb} ${part}.`;
    return [{ place, impact, sentence }];
  }
  if (typeName === 'MediaTypesMap') {
    const sentence = `${users} ${verb} the content of ${part}.`;
    return [{ place, impact, sentence }];
  }
  if (typeName === 'MediaType') {
    const sentence =
      kind === 'modified'
        ? `${users} has ${is} in place of ${was} in ${part}.`
        : `${users} ${verb} \`${last}\` in ${part}.`;
    return [{ place: `${place} ${last}`, impact, sentence }];
  }
  if (typeName.startsWith('Header')) {
    const sentence =
      kind === 'modified'
        ? `The header \`${last}\` of ${users} is ${change.property} in another way.`
        : `${users} ${verb} ${last === 'headers' ? 'headers' : `the header \`${last}\``} in ${part}.`;
    return [{ place: `${place} header ${last}`, impact, sentence }];
  }
  const sentence = `${users} takes the parameter \`${last}\` in another form (\`${change.property}\`). Change calls that encode it themselves.`;
  return [{ place: `${place} ${last}`, impact: 'break', sentence }];
}

function server({ kind, path, base, revision }: Change, was: string, is: string): Said {
  const place = path.replace('#/', '');
  if (kind === 'added')
    return { place, impact: 'addition', sentence: `Requests can also go to ${urlOf(revision?.value)}.` };
  if (kind === 'removed')
    return {
      place,
      impact: 'break',
      sentence: `Requests no longer go to ${urlOf(base?.value)}. Change proxies and stubs of its paths.`,
    };
  return {
    place,
    impact: 'break',
    sentence: `Requests go to ${is} instead of ${was}. Change proxies and stubs of its paths.`,
  };
}

function urlOf(value: unknown): string {
  const servers = z.union([
    z.object({ url: z.string() }).transform((one) => [one]),
    z.array(z.object({ url: z.string() })),
  ]);
  return servers
    .parse(value)
    .map(({ url }) => `\`${url}\``)
    .join(' and ');
}

/**
 * Compares by operation, because operations without their own list inherit that of the spec, which `redocly diff` does
 * not consider.
 */
function translateCredentials(before: Spec, after: Spec): Said[] {
  const current = new Map(listOperations(after).map((each) => [each.operationId, each]));
  return listOperations(before).flatMap((operation): Said[] => {
    const next = current.get(operation.operationId);
    if (!next) return [];
    const [old, accepted] = [operation, next].map(credentialsOf);
    if (!old || !accepted || JSON.stringify(old) === JSON.stringify(accepted)) return [];
    const place = `${operation.operationId} security`;
    const stillAccepted = old.every((names) => accepted.some((fewer) => fewer.every((name) => names.includes(name))));
    const is = accepted
      .map((names) => names.map((name) => `\`${name}\``).join(' and ') || 'no credential')
      .join(' or ');
    return [
      stillAccepted
        ? { place, impact: 'addition', sentence: `${methodOf(operation)} also accepts ${is}.` }
        : { place, impact: 'break', sentence: `${methodOf(operation)} needs another credential: ${is}.` },
    ];
  });
}

/**
 * The alternatives, each with the names of its schemes and scopes. A missing or empty list means that no credential is
 * needed.
 */
function credentialsOf({ operation, spec }: SpecOperation): string[][] {
  const alternatives = z.array(z.record(z.string(), z.array(z.string())));
  const lists = alternatives.parse(operation.security ?? Reflect.get(spec.document, 'security') ?? []);
  if (lists.length === 0) return [[]];
  return lists.map((schemes) =>
    Object.entries(schemes)
      .flatMap(([name, scopes]) => [name, ...scopes.map((scope) => `${name} ${scope}`)])
      .sort(),
  );
}

interface Place {
  methods: string;
  place: string;
  status: string | undefined;
  last: string;
}

/** The methods that a change affects, and the name of the part of their requests or replies. */
function placeOf(spec: Spec, { path, base, revision }: Change): Place | undefined {
  const parts = path.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [, , address = '', method = '', ...rest] = parts;
  const operation = listOperations(spec).find(({ key }) => key === `${method.toUpperCase()} ${address}`);
  const [, component] = /^(#\/components\/[^/]+\/[^/]+)\/./.exec(base?.pointer ?? revision?.pointer ?? '') ?? [];
  const sharing = component ? (findUses(spec).get(component) ?? []) : [];
  const users = sharing.length > 1 ? sharing : operation ? [operation] : sharing;
  const [first] = users;
  // No operation uses this shared part in this revision, so the changes of operations cover it.
  if (!first && path.startsWith('#/components/')) return undefined;
  if (!first)
    throw new Error(`redocly diff reports a change at ${path}, and the release check finds no operation there`);
  const status = rest[0] === 'responses' ? rest[1] : undefined;
  const more = users.length > 1 ? ` and ${users.length - 1} more` : '';
  const place = [
    component ? component.split('/').at(-1) : first.operationId,
    rest[0] === 'responses' ? 'reply' : 'request',
    status,
  ]
    .filter(Boolean)
    .join(' ');
  return { methods: `${methodOf(first)}${more}`, place, status, last: parts.at(-1) ?? '' };
}

function told(value: unknown): string {
  return value === undefined ? 'nothing' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function methodOf(operation: SpecOperation): string {
  return `\`${operation.spec.name}.${sdkOf(operation).method}\``;
}
