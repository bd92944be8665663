import {
  DefaultTheme,
  JSX,
  type NavigationElement,
  type PageEvent,
  type ProjectReflection,
  type Renderer,
} from 'typedoc';
import { header, headerHeight, type Page } from './layout.ts';

/** TypeDoc's theme; a group of the navigation is a switch alone, and the page that it names stands first in it. */
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

/** As on the other pages, with what TypeDoc needs: scripts and styles beside the page, and an index that it unpacks. */
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' file: 'unsafe-inline'; style-src 'self' file: 'unsafe-inline'; img-src data:; connect-src data:; base-uri 'none'; form-action 'none'">`;

/** Makes the pages part of the site: its policy and its bar on top, whose links lead from wherever the page stands. */
export function joinSite({ hooks }: Renderer, current: Page, pages: Page[]): void {
  const bar = header(pages, current).source;
  hooks.on('head.begin', () => raw(policy));
  hooks.on('body.begin', ({ relativeURL }) => {
    const root = `${relativeURL('./')}../`;
    return raw(`<a class="skip" href="#content">Skip to the content</a>
<div style="--header-height: ${headerHeight}px">${bar.replaceAll(' href="', ` href="${root}`)}</div>`);
  });
}

/** Mends what a browser refuses from disk, and what a screen reader or the keyboard stumbles over. */
export function mendPage(page: PageEvent): void {
  page.contents = page.contents
    // The icons stand in every page too; a file of their own is another origin on a disk.
    ?.replaceAll(/href="[^"]*assets\/icons\.svg#/g, 'href="#')
    // A link in a switch cannot be told from the switch.
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
