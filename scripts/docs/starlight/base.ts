/** The folder of a host that holds the site: `/`, or `/docs/`. */

/** The address of a path of the site: `/errors/` → `/docs/errors/`. */
export function addressIn(base: string, path: string): string {
  return base + path.slice(1);
}

/** Matches code, which contains no links, or the characters before the path of a link in Markdown, HTML or front matter. */
const codeOrLink = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)|(\]\(|\b(?:href|src)="|^ +link: )\/(?!\/)/gms;

/** A page whose links to other pages have the site's base. Starlight adds it to its menus only. */
export function linkInSite(base: string, markdown: string): string {
  return markdown.replace(codeOrLink, (text, _ticks, before?: string) => (before === undefined ? text : before + base));
}
