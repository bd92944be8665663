import { assetsFolder, frameIds, siteScript } from './frame/ids.ts';
import { Html, html } from './html.ts';
import { type Page, readTemplate, startPage } from './page.ts';

/**
 * The bar at the top of every page: links to the other pages, the search, and the switch between light and dark.
 *
 * @param pages - pages to link to, in order
 * @param current - page that the bar is on
 * @param root - path from the page to the root of the site: `../` for a page in a folder
 */
export function header(pages: readonly Page[], current: Page, root = ''): Html {
  const link = (page: Page): Html => html`<a href="${root}${page.file}"${mark(page, current)}>${page.label}</a>`;
  const project = pages.filter(({ menu }) => menu === 'project');
  const isInProject = project.some(({ file }) => file === current.file);
  return html`<header class="carillon-header">
      <a class="carillon-brand" href="${root}${startPage.file}"${mark(startPage, current)}>${icon('icon')}${startPage.label}</a>
      <button type="button" class="carillon-menu-button" popovertarget="${frameIds.menu}" aria-label="Menu">${icon('menu')}</button>
      <nav id="${frameIds.menu}" aria-label="Pages" popover>
        ${pages.filter(({ menu }) => menu === undefined).map(link)}
        ${
          project.length > 0 &&
          html`<details class="carillon-project"${isInProject && new Html(' data-current')}><summary>Project</summary><div>${project.map(link)}</div></details>`
        }
      </nav>
      <div class="carillon-tools">
        <button type="button" id="${frameIds.search}" aria-label="Search" aria-keyshortcuts="/ Control+K Meta+K" hidden>${icon('search')}<span>Search</span> <kbd aria-hidden="true">/</kbd></button>
        <button type="button" id="${frameIds.colors}" hidden>${icon('colors')}</button>
      </div>
      <script src="${root}${assetsFolder}/${siteScript}"></script>
    </header>`;
}

function mark(page: Page, current: Page): Html | false {
  return page.file === current.file && new Html(' aria-current="page"');
}

function icon(name: string): Html {
  return new Html(readTemplate(`${name}.svg`));
}
