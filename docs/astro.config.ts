import starlight from '@astrojs/starlight';
import { pluginCollapsibleSections } from '@expressive-code/plugin-collapsible-sections';
import { defineConfig, passthroughImageService } from 'astro/config';
import linksValidator from 'starlight-links-validator';
import sidebarTopics from 'starlight-sidebar-topics';
// Written by `npm run docs` before Astro starts.
import site from './src/data/site.json' with { type: 'json' };

/** The pages are Markdown files that `scripts/docs` writes: everything else here is Starlight's own. */
export default defineConfig({
  outDir: '../.cache/site',
  telemetry: false,
  // The only images are SVG files.
  image: { service: passthroughImageService() },
  vite: {
    // Samples run with client and sandbox from their sources, so that the docs need no build of the packages.
    resolve: { conditions: ['carillon-source', 'module', 'browser', 'development|production'] },
    worker: { format: 'es' },
  },
  integrations: [
    starlight({
      title: 'Carillon',
      description: site.description,
      favicon: '/icon.svg',
      // `docs/src/search` has the search.
      pagefind: false,
      customCss: ['./src/styles/site.css'],
      routeMiddleware: './src/route-data.ts',
      components: {
        SocialIcons: './src/components/SocialIcons.astro',
        PageTitle: './src/components/PageTitle.astro',
        Footer: './src/components/Footer.astro',
        MarkdownContent: './src/components/MarkdownContent.astro',
        Search: './src/components/Search.astro',
      },
      // Code that scrolls needs a name for each block, and is hard to read on a phone.
      expressiveCode: { defaultProps: { wrap: true }, plugins: [pluginCollapsibleSections()] },
      plugins: [
        // Pages that no menu lists.
        sidebarTopics(site.topics, {
          topics: { guides: ['/', '/404'], reference: ['/reference/**/*'], project: ['/project/**/*'] },
        }),
        linksValidator({ exclude: ['http://127.0.0.1:**', '**/downloads/**', '**/redoc/**', '**/llms*.txt'] }),
      ],
    }),
  ],
});
