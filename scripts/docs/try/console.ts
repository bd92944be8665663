import type { TryData } from '../try-documents.ts';
import { consoleId } from './ids.ts';
import { fillRequest, openWhenReady, tagSlug } from './ready-request.ts';
import { preferChosenLanguage } from './sample-language.ts';

declare global {
  interface Window {
    Scalar?: { createApiReference(element: Element, configuration: object): unknown };
  }
}

/** Any key works. This one saves typing for the first request. */
const token = 'any';

/** Adds Scalar to the page, with everything switched off that contacts its vendor's services. */
export function startConsole({ documents }: TryData): void {
  const element = document.getElementById(consoleId);
  if (!element || !window.Scalar) throw new Error('The page is incomplete: build it again with `npm run docs`');
  const address = new URL(location.href);
  const place = fillRequest(documents, address.searchParams);
  if (place) {
    // Scalar shows the section that the hash names. A reload keeps the section, and no longer fills in the request.
    address.search = '';
    address.hash = place.section;
    history.replaceState(null, '', address);
    openWhenReady(element, place);
  }
  preferChosenLanguage(documents, document.cookie);
  window.Scalar.createApiReference(element, {
    sources: documents.map(({ name, title, content }, index) => ({
      slug: name,
      title,
      content,
      default: place ? name === place.document : index === 0,
      agent: { disabled: true },
    })),
    generateTagSlug: ({ name = '' }: { name?: string }) => tagSlug(name),
    generateOperationSlug: ({ operationId = '' }: { operationId?: string }) => operationId,
    authentication: prefilled(documents),
    telemetry: false,
    mcp: { disabled: true },
    withDefaultFonts: false,
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'none',
    // The specs contain their own samples, including those of the client.
    hiddenClients: true,
    hideModels: true,
    hideDarkModeToggle: true,
    // The header has the search and the switch of colours.
    hideSearch: true,
    ...chosenColors(),
  });
}

function prefilled(documents: TryData['documents']): object {
  const schemes = new Set(documents.flatMap(({ content }) => Object.keys(content.components.securitySchemes ?? {})));
  return {
    preferredSecurityScheme: [...schemes][0],
    securitySchemes: Object.fromEntries([...schemes].map((scheme) => [scheme, { token }])),
  };
}

/** The stored colour mode. Without one, Scalar follows the system's preference. */
function chosenColors(): object {
  const { classList } = document.documentElement;
  if (classList.contains('dark')) return { forceDarkModeState: 'dark' };
  return classList.contains('light') ? { forceDarkModeState: 'light' } : {};
}
