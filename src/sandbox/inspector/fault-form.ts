import type { Fault } from '../index.ts';
import { button, element, input, labelled, select } from './dom.ts';

/** Examples that fill the form. */
const examples: Readonly<Record<string, Fault>> = {
  'Unavailable, twice': { status: 503, times: 2 },
  'Too many requests': { status: 429, headers: { 'Retry-After': '2' } },
  'Reply lost': { drop: 'after' },
  'Reply cut off': { drop: 'during-body' },
  'Slow reply': { delay: 3_000 },
  'Slow body': { slowBody: 3_000 },
  'HTML of a gateway': { status: 502, text: '<html><title>502 Bad Gateway</title></html>' },
  'One in ten fails': { status: 500, probability: 0.1, times: 'always' },
};

const effects = {
  status: 'Reply with a status instead',
  run: 'Run the operation, delayed or slow',
  before: 'Reset the connection before it is processed',
  after: 'Process it, then lose the reply',
  'during-body': 'Reset the connection in the middle of the reply',
  'after-body': 'Reset the connection at its next request',
};

const delays = { none: 'None', fixed: 'Fixed', range: 'Random, uniform', normal: 'Random, log-normal' };

const delayPlaces = { after: 'After the operation', before: 'Before it' };

/** Form with a field for each property of a fault. The sandbox checks the values. */
export class FaultForm {
  readonly content: HTMLFormElement;
  readonly operations = element('datalist', '');
  readonly #operation = input({ placeholder: 'any' });
  readonly #effect = select(effects);
  readonly #status = number({ value: '503', min: '200', max: '599' });
  readonly #headers = lines('Retry-After: 2');
  readonly #body = lines('{"message": "Try again later"}');
  readonly #delay = select(delays);
  readonly #delayFixed = number({ min: '0' });
  readonly #delayMin = number({ min: '0' });
  readonly #delayMax = number({ min: '0' });
  readonly #delayMedian = number({ min: '0' });
  readonly #delaySigma = number({ min: '0', step: 'any' });
  readonly #delayAt = select(delayPlaces);
  readonly #slowBody = number({ min: '0', placeholder: 'at once' });
  readonly #nth = number({ min: '1', placeholder: '1' });
  readonly #times = number({ min: '1', placeholder: 'always' });
  readonly #probability = number({ min: '0', max: '1', step: 'any', placeholder: '1' });
  readonly #randomSeed = number({ placeholder: 'its own' });
  readonly #method = input({ placeholder: 'any' });
  readonly #path = input({ placeholder: '/crm/v1/deals/*' });
  readonly #parameters = lines('dealId: 501');
  readonly #query = lines('limit: 10');
  readonly #matchHeaders = lines('x-job: 7');
  readonly #matchBody = lines('{"pipelineId": 1}');
  readonly #parts: Record<'reply' | 'conditions' | 'chance', HTMLDetailsElement>;
  /** Fields that belong to one choice of a list. */
  readonly #dependent: readonly (readonly [HTMLElement, () => boolean])[];

  /** @param add - called with the fault when the form is submitted */
  constructor(add: () => void) {
    this.operations.id = 'operations';
    this.#operation.setAttribute('list', this.operations.id);
    const status = labelled('Status', this.#status);
    const reply = part(
      'Headers and body of the reply',
      labelled('Headers, one per line', this.#headers),
      labelled('Body: JSON or raw text', this.#body),
    );
    const fixed = labelled('Delay (ms)', this.#delayFixed);
    const min = labelled('Shortest (ms)', this.#delayMin);
    const max = labelled('Longest (ms)', this.#delayMax);
    const median = labelled('Median (ms)', this.#delayMedian);
    const sigma = labelled('Sigma (0 to 5)', this.#delaySigma);
    const delayAt = labelled('Delay is', this.#delayAt);
    this.#parts = {
      reply,
      conditions: part(
        'Only some requests',
        labelled('Method', this.#method),
        labelled('Path, * for any characters', this.#path),
        labelled('Path parameters, one per line', this.#parameters),
        labelled('Query parameters, one per line', this.#query),
        labelled('Request headers, one per line', this.#matchHeaders),
        labelled('Part of the body, as JSON', this.#matchBody),
      ),
      chance: part(
        'By chance',
        labelled('Probability (0 to 1)', this.#probability),
        labelled('Random seed', this.#randomSeed),
      ),
    };
    const delayIs = (kind: string) => () => this.#delay.value === kind;
    this.#dependent = [
      [status, () => this.#effect.value === 'status'],
      [reply, () => this.#effect.value === 'status'],
      [fixed, delayIs('fixed')],
      [min, delayIs('range')],
      [max, delayIs('range')],
      [median, delayIs('normal')],
      [sigma, delayIs('normal')],
      [delayAt, () => this.#delay.value !== 'none'],
    ];
    const chips = Object.entries(examples).map(([name, fault]) => button(name, () => this.fill(fault)));
    const group = element('div', 'chips', ...chips);
    group.role = 'group';
    group.ariaLabel = 'Examples';
    this.content = element(
      'form',
      'fault',
      group,
      this.operations,
      element(
        'div',
        'fields',
        labelled('Operation', this.#operation),
        labelled('Effect', this.#effect, 'wide'),
        status,
        labelled('Delay', this.#delay),
        fixed,
        min,
        max,
        median,
        sigma,
        delayAt,
        labelled('Body takes (ms)', this.#slowBody),
        labelled('From request number', this.#nth),
        labelled('Times', this.#times),
      ),
      reply,
      this.#parts.conditions,
      this.#parts.chance,
      element('div', 'bar', element('button', 'main', 'Add fault')),
    );
    this.content.addEventListener('submit', (event) => {
      event.preventDefault();
      add();
    });
    this.content.addEventListener('change', () => this.#showDependent());
    this.fill({ status: 503, times: 1 });
  }

  /** Fills the fields with a fault. The operation and the conditions of the reader do not change. */
  fill(fault: Fault): void {
    const { status, headers, body, text, delay, slowBody, drop, nth, times = 1, probability, randomSeed } = fault;
    this.#effect.value = status !== undefined ? 'status' : (drop ?? 'run');
    this.#status.value = String(status ?? 503);
    this.#headers.value = Object.entries(headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n');
    this.#body.value = text ?? (body === undefined ? '' : JSON.stringify(body));
    this.#delay.value =
      typeof delay === 'number' ? 'fixed' : delay === undefined ? 'none' : 'min' in delay ? 'range' : 'normal';
    this.#delayFixed.value = typeof delay === 'number' ? String(delay) : '1000';
    this.#delayMin.value = '100';
    this.#delayMax.value = '2000';
    this.#delayMedian.value = '200';
    this.#delaySigma.value = '0.5';
    this.#delayAt.value = fault.delayAt ?? 'after';
    this.#slowBody.value = slowBody === undefined ? '' : String(slowBody);
    this.#nth.value = nth === undefined ? '' : String(nth);
    this.#times.value = times === 'always' ? '' : String(times);
    this.#probability.value = probability === undefined ? '' : String(probability);
    this.#randomSeed.value = randomSeed === undefined ? '' : String(randomSeed);
    this.#parts.reply.open = headers !== undefined || text !== undefined;
    this.#parts.chance.open = probability !== undefined;
    this.#showDependent();
  }

  /**
   * Returns the fault in the fields, without empty ones.
   *
   * @throws `Error` that names the field if its value cannot be read
   */
  read(): object {
    const effect = this.#effect.value;
    const isReply = effect === 'status';
    const match = {
      method: textOf(this.#method),
      path: textOf(this.#path),
      parameters: pairsOf('Path parameters', this.#parameters),
      query: pairsOf('Query parameters', this.#query),
      headers: pairsOf('Request headers', this.#matchHeaders),
      body: jsonOf('Part of the body', this.#matchBody),
    };
    const fault = {
      operation: textOf(this.#operation),
      match: Object.values(match).some((value) => value !== undefined) ? match : undefined,
      nth: numberOf(this.#nth),
      times: numberOf(this.#times) ?? 'always',
      probability: numberOf(this.#probability),
      randomSeed: numberOf(this.#randomSeed),
      ...(isReply && {
        status: numberOf(this.#status),
        headers: pairsOf('Headers', this.#headers),
        ...this.#readBody(),
      }),
      ...(!isReply && effect !== 'run' && { drop: effect }),
      delay: this.#readDelay(),
      // The default needs no property.
      ...(this.#delay.value !== 'none' && this.#delayAt.value === 'before' && { delayAt: 'before' }),
      slowBody: numberOf(this.#slowBody),
    };
    // JSON omits undefined properties.
    return fault;
  }

  #readBody(): { body?: unknown; text?: string } {
    const text = this.#body.value;
    if (text.trim() === '') return {};
    try {
      return { body: JSON.parse(text) };
    } catch {
      return { text };
    }
  }

  #readDelay(): unknown {
    const kind = this.#delay.value;
    if (kind === 'fixed') return numberOf(this.#delayFixed);
    if (kind === 'range') return { min: numberOf(this.#delayMin), max: numberOf(this.#delayMax) };
    if (kind === 'normal') return { median: numberOf(this.#delayMedian), sigma: numberOf(this.#delaySigma) };
    return undefined;
  }

  #showDependent(): void {
    for (const [field, isShown] of this.#dependent) {
      field.hidden = !isShown();
      for (const one of field.querySelectorAll('input')) one.required = isShown();
    }
  }
}

function number(properties: Parameters<typeof input>[0]): HTMLInputElement {
  return input({ type: 'number', ...properties });
}

function lines(placeholder: string): HTMLTextAreaElement {
  return Object.assign(element('textarea', ''), { rows: 2, placeholder, spellcheck: false });
}

function part(title: string, ...fields: HTMLElement[]): HTMLDetailsElement {
  return element('details', 'part', element('summary', '', title), element('div', 'fields', ...fields));
}

function textOf({ value }: HTMLInputElement): string | undefined {
  return value.trim() === '' ? undefined : value.trim();
}

function numberOf({ value, valueAsNumber }: HTMLInputElement): number | undefined {
  return value === '' ? undefined : valueAsNumber;
}

/** Lines `name: value`. */
function pairsOf(label: string, { value }: HTMLTextAreaElement): Record<string, string> | undefined {
  const pairs = value
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, text] = /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
      if (name === undefined || text === undefined)
        throw new Error(`${label}: write one “name: value” per line, not “${line}”.`);
      return [name, text] as const;
    });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

function jsonOf(label: string, { value }: HTMLTextAreaElement): unknown {
  if (value.trim() === '') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    throw new Error(`${label} is not JSON.`);
  }
}
