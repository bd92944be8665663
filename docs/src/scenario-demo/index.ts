/**
 * `<scenario-demo>`: a small app that lists contacts, and a picker of scenarios. It shows how each scenario affects an app.
 *
 * The app and its sandbox run in the page. They are loaded when a reader chooses a scenario.
 */
import { ScenarioDemo } from './scenario-demo.ts';

if (!customElements.get('scenario-demo')) customElements.define('scenario-demo', ScenarioDemo);
