import { isRecord } from '../../src/shared/is-record.ts';
import { specNames } from '../spec/files.ts';
import { listOperations, loadSpec, type Spec } from '../spec/model.ts';

type Json = Record<string, unknown>;

/**
 * Joins specs into one, with the base of each operation in its path, for tools that read a single file or ignore servers. A
 * component whose name other specs also use gets the name of its spec as a prefix: `CrmError`. All specs share one security
 * scheme.
 *
 * @throws `Error` if two specs have the same operation or tag
 */
export function joinSpecs(
  version: string,
  specs: readonly Spec[] = specNames.map((name) => loadSpec(name)),
): Record<string, unknown> {
  const shared = sharedNames(specs);
  const parts = specs.map((spec) => ({
    spec,
    openapi: asJson(renameReferences(spec.openapi, spec.name, shared)),
  }));
  const infos = parts.map(({ openapi }) => asJson(openapi.info));
  const [first] = parts;
  if (!first) throw new Error('There are no specs to join');
  const joined = (name: string): unknown[] => parts.flatMap(({ openapi }) => openapi[name] ?? []);
  const tags = joined('tags').map(asJson);
  checkUnique(tags.map(({ name }) => String(name)));
  return {
    openapi: first.openapi.openapi,
    info: {
      title: 'All operations',
      version,
      license: infos[0]?.license,
      description: infos.map(({ title, description }) => `# ${title}\n\n${description}`).join('\n\n'),
      'x-rules': infos.flatMap((info) => info['x-rules'] ?? []),
    },
    servers: [serverOf(first.openapi)],
    security: first.openapi.security,
    tags,
    'x-tagGroups': joined('x-tagGroups'),
    paths: joinPaths(parts),
    components: joinComponents(parts, shared),
  };
}

interface Part {
  spec: Spec;
  openapi: Json;
}

/** Components with a name that several specs use, such as `schemas/OpenBody`, without security schemes. */
function sharedNames(specs: readonly Spec[]): ReadonlySet<string> {
  const all = specs.flatMap(({ openapi }) =>
    Object.entries(openapi.components)
      .filter(([section]) => section !== 'securitySchemes')
      .flatMap(([section, components]) => Object.keys(components ?? {}).map((name) => `${section}/${name}`)),
  );
  return new Set(all.filter((name, index) => all.indexOf(name) < index));
}

function renamed(section: string, name: string, spec: string, shared: ReadonlySet<string>): string {
  return shared.has(`${section}/${name}`) ? spec.charAt(0).toUpperCase() + spec.slice(1) + name : name;
}

function renameReferences(value: unknown, spec: string, shared: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renameReferences(item, spec, shared));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const [, section = '', name = ''] = (key === '$ref' && /^#\/components\/(\w+)\/(\w+)$/.exec(String(inner))) || [];
      if (name) return [key, `#/components/${section}/${renamed(section, name, spec, shared)}`];
      return [key, renameReferences(inner, spec, shared)];
    }),
  );
}

/** The server without the base, which is in the paths. */
function serverOf({ servers }: Json): unknown {
  const [server] = Array.isArray(servers) ? servers : [];
  return { ...asJson(server), url: '{base_url}', description: 'The platform.' };
}

function joinPaths(parts: readonly Part[]): Json {
  const paths: Record<string, Json> = {};
  for (const { spec, openapi } of parts) {
    for (const { base, path, method } of listOperations(spec)) {
      const item = asJson(asJson(openapi.paths)[path]);
      const { servers, ...operation } = asJson(item[method.toLowerCase()]);
      const real = base + path;
      const other = paths[real] ?? {};
      const parameters = item.parameters ?? other.parameters;
      if (method.toLowerCase() in other) throw new Error(`Two specs have ${method} ${real}`);
      paths[real] = { ...(parameters !== undefined && { parameters }), ...other, [method.toLowerCase()]: operation };
    }
  }
  return paths;
}

function joinComponents(parts: readonly Part[], shared: ReadonlySet<string>): Json {
  const joined: Record<string, Json> = {};
  for (const { spec, openapi } of parts) {
    for (const [section, components] of Object.entries(asJson(openapi.components))) {
      const renamedOnes = Object.entries(asJson(components)).map(([name, component]) => [
        renamed(section, name, spec.name, shared),
        component,
      ]);
      joined[section] = { ...Object.fromEntries(renamedOnes), ...joined[section] };
    }
  }
  return joined;
}

function checkUnique(names: readonly string[]): void {
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`Two specs have the tag ${repeated}`);
}

function asJson(value: unknown): Json {
  if (!isRecord(value)) throw new Error('A spec has a value that must be an object');
  return value;
}
