import {
  DefaultTheme,
  JSX,
  type NavigationElement,
  type PageEvent,
  type ProjectReflection,
  Reflection,
  ReflectionKind,
  type Renderer,
} from 'typedoc';
import { textOfHtml } from './html-text.ts';
import { chooseColors, describePage, header, type Page, policy } from './layout.ts';

/** TypeDoc's theme. A group of the navigation only opens and closes; its first entry is the page of the same name. */
export class PackageTheme extends DefaultTheme {
  override buildNavigation(project: ProjectReflection): NavigationElement[] {
    return super.buildNavigation(project).map(withOverview);
  }
}

function withOverview(element: NavigationElement): NavigationElement {
  const { path, children, ...group } = element;
  if (!children) return element;
  const inner = children.map(withOverview);
  return { ...group, children: path === undefined ? inner : [{ text: 'Overview', path }, ...inner] };
}

/** Adds the policy and the bar of the site to a page, with links relative to the page. */
export function joinSite({ hooks }: Renderer, current: Page, pages: Page[]): void {
  // TypeDoc unpacks its navigation with a request to data in the page.
  const ownPolicy = policy.replace('img-src', 'connect-src data:; img-src');
  hooks.on('head.begin', () =>
    raw(`<meta http-equiv="Content-Security-Policy" content="${ownPolicy}">${chooseColors()}`),
  );
  hooks.on('body.begin', ({ relativeURL }) => {
    const root = `${relativeURL('./')}../`;
    return raw(`<a class="skip" href="#content">Skip to the content</a>\n${header(pages, current, root)}`);
  });
}

/** Fixes problems of pages opened from disk, of screen readers and of keyboard navigation. */
export function fixPage(page: PageEvent): void {
  page.contents = page.contents
    // Every page contains the icons too. On disk, a separate file is another origin.
    ?.replaceAll(/href="[^"]*assets\/icons\.svg#/g, 'href="#')
    // A link inside a switch cannot be distinguished from the switch.
    .replaceAll(
      /<a href="#[^"]*" aria-label="Permalink" class="tsd-anchor-icon">(?:(?!<\/a>).)*<\/a>(?=<\/h\d><\/summary>)/gs,
      '',
    )
    .replace(
      /<header class="tsd-page-toolbar">(.*?)<\/header>/s,
      '<div class="tsd-page-toolbar" role="navigation" aria-label="Package">$1</div>',
    )
    // The site has one search, but TypeDoc's script expects the parts of its own.
    .replace('<button id="tsd-search-trigger"', '<button id="tsd-search-trigger" hidden')
    .replace(/<script async src="[^"]*" id="tsd-search-script"><\/script>/, '<meta id="tsd-search-script">')
    .replace(/<meta name="description"[^>]*>/, (_, __, text) => describe(text, packageOf(page.model)))
    .replace('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="This page">')
    .replace('<div class="col-content">', '<div class="col-content" id="content" role="main">');
}

/** Describes a page for search engines: its title, and the first paragraph of its comment. */
function describe(page: string, of: string | undefined): string {
  const title = textOfHtml(/<h1>(.*?)<\/h1>/s.exec(page)?.[1] ?? '');
  const comment = textOfHtml(/<div class="tsd-comment tsd-typography"><p>(.*?)<\/p>/s.exec(page)?.[1] ?? '');
  return describePage([`${title}${of ? ` in the package ${of}` : ''}.`, comment].join(' ')).source;
}

/** The package that a page is about; its modules are named `carillon` or `carillon/crm`. */
function packageOf(model: PageEvent['model']): string | undefined {
  for (let part: Reflection | undefined = model instanceof Reflection ? model : undefined; part; part = part.parent)
    if (part.kindOf(ReflectionKind.Module)) return part.name.split('/')[0];
  return undefined;
}

function raw(html: string): JSX.Element {
  return JSX.createElement(JSX.Raw, { html });
}
