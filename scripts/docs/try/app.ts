/** The script of the page "Try it". It runs in the reader's browser, before Scalar is read. */
import type { TryData } from '../try-documents.ts';
import { startBar } from './bar.ts';
import { startConsole } from './console.ts';
import { dataId } from './ids.ts';
import { stayInPage } from './links.ts';
import { PageSandbox } from './page-sandbox.ts';
import { keepRepaired } from './repair.ts';

const data: TryData = JSON.parse(document.getElementById(dataId)?.textContent ?? '');
const sandbox = new PageSandbox(data.api);
window.fetch = sandbox.fetch;
startBar(sandbox, data.inside);
stayInPage();
document.addEventListener('DOMContentLoaded', () => {
  startConsole(data);
  keepRepaired();
});
