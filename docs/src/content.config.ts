import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
import { z } from 'astro/zod';

/** Front matter that `scripts/docs` writes in addition to Starlight's own fields. */
const extend = z.object({
  /** The operation that the page describes. */
  operation: z
    .object({ verb: z.string(), path: z.string(), method: z.string(), id: z.string(), effect: z.string() })
    .optional(),
});

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema({ extend }) }) };
