import { createSandbox } from 'carillon-sandbox';
import { http } from 'msw';
import { setupWorker } from 'msw/browser';
import { baseUrl } from './api';

export const sandbox = createSandbox();

const worker = setupWorker(http.all(`${baseUrl}/*`, ({ request }) => sandbox.handle(request)));
await worker.start();
