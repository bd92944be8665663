import { idsIn } from '../../spec/rule-tests.ts';
import { leavesOf } from '../leaves.ts';
import type { Impact, Verdict } from '../verdict.ts';
import type { Recorded, Reply, Request } from './exchange.ts';

/** Ids of rules → their sentences. */
export type Sentences = Readonly<Record<string, { readonly text: string }>>;

/** The reply of the next release to a recorded request. */
export interface Replayed {
  /** Title of the test that sent the request. */
  test: string;
  request: Request;
  before: Reply;
  after: Reply;
}

/**
 * The first difference of a recorded sandbox. Later ones are often its consequences.
 *
 * @param replies - replies of the next release, by index of the step
 */
export function firstDifference({ steps }: Recorded, replies: readonly (Reply | undefined)[]): Replayed | undefined {
  for (const [at, step] of steps.entries()) {
    const after = replies[at];
    if (!('request' in step)) continue;
    if (!after) throw new Error(`${step.request.method} ${step.request.path} was not repeated.`);
    const found = { test: step.test, request: step.request, before: step.reply, after };
    if (describe(found, {})) return found;
  }
  return undefined;
}

/** One line for each difference, even if several tests show it. */
export function compareBehaviour(replayed: readonly Replayed[], sentences: Sentences): Verdict[] {
  const found = new Map<string, Verdict>();
  for (const one of replayed) {
    const { impact, place, sentence } = describe(one, sentences) ?? {};
    if (impact && place && sentence && !found.has(place))
      found.set(place, { surface: 'behaviour', impact, place, sentence });
  }
  return [...found.values()];
}

interface Difference {
  impact: Impact;
  place: string;
  sentence: string;
}

function describe({ test, request, before, after }: Replayed, sentences: Sentences): Difference | undefined {
  const target = `${request.method} ${request.path.replace(/\?.*$/, '').replace(/\/\d+(?=\/|$)/g, '/{id}')}`;
  /** The rule's sentence, or the choice or code. */
  const why = (id: string): string => {
    const text = sentences[id]?.text.trim();
    return id === '' ? '' : text ? ` Rule ${id}: ${text}` : ` Reason: ${id}.`;
  };
  const [wasRefused, isRefused] = [before.status >= 400, after.status >= 400];
  const [old, now] = [reasonOf(before), reasonOf(after)];
  const tested = idsIn(test)[0] ?? '';
  if (after.status >= 500 && before.status < 500)
    return {
      impact: 'break',
      place: `${target} fails`,
      sentence: `The sandbox now fails at ${target} with ${after.status}.${why(old || tested)}`,
    };
  if (!wasRefused && isRefused)
    return {
      impact: 'break',
      place: `${target} refused ${now}`,
      sentence: `The sandbox now refuses ${target} with ${after.status} in a case that it accepted.${why(now || tested)}`,
    };
  if (wasRefused && !isRefused)
    return {
      impact: 'addition',
      place: `${target} accepted ${old}`,
      sentence: `The sandbox now accepts ${target} in a case that it refused.${why(old || tested)}`,
    };
  if (before.status !== after.status)
    return {
      impact: 'break',
      place: `${target} status ${before.status} ${old}`,
      sentence: `The sandbox now replies to ${target} with ${after.status} (before: ${before.status}).${why(old || tested)}`,
    };
  if (old !== now)
    return {
      impact: 'fix',
      place: `${target} reason ${old}`,
      sentence: `The sandbox now refuses ${target} for another reason (before: ${old}).${why(now)}`,
    };
  const [lost] = lostLeaves(before.body, after.body);
  if (!lost) return undefined;
  const [path, value, is] = lost;
  return {
    impact: 'break',
    place: `${target} ${path.replace(/\b\d+\b/g, '*')} ${tested}`,
    sentence:
      is === undefined
        ? `The reply of the sandbox to ${target} no longer has ${path} (before: ${value}).${why(tested)}`
        : `The sandbox now replies to ${target} with ${path} ${is} (before: ${value}).${why(tested)}`,
  };
}

/** The rule or choice of a refusal. */
function reasonOf({ status, rule, choice }: Reply): string {
  return status < 400 ? '' : (rule ?? choice ?? '');
}

/**
 * Values that a reply no longer has at their path. Additional values do not count, because the wire judge reports new
 * fields.
 */
function lostLeaves(before: unknown, after: unknown): [path: string, before: string, after: string | undefined][] {
  const present = new Map(leavesOf(after));
  return leavesOf(before).flatMap(([path, value]): [string, string, string | undefined][] =>
    present.get(path) === value ? [] : [[path, value, present.get(path)]],
  );
}
