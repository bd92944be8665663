import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkOverlay } from '../../../scripts/check/overlay.ts';
import { specPath } from '../../../scripts/spec/files.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-overlay-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(actions: object[]): string {
  const file = join(folder, 'crm.overlay.json');
  writeFileSync(file, JSON.stringify({ overlay: '1.0.0', info: { title: 'A test', version: '1' }, actions }));
  return file;
}

function refusalOf(file: string): string {
  try {
    checkOverlay('crm', file);
  } catch (error) {
    return String(error);
  }
  return '';
}

const messengerType = "$['components']['schemas']['ContactMessengerTypeId']";

describe('the overlay command', () => {
  it('prints the line of the spec for each change', () => {
    const lines = readFileSync(specPath('crm'), 'utf8').split('\n');
    const name = lines.indexOf('    ContactMessengerTypeId:');
    const mark = lines.indexOf('      x-open:', name);
    const file = write([
      { target: messengerType, update: { type: 'integer' } },
      { target: `${messengerType}['x-open']`, remove: true },
      { target: "$['paths']['/users']['get']", update: { 'x-observed': { replies: 3 } } },
      { target: "$['info']['x-open'][0]", remove: true },
    ]);
    expect(checkOverlay('crm', file)).toEqual([
      `spec/crm.yaml:${name + 1}: ContactMessengerTypeId: write {"type":"integer"}`,
      `spec/crm.yaml:${mark + 1}: x-open: remove it`,
      `spec/crm.yaml:${lines.indexOf('    get:', lines.indexOf('  /users:')) + 1}: get: write {"x-observed":{"replies":3}}`,
      expect.stringMatching(/^spec\/crm\.yaml:\d+: 0: remove it$/),
    ]);
  });

  it('refuses targets that match no place, or several places', () => {
    const file = write([
      { target: messengerType, update: { type: 'integer' } },
      { target: "$['components']['schemas']['Gone']", update: {} },
      { target: `${messengerType}['x-open'][3]`, remove: true },
      { target: '$.components.schemas[*]', update: {} },
      { target: '$.components[', update: {} },
    ]);
    const first = [
      '4 of 5 targets are not one place of spec/crm.yaml. Write the overlay of this spec with the command of this checkout:',
      "  $['components']['schemas']['Gone']: no place",
      `  ${messengerType}['x-open'][3]: no place`,
    ];
    const message = refusalOf(file);
    expect(message).toContain(first.join('\n'));
    expect(message).toMatch(/ {2}\$\.components\.schemas\[\*\]: \d\d+ places\n/);
    expect(message).toMatch(/ {2}\$\.components\[: no JSONPath \(/);
  });

  it.each([
    ['no file', undefined, /cannot be read/],
    ['no JSON', '{', /is not JSON/],
    ['another document', '{"openapi":"3.1.0"}', /is not an OpenAPI Overlay 1\.0/],
    ['an overlay without actions', '{"overlay":"1.0.0","actions":[]}', /has no actions/],
  ])('explains %s', (_, text, message) => {
    const file = join(folder, 'other.json');
    rmSync(file, { force: true });
    if (text !== undefined) writeFileSync(file, text);
    expect(() => checkOverlay('crm', file)).toThrow(message);
  });
});
