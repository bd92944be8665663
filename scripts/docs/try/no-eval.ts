/** Zod compiles validators with `eval` where it can; the page's policy forbids that, and the browser would report it. */
import { config } from 'zod';

config({ jitless: true });
