import { expect, test } from 'vitest';
import { checkUnread } from '../../../scripts/lint/specs.ts';

test('file-read: a YAML file that nothing reads is reported, and says where its name belongs', () => {
  expect(checkUnread(['/spec/crm.yaml', '/spec/telephony.yaml'], ['/spec/crm.yaml'])).toEqual([
    {
      file: '/spec/telephony.yaml',
      line: 1,
      column: 1,
      rule: 'file-read',
      message: expect.stringContaining('add its name to `products` in scripts/spec/files.ts'),
    },
  ]);
});

test('file-read: files that are read are not reported', () => {
  expect(checkUnread(['/spec/crm.yaml'], ['/spec/crm.yaml', '/spec/gaps.yaml'])).toEqual([]);
});
