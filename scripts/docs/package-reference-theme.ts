import {
  DefaultTheme,
  JSX,
  type NavigationElement,
  type PageEvent,
  type ProjectReflection,
  type Renderer,
} from 'typedoc';
import { header, headerHeight, type Page } from './layout.ts';

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

/** The policy of the other pages, extended for TypeDoc: separate scripts and styles, and an index that it unpacks. */
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' file: 'unsafe-inline'; style-src 'self' file: 'unsafe-inline'; img-src data:; connect-src data:; base-uri 'none'; form-action 'none'">`;

/** Adds the policy and the bar of the site to a page, with links relative to the page. */
export function joinSite({ hooks }: Renderer, current: Page, pages: Page[]): void {
  const bar = header(pages, current).source;
  hooks.on('head.begin', () => raw(policy));
  hooks.on('body.begin', ({ relativeURL }) => {
    const root = `${relativeURL('./')}../`;
    return raw(`<a class="skip" href="#content">Skip to the content</a>
<div style="--header-height: ${headerHeight}px">${bar.replaceAll(' href="', ` href="${root}`)}</div>`);
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
      '<div class="tsd-page-toolbar" role="search">$1</div>',
    )
    .replace('<div class="page-menu">', '<div class="page-menu" role="complementary" aria-label="This page">')
    .replace('<div class="col-content">', '<div class="col-content" id="content" role="main">');
}

function raw(html: string): JSX.Element {
  return JSX.createElement(JSX.Raw, { html });
}
