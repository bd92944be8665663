/**
 * `npx node scripts/check/main.ts overlay crm crm.overlay.json`: prints the lines of a spec that an overlay of `carillon learn` changes.
 *
 * In: a spec and an overlay. Out: file, line and change of each action. The exit code is 1 if a target does not match exactly one place of the
 * spec. `redocly bundle --overlay` skips such a target silently.
 */
import { readFileSync } from 'node:fs';
import { Argument } from 'commander';
import { type JSONValue, query } from 'json-p3';
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { createCommand, runCommand } from '../../src/shared/command-line.ts';
import { reportFailure } from '../command-line/dispatch.ts';
import { displayPath } from '../lint/finding.ts';
import { type SpecName, specNames, specPath } from '../spec/files.ts';

const about = 'Prints where the changes of an overlay of carillon learn belong in a spec.';

/** Runs the command. Resolves to the exit code. */
export function runOverlay(args: string[]): Promise<number> {
  const command = createCommand('node scripts/check/main.ts overlay', about)
    .addArgument(new Argument('<spec>', 'the spec').choices(specNames))
    .argument('<file>', 'the overlay');
  return runCommand(command, args, (_, [name = '', file = '']) =>
    reportFailure('The overlay does not fit', async () => {
      console.log(checkOverlay(z.enum(specNames).parse(name), file).join('\n'));
      return 0;
    }),
  );
}

const overlayShape = z.object({
  overlay: z.string().regex(/^1\.0\./),
  actions: z.array(z.object({ target: z.string(), update: z.unknown().optional(), remove: z.boolean().optional() })),
});
type Action = z.infer<typeof overlayShape>['actions'][number];

/**
 * Finds the changes of an overlay and their lines in a spec.
 *
 * @throws `Error` that names each target that does not match exactly one place of the spec
 */
export function checkOverlay(name: SpecName, file: string): string[] {
  const { actions } = readOverlay(file);
  const spec = displayPath(specPath(name));
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(specPath(name), 'utf8'), { lineCounter: lines });
  const json = document.toJS();
  const changes: string[] = [];
  const misfits: string[] = [];
  for (const action of actions) {
    const found = placeOf(action, json);
    if (typeof found === 'string') misfits.push(`  ${action.target}: ${found}`);
    else changes.push(`${spec}:${lineOf(found)}: ${found.at(-1) ?? 'the document'}: ${describe(action)}`);
  }
  if (misfits.length > 0)
    throw new Error(
      `${misfits.length} of ${actions.length} targets are not one place of ${spec}. Write the overlay of this spec with the command of this checkout:\n${misfits.join('\n')}`,
    );
  return changes;

  /** Returns the line of a key of a map, or of an item of a list. */
  function lineOf(location: readonly (string | number)[]): number {
    const parent = document.getIn(location.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && key.value === location.at(-1))
      : undefined;
    const node = pair?.key ?? document.getIn(location, true);
    return lines.linePos(isNode(node) ? (node.range?.[0] ?? 0) : 0).line;
  }
}

function readOverlay(file: string): z.infer<typeof overlayShape> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`${file} cannot be read.`, { cause });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${file} is not JSON. carillon learn overlay writes the file.`, { cause });
  }
  const { data } = overlayShape.safeParse(json);
  if (!data) throw new Error(`${file} is not an OpenAPI Overlay 1.0. carillon learn overlay writes the file.`);
  if (data.actions.length === 0) throw new Error(`${file} has no actions: the observations show no open point.`);
  return data;
}

/** Returns the place of a target, or the reason if it does not match exactly one. */
function placeOf({ target }: Action, json: JSONValue): readonly (string | number)[] | string {
  let places: (string | number)[][];
  try {
    places = query(target, json).locations();
  } catch (error) {
    return `no JSONPath (${error instanceof Error ? error.message : String(error)})`;
  }
  const [first, ...others] = places;
  if (!first) return 'no place';
  return others.length > 0 ? `${places.length} places` : first;
}

function describe({ update, remove }: Action): string {
  return remove ? 'remove it' : `write ${JSON.stringify(update)}`;
}
