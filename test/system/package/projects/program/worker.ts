/** workerd: a test handler, with the address of the mock in `BASE_URL`. */
import * as carillon from 'carillon';
import { run } from './program.js';

export default {
  async test(_controller: unknown, { BASE_URL }: { BASE_URL: string }): Promise<void> {
    console.log((await run(carillon, BASE_URL)).join(' '));
  },
};
