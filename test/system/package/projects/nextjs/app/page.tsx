import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { connection } from 'next/server';
import { Deals } from './deals';
import { dealParams, pipelineParams } from './queries';
import { serverQuery } from './service';

export default async function Page() {
  // Fetch for each visit, not once while the app is built.
  await connection();
  const cache = new QueryClient();
  await Promise.all([
    cache.prefetchInfiniteQuery(serverQuery.crm.deals.list.infinite(dealParams)),
    cache.prefetchQuery(serverQuery.crm.pipelines.steps.list.options(pipelineParams)),
  ]);
  return (
    <HydrationBoundary state={dehydrate(cache)}>
      <Deals />
    </HydrationBoundary>
  );
}
