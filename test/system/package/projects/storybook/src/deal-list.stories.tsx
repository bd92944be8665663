import type { Meta, StoryObj } from '@storybook/react-vite';
import { DealList } from './deal-list';

const meta: Meta<typeof DealList> = { component: DealList };
export default meta;

export const Usual: StoryObj = {};

export const Empty: StoryObj = { parameters: { scenario: 'empty' } };

export const Rejected: StoryObj = {
  parameters: { faults: [{ operation: 'listDeals', status: 403, times: 'always' }] },
};

export const Offline: StoryObj = {
  parameters: { faults: [{ operation: 'listDeals', drop: 'before', times: 'always' }] },
};
