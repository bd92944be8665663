'use client';

import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { type Crm, isCarillonError } from 'carillon';
import { dealParams, pipelineParams, query } from './queries';

const { pipelineId } = pipelineParams;
const dealPages = query.crm.deals.list.infinite(dealParams);

export function Deals() {
  const steps = useQuery(query.crm.pipelines.steps.list.options(pipelineParams));
  const deals = useInfiniteQuery(dealPages);
  const move = useMoveDeal();
  const failed = move.error ?? deals.error ?? steps.error;
  const shown = deals.data?.pages.flatMap(({ data }) => data).filter((deal) => deal.pipelineId === pipelineId);
  return (
    <main>
      {failed && <p role="alert">{wordsOf(failed)}</p>}
      <ul>
        {shown?.map((deal) => (
          <li key={deal.id}>
            <label>
              {deal.name}
              <select
                value={deal.stepId}
                onChange={(event) => move.mutate({ dealId: deal.id, pipelineId, stepId: Number(event.target.value) })}
              >
                {steps.data?.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
          </li>
        ))}
      </ul>
      {deals.hasNextPage && (
        <button type="button" onClick={() => deals.fetchNextPage()}>
          More deals
        </button>
      )}
    </main>
  );
}

/** Shows the deal in its new step before the service responds, and back in its old step if the service rejects it. */
function useMoveDeal() {
  return useMutation({
    ...query.crm.deals.changePipeline.mutation(),
    async onMutate({ dealId, ...place }, { client }) {
      // A refetch in flight would bring back the old step.
      await client.cancelQueries({ queryKey: query.crm.deals.key });
      const pages = client.getQueryData(dealPages.queryKey)?.pages;
      const before = pages?.flatMap(({ data }) => data).find(({ id }) => id === dealId);
      if (before) showDeal(client, { ...before, ...place });
      return before;
    },
    // Only this deal: others may have been moved meanwhile.
    onError: (_error, _move, before, { client }) => before && showDeal(client, before),
  });
}

function showDeal(client: QueryClient, shown: Crm.Deal): void {
  client.setQueryData(
    dealPages.queryKey,
    (held) =>
      held && {
        ...held,
        pages: held.pages.map((page) => ({
          ...page,
          data: page.data.map((deal) => (deal.id === shown.id ? shown : deal)),
        })),
      },
  );
}

/** The message for the user: that of the service, if there is one. */
function wordsOf(error: Error): string {
  if (isCarillonError(error, 'ApiError') && error.serviceMessage) return error.serviceMessage;
  return 'The service cannot be reached. What you changed may have been saved.';
}
