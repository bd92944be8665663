import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import linksValidator from 'starlight-links-validator';
// Written by `npm run docs` before Astro starts.
import site from './src/data/site.json' with { type: 'json' };

/** The pages are Markdown files that `scripts/docs` writes: everything else here is Starlight's own. */
export default defineConfig({
  site: site.address,
  outDir: '../.cache/site',
  telemetry: false,
  // The only images are SVG files.
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: 'Carillon',
      description: site.description,
      favicon: '/icon.svg',
      sidebar: site.sidebar,
      customCss: ['./src/styles/site.css'],
      components: {
        PageTitle: './src/components/PageTitle.astro',
        Footer: './src/components/Footer.astro',
      },
      // Code that scrolls needs a name for each block, and is hard to read on a phone.
      expressiveCode: { defaultProps: { wrap: true } },
      pagefind: { ranking: { termSimilarity: 1, pageLength: 0.1, termFrequency: 1, termSaturation: 1.2 } },
      plugins: [linksValidator({ exclude: ['http://127.0.0.1:**', '/downloads/**', '/redoc/**', '/llms*.txt'] })],
    }),
  ],
});
