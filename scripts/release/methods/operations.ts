import type { Impact } from '../verdict.ts';
import type { Fact, Operation } from './report.ts';

/** A difference between two versions of a method outside its schemas. */
export interface OperationChange {
  /** `effect`, `rule deal-needs-name`. */
  aspect: string;
  impact: Impact;
  /** The rest of a sentence that begins with the method's name. */
  what: string;
}

type Found = Omit<OperationChange, 'aspect'>;

/** Judges a fact that was added, removed or changed. */
type FactRule = (before: string | undefined, after: string | undefined, subject: string) => Found[];

const breaks = (what: string): Found[] => [{ impact: 'break', what }];
const adds = (what: string): Found[] => [{ impact: 'addition', what }];
const fixes = (what: string): Found[] => [{ impact: 'fix', what }];

const factRules: Record<string, FactRule> = {
  'meaning of': (...texts) => meaningOf(...texts),
  method: (before = '', after = '') => {
    const [[oldName, ...oldForm], [name, ...form]] = [before.split(' '), after.split(' ')];
    return [
      ...(oldName === name ? [] : breaks(`is now \`${name}\`. Rename it in your code`)),
      ...(oldForm.join() === form.join()
        ? []
        : breaks(`takes its body in another form (${form.join() || 'not wrapped'})`)),
    ];
  },
  payload: (before = '', after = '') => {
    const inferred = ' inferred list';
    if (before.replace(inferred, '') === after.replace(inferred, '')) {
      return fixes('no longer makes the same assumption about a list with one record');
    }
    return breaks(`returns another part of the reply: ${after} (before: ${before})`);
  },
  effect: (before, after) => {
    if (before === undefined && after !== 'send') return fixes(`has the effect \`${after}\``);
    const old = before === undefined ? '' : ` (before: \`${before}\`)`;
    return breaks(
      `now has the effect \`${after}\`${old}, which decides when commands and agents ask, and whether the client repeats it`,
    );
  },
  undo: (before, after) => {
    if (after === 'none') return breaks('cannot be undone, so commands and agents ask before they call it');
    return before === 'none' ? adds(`can be undone (${after})`) : fixes(`is undone by ${after}`);
  },
  'shown by': (_, after) =>
    fixes(
      after === undefined
        ? 'no longer names the call that shows a change'
        : `names the call that shows a change: ${after}`,
    ),
  people: (_, after) => {
    if (after === undefined) return adds('no longer counts the people whom a call concerns');
    return breaks(
      `counts the people whom a call concerns in ${after}, so commands and agents ask before calls for many`,
    );
  },
  'opt-outs': (before, after) => {
    if (before === undefined) return adds(`names the list of people whom jobs leave out (${after})`);
    return breaks(
      after === undefined
        ? 'no longer names a list of people whom jobs leave out, so jobs send to them'
        : `names another list of people whom jobs leave out (${after})`,
    );
  },
  'sends if': (_, after) => {
    if (after === undefined) return adds('no longer sends anything');
    return breaks(`sends to people if ${after}, so commands and agents ask before`);
  },
  'test mode': (before, after) => {
    if (after === undefined) return breaks('can no longer be rehearsed at the service');
    const what = `can be rehearsed at the service, with \`${after}\``;
    return before === undefined ? adds(what) : breaks(`${what} (before: \`${before}\`)`);
  },
  pages: comparePages,
  'rate limit': compareRates,
  rule: (before, after, id) => {
    if (before === undefined) return breaks(`has the new rule \`${id}\`. Requests that break it are refused`);
    if (after === undefined) return breaks(`no longer has the rule \`${id}\`. Remove the ID from your code`);
    const [old, current] = [valuesOf(before), valuesOf(after)];
    if (old === current) return [];
    const what = `has other values in the rule \`${id}\`: ${current || 'none'} (before: ${old || 'none'})`;
    const isKept = [...wordsOf(old)].every(([name, value]) => wordsOf(current).get(name) === value);
    return isKept ? fixes(what) : breaks(what);
  },
  security: (_, after) => {
    if (after === '[]') return adds('needs no credential');
    return breaks(`needs another credential: ${after ?? 'that of the whole spec'}`);
  },
  style: (before, after, parameter) =>
    before === undefined || after === undefined ? [] : breaks(`writes \`${parameter}\` in another form: ${after}`),
  status: (before, after, status) => {
    if (before === undefined) return adds(`documents the reply with status ${status}`);
    // The judge compares the content of shared replies.
    return after === undefined ? breaks(`no longer documents the reply with status ${status}`) : [];
  },
  error: (before, after, code) => {
    if (before === undefined)
      return adds(`can fail with the error code ${code} (rule \`${after?.slice('-> '.length)}\`)`);
    if (after === undefined) return breaks(`no longer documents the error code ${code}`);
    return fixes(`reports another rule with the error code ${code}: \`${after.slice('-> '.length)}\``);
  },
};

/** A text that users have to read: whether it breaks something, nobody can derive. A new or removed fact has its own sentence. */
const meaningOf: FactRule = (before, after, subject) =>
  before === undefined || after === undefined
    ? []
    : fixes(
        `has another meaning of the ${subject.replace('error', 'error code').replace(/^rule (.*)/, 'rule `$1`')}: read it`,
      );

/** A source does not change the API. */
const notJudged = new Set(['source']);

/** Without the source: `(1 §3) hours=72` → `hours=72`. */
function valuesOf(rule: string): string {
  return rule.replace(/^\([^)]*\)\s*/, '');
}

function comparePages(before: string | undefined, after: string | undefined): Found[] {
  if (before === undefined) return adds('fetches its pages');
  if (after === undefined) return breaks('no longer fetches pages. Pass the parameters of each page yourself');
  const [old, current] = [wordsOf(before), wordsOf(after)];
  const fields = ['in', 'limit', 'offset'].filter((name) => old.get(name) !== current.get(name));
  const [oldMaximum, maximum] = [old, current].map((words) => Number(words.get('maximum') ?? Number.POSITIVE_INFINITY));
  return [
    ...fields.flatMap((name) =>
      breaks(`is paged by other fields: ${name} ${current.get(name)} (before: ${old.get(name)})`),
    ),
    ...(Number(maximum) < Number(oldMaximum)
      ? breaks(`gives at most ${maximum} items a page (before: ${shown(oldMaximum)})`)
      : []),
    ...(Number(maximum) > Number(oldMaximum)
      ? adds(`gives up to ${shown(maximum)} items a page (before: ${oldMaximum})`)
      : []),
  ];
}

function compareRates(before: string | undefined, after: string | undefined): Found[] {
  if (after === undefined) return adds('no longer has a rate limit');
  const told = `${after}${before === undefined ? '' : ` (before: ${before})`}`;
  if (before === undefined) return breaks(`has a rate limit: ${told}`);
  const [old, current] = [wordsOf(before), wordsOf(after)];
  const rate = (words: Map<string, string>): number => Number(words.get('requests')) / Number(words.get('seconds'));
  const isHigher = old.get('per') === current.get('per') && rate(current) >= rate(old);
  return isHigher ? adds(`has a higher rate limit: ${told}`) : breaks(`has another rate limit: ${told}`);
}

function shown(maximum: number | undefined): string {
  return maximum === undefined || maximum === Number.POSITIVE_INFINITY ? 'no limit' : String(maximum);
}

/** `limit="limit" maximum=100` → `limit` → `"limit"`, `maximum` → `100`. */
function wordsOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(/(\w+)=("[^"]*"|\S+)/g)].map(([, name = '', value = '']) => [name, value]));
}

/** @throws `Error` if a fact has no rule */
export function compareOperations(before: Operation, after: Operation): OperationChange[] {
  const identity: OperationChange[] = [];
  if (before.id !== after.id) {
    const what = `has the operation ID \`${after.id}\` (before: \`${before.id}\`). Change it in faults, hooks and logs that name it`;
    identity.push({ aspect: 'operationId', impact: 'break', what });
  }
  if (before.deprecated !== after.deprecated) {
    identity.push(
      after.deprecated
        ? { aspect: 'deprecated', impact: 'addition', what: 'is deprecated' }
        : { aspect: 'deprecated', impact: 'fix', what: 'is no longer deprecated' },
    );
  }
  const facts = compareFacts(before.facts, after.facts);
  // A new code already reports its rule, so both are one change.
  const told = new Set(
    [...after.facts.values()]
      .filter(({ kind, subject }) => kind === 'error' && !before.facts.has(`error ${subject}`))
      .map(({ value }) => `rule ${value.slice('-> '.length)}`),
  );
  return [...identity, ...facts.filter(({ aspect }) => !(told.has(aspect) && !before.facts.has(aspect)))];
}

/** @throws `Error` if a fact has no rule */
export function compareFacts(before: Map<string, Fact>, after: Map<string, Fact>): OperationChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
    const [old, current] = [before.get(key), after.get(key)];
    const { kind = '', subject = '' } = current ?? old ?? {};
    if (old?.value === current?.value || notJudged.has(kind)) return [];
    const rule = Object.hasOwn(factRules, kind) ? factRules[kind] : undefined;
    if (!rule) {
      throw new Error(
        `The release check has no rule for ${key.trim()}: add one to scripts/release/methods/operations.ts`,
      );
    }
    const found = rule(old?.value, current?.value, subject);
    return found.map((change, index) => ({ aspect: index > 0 ? `${key.trim()} ${index + 1}` : key.trim(), ...change }));
  });
}
