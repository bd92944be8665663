import { expect, it } from 'vitest';
import { linkInSite } from '../../../../scripts/docs/starlight/base.ts';

it.each([
  ['[Errors](/guides/errors/#retries)', '[Errors](/docs/guides/errors/#retries)'],
  ['[`crm.deals.get`](/crm/deals/get/)', '[`crm.deals.get`](/docs/crm/deals/get/)'],
  ['---\nactions:\n  - text: Start\n    link: /guides/', '---\nactions:\n  - text: Start\n    link: /docs/guides/'],
  ['<img src="/pictures/a.webp"><a href="/">', '<img src="/docs/pictures/a.webp"><a href="/docs/">'],
])('a link of a page leads to the site, in whatever folder of its host it is: %s', (markdown, expected) => {
  expect(linkInSite('/docs/', markdown)).toBe(expected);
  expect(linkInSite('/', markdown)).toBe(markdown);
});

it.each([
  'Type `[a](/b)`.',
  '``` html\n<a href="/b">\n```',
  '[Elsewhere](https://host.example/), [here](#below), <a href="//host.example">',
])('code, and links to other places, stay as they are: %s', (markdown) => {
  expect(linkInSite('/docs/', markdown)).toBe(markdown);
});
