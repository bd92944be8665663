import type { Preview } from '@storybook/react-vite';
import type { Fault, ScenarioName } from 'carillon-sandbox';
import { sandbox } from '../src/sandbox';

const preview: Preview = {
  beforeEach({ parameters }: { parameters: { scenario?: ScenarioName; faults?: Fault[] } }) {
    sandbox.startScenario(parameters.scenario); // without a name, the usual data
    for (const fault of parameters.faults ?? []) sandbox.faults.add(fault);
  },
};
export default preview;
