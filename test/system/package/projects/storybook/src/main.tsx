import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DealList } from './deal-list';

// The build removes this line, and with it the sandbox.
if (import.meta.env.DEV) await import('./sandbox');

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <DealList />
    </StrictMode>,
  );
