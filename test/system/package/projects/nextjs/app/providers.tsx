'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

export function Providers({ children }: { children: ReactNode }) {
  // In the state, not in the module: on the server, all visitors share a module, and must not share a cache.
  const [cache] = useState(
    // What the server has just fetched is not fetched again when the page starts.
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } }),
  );
  return <QueryClientProvider client={cache}>{children}</QueryClientProvider>;
}
