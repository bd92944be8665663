import { assetsFolder } from './frame/ids.ts';
import { pickSamples } from './sample-picker.ts';

/** Redoc's program. All reference pages load the same file, so a browser fetches and compiles it once. */
export const redocFile = `${assetsFolder}/redoc.js`;

/** Name of the global object with Redoc's entry points. */
const globalName = 'carillonRedoc';

/** What the build changes in Redoc's program. A new version that no longer contains a text fails the build. */
const changes = [
  // Both would be loaded from a network.
  {
    what: 'logo addresses',
    text: /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g,
    count: 2,
    to: 'data:,',
  },
  // A classic script has no import.meta. Only workers would use it, and the page has none.
  { what: 'uses of import.meta', text: /import\.meta\.(?:dirname(?=\+)|url(?=\.))/g, count: 2, to: "''" },
  // The site has a search of its own.
  { what: 'search shortcuts', text: /\[`⌘\+K,CTRL\+K`\]/g, count: 1, to: '[]' },
];

const start = '<script type="module">';
const exported = 'export{RedocStandalone,hydrate,init};';

/** A page as `redocly build-docs` writes it, in two parts. */
export interface SplitPage {
  page: string;
  /** Redoc's program as a classic script: browsers do not load modules from disk. */
  script: string;
}

/** Moves Redoc's program from a page to a file of its own, and removes what refers to a network or a web server. */
export function splitPage(built: string): SplitPage {
  const from = built.indexOf(start);
  const to = built.indexOf(exported);
  if (from < 0 || to < from) throw changed('does not have its program where it is expected');
  // Redoc routes by hash, but first renders links for a server, and hydration does not update attributes.
  const rendered = built.slice(0, from).replaceAll(' href="/', ' href="#/');
  const program = changes.reduce(change, pickSamples(built.slice(from + start.length, to).trim()));
  const rest = built.slice(to + exported.length).trimStart();
  return {
    page: `${rendered}<script src="${redocFile}"></script>\n      <script>\n      const { hydrate } = ${globalName};\n      ${rest}`,
    // The licence comes first. A function keeps the program's names out of the page's.
    script: program
      .replace(/^(\/\*\*[\s\S]*?\*\/\s*)?/, `$1var ${globalName} = (() => {\n'use strict';\n`)
      .concat('\nreturn { hydrate };\n})();\n'),
  };
}

function change(program: string, { what, text, count, to }: (typeof changes)[number]): string {
  const found = program.match(text)?.length ?? 0;
  if (found !== count) throw changed(`has ${found} ${what} instead of ${count}`);
  return program.replace(text, to);
}

function changed(how: string): Error {
  return new Error(`Redoc's bundle ${how}: it changed, so check the page again`);
}
