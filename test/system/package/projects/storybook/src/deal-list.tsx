import type { Crm } from 'carillon';
import { useEffect, useState } from 'react';
import { api } from './api';

export function DealList() {
  const [deals, setDeals] = useState<Crm.Deal[]>();
  const [problem, setProblem] = useState<Error>();
  useEffect(() => {
    api.crm.deals.list().toArray({ max: 100 }).then(setDeals, setProblem);
  }, []);

  if (problem) return <p role="alert">{problem.message}</p>;
  if (!deals) return <p>Loading…</p>;
  if (deals.length === 0) return <p>There are no deals yet.</p>;
  return (
    <ul>
      {deals.map(({ id, name }) => (
        <li key={id}>{name}</li>
      ))}
    </ul>
  );
}
