import { messageOf } from '../../shared/message-of.ts';
import type { Fault } from '../index.ts';
import { button, element, input, labelled } from './dom.ts';

/** Example faults with which the reader can fill the form. */
const examples: Readonly<Record<string, Fault>> = {
  'Unavailable, twice': { status: 503, times: 2 },
  'Too many requests': { status: 429, headers: { 'Retry-After': '2' } },
  'Response lost': { drop: 'after' },
  'Response cut off': { drop: 'during-body' },
  'Slow response': { delay: 3_000 },
  'Slow body': { slowBody: 3_000 },
  'HTML from a gateway': { status: 502, text: '<html><title>502 Bad Gateway</title></html>' },
  'One in ten fails': { status: 500, probability: 0.1, times: 'always' },
};

/** Form with fields for common properties of a fault, and JSON for all other properties. The sandbox checks the values. */
export class FaultForm {
  readonly content: HTMLFormElement;
  readonly operations = element('datalist', '');
  readonly #operation = input({ placeholder: 'any' });
  readonly #status = input({ type: 'number', min: '200', max: '599', placeholder: "the operation's" });
  readonly #delay = input({ type: 'number', min: '0', placeholder: 'none' });
  readonly #times = input({ type: 'number', min: '1', placeholder: 'always' });
  readonly #others = Object.assign(element('textarea', ''), {
    rows: 3,
    placeholder: '{ "nth": 3, "match": { "path": "/crm/v1/deals/*" } }',
    spellcheck: false,
  });

  /** @param add - called when the form is submitted */
  constructor(add: () => void) {
    this.operations.id = 'operations';
    this.#operation.setAttribute('list', this.operations.id);
    const chips = Object.entries(examples).map(([name, fault]) => button(name, () => this.#fill(fault)));
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
        labelled('Status', this.#status),
        labelled('Delay (ms)', this.#delay),
        labelled('Times', this.#times),
      ),
      labelled('Other properties, as JSON', this.#others),
      element('div', 'bar', element('button', 'main', 'Add fault')),
    );
    this.content.addEventListener('submit', (event) => {
      event.preventDefault();
      add();
    });
    this.#fill({ status: 503 });
  }

  /** Fills the form with a fault. The operation does not change. */
  #fill({ status, delay, times = 1, ...others }: Fault): void {
    this.#status.value = String(status ?? '');
    this.#delay.value = String(delay ?? '');
    this.#times.value = times === 'always' ? '' : String(times);
    this.#others.value = Object.keys(others).length > 0 ? JSON.stringify(others) : '';
  }

  /**
   * Returns the fault, without empty fields.
   *
   * @throws `Error` if the other properties are not a JSON object, or repeat a field
   */
  read(): object {
    const fields = {
      operation: this.#operation.value.trim() || undefined,
      status: numberOf(this.#status),
      delay: numberOf(this.#delay),
      times: numberOf(this.#times),
    };
    const others = objectOf(this.#others.value);
    const repeated = Object.entries(fields).find(([name, value]) => value !== undefined && name in others);
    if (repeated) throw new Error(`Both the JSON and a form field set “${repeated[0]}”. Remove one of the two values.`);
    // JSON omits undefined properties.
    return { ...fields, times: fields.times ?? 'always', ...others };
  }
}

function numberOf({ value, valueAsNumber }: HTMLInputElement): number | undefined {
  return value === '' ? undefined : valueAsNumber;
}

function objectOf(text: string): object {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The other properties must be JSON. ${messageOf(error)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('The other properties must be a JSON object, such as { "nth": 3 }.');
  return value;
}
