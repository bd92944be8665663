import { absences } from '../../../generated/absences.ts';
import { own } from '../../shared/operation.ts';
import { fieldsOf } from './fields.ts';
import { type Method, methods } from './methods.ts';

/** Synonyms for words of the API. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  add: ['create'],
  banned: ['blacklist'],
  block: ['blacklist', 'unsubscribe'],
  cancel: ['delete', 'remove'],
  client: ['contact'],
  comment: ['note'],
  customer: ['contact'],
  domain: ['sending'],
  employee: ['user', 'member'],
  erase: ['delete'],
  fetch: ['get', 'list'],
  find: ['list', 'search', 'get'],
  funnel: ['pipeline'],
  invoice: ['payment'],
  label: ['tag'],
  lead: ['deal', 'contact'],
  lose: ['fail'],
  lost: ['fail'],
  mail: ['email'],
  mailing: ['campaign', 'email'],
  modify: ['update'],
  new: ['create', 'add'],
  notification: ['push'],
  opportunity: ['deal'],
  people: ['contact', 'user'],
  person: ['contact'],
  remove: ['delete'],
  rename: ['update'],
  search: ['list'],
  show: ['get', 'list'],
  sms: ['campaign', 'messaging'],
  stage: ['step'],
  statistics: ['get'],
  stats: ['statistics', 'get'],
  team: ['user', 'member'],
  telephone: ['phone'],
  why: ['reason'],
  whatsapp: ['messaging', 'campaign'],
};

/** Words without meaning for the search. */
const ignored = new Set(
  'a all an and by for from how i in is it me my of on or that the their this to with'.split(' '),
);

interface Entry {
  method: Method;
  /** Word → weight. Words of the name weigh more than those of the description. */
  weights: ReadonlyMap<string, number>;
}

let index: Entry[] | undefined;
/** Word → number of methods that contain it. */
const spread = new Map<string, number>();

/**
 * Finds methods by words of their names, summaries, descriptions and parameters, and by common synonyms. The order of the
 * words does not matter.
 *
 * @param text - the words
 * @param most - maximum number of methods
 * @returns the matching methods, best first
 */
export function search(text: string, most = 10): Method[] {
  const entries = readIndex();
  const words = wordsOf(text).filter((word) => !ignored.has(word));
  const scored = entries.map(({ method, weights }) => {
    const scores = words.map((word) => scoreOf(word, weights));
    const found = scores.filter((score) => score > 0).length;
    return { method, score: (scores.reduce((sum, score) => sum + score, 0) * found) / Math.max(words.length, 1) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ method }) => method);
}

/** Returns the score of a word, or of its best synonym. Rare words count more. */
function scoreOf(word: string, weights: ReadonlyMap<string, number>): number {
  const rarity = (known: string): number => Math.log(1 + methods.length / (spread.get(known) ?? methods.length));
  const exact = weights.get(word);
  if (exact) return exact * rarity(word);
  const beginning = [...weights].filter(
    ([known]) => word.length >= 4 && (known.startsWith(word) || word.startsWith(known)),
  );
  const similar = (own(synonyms, word) ?? []).map((known) => (weights.get(known) ?? 0) * 0.8 * rarity(known));
  return Math.max(0, ...similar, ...beginning.map(([known, weight]) => weight * 0.5 * rarity(known)));
}

function readIndex(): Entry[] {
  if (index) return index;
  index = methods.map((method) => {
    const weights = new Map<string, number>();
    const add = (text: string, weight: number): void => {
      for (const word of wordsOf(text)) weights.set(word, Math.max(weights.get(word) ?? 0, weight));
    };
    add(
      fieldsOf(method)
        .flatMap(({ name }) => name)
        .join(' '),
      1,
    );
    add(method.description, 1);
    add(method.effect, 1.5);
    add(method.summary, 4);
    add(method.name, 5);
    return { method, weights };
  });
  for (const { weights } of index) {
    for (const word of weights.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
  }
  return index;
}

/** A task that users look for and that the documented API lacks. */
export type Absence = (typeof absences)[number];

/** Finds tasks that the documented API lacks, by the words that users search for. */
export function findAbsences(text: string): Absence[] {
  const asked = wordsOf(text);
  const meant = asked.filter((word) => !ignored.has(word));
  if (meant.length === 0) return [];
  return absences.filter(({ search: phrases }) =>
    phrases.some((phrase) => {
      const words = wordsOf(phrase);
      const isAsked = words.every((word) => asked.includes(word));
      return isAsked || (meant.length > 1 && meant.every((word) => words.includes(word)));
    }),
  );
}

/** `contactAttributes` → `contact`, `attribute`. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)
    .map(singular);
}

function singular(word: string): string {
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is|sms)$/.test(word)) return word;
  if (/(?:ch|sh|x)es$/.test(word)) return word.slice(0, -2);
  return word.length > 3 ? word.replace(/s$/, '') : word;
}
