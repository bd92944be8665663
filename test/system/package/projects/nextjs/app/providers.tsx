'use client';

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

export function Providers({ children }: { children: ReactNode }) {
  // In the state, not in the module: on the server, all visitors share a module, and must not share a cache.
  const [cache] = useState(
    // The page does not fetch again what the server has just fetched.
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } }),
  );
  return <QueryClientProvider client={cache}>{children}</QueryClientProvider>;
}
