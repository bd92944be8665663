import { describe, expect, it } from 'vitest';
import { fieldsOf, methods } from '../../../src/cli/catalogue/index.ts';
import { callOptions } from '../../../src/cli/command/call-options.ts';
import { exampleLine } from '../../../src/cli/command/method-help.ts';
import { kebab } from '../../../src/cli/command/names.ts';
import { carillon, shellWords } from '../../support/terminal.ts';

describe('every method', () => {
  it.each(methods.map((method) => [method.name, method] as const))(
    '%s: runs the example in its help',
    async (_, method) => {
      const [command, ...args] = shellWords(exampleLine(method));
      expect(command).toBe('carillon');
      const ran = await carillon([...args, '--sandbox', '--output', 'json'], { input: JSON.stringify(method.example) });
      expect([ran.code, ran.errors]).toEqual([0, expect.stringContaining('Sandbox: nothing reaches the service.')]);
      const returned: unknown = ran.output === '' ? undefined : JSON.parse(ran.output);
      const kind = Array.isArray(returned) ? 'list' : returned === undefined ? 'nothing' : 'value';
      // The documents do not show this response's body.
      if (method.name !== 'email.messages.getMany') expect(kind).toBe(method.returns);
    },
  );

  it("sends the same request from its example's flags as from --input", async () => {
    for (const method of methods) {
      const flags = await carillon([...shellWords(exampleLine(method)).slice(1), '--dry-run'], {
        input: JSON.stringify(method.example),
      });
      const inPath = Object.keys(method.inPath ?? {}).length;
      if (method.body === undefined || method.paging?.inferred) continue;
      const [words, values] = [method.words.map(kebab), shellWords(exampleLine(method)).slice(1 + method.words.length)];
      const document = await carillon([...words, ...values.slice(0, inPath), '--input', '-', '--dry-run'], {
        input: JSON.stringify(method.example),
      });
      expect([method.name, flags.code, request(flags.output)]).toEqual([method.name, 0, request(document.output)]);
    }
  });

  it('has no field flag that collides with a common option', () => {
    const common = new Set([
      'help',
      ...methods.flatMap((method) => callOptions(method).map((option) => option.name())),
    ]);
    const taken = methods.flatMap((method) =>
      fieldsOf(method)
        .filter(({ name }) => common.has(kebab(name)))
        .map(({ name }) => `${method.name} ${name}`),
    );
    expect(taken).toEqual([]);
  });

  it('has unique flags', () => {
    for (const method of methods) {
      const flags = fieldsOf(method).map(({ name }) => kebab(name));
      expect([method.name, new Set(flags).size]).toEqual([method.name, flags.length]);
    }
  });
});

/** A request with sorted fields. Phone numbers may be numbers or text. */
function request(text: string): unknown[] {
  const [head, body = 'null'] = text.split('\n\n');
  return [
    head,
    JSON.parse(body, (_, value: unknown) => (typeof value === 'number' && value > 1e9 ? String(value) : value)),
  ];
}
