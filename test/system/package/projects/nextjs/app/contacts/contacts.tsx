'use client';

import type { Crm, Page } from 'carillon';
import Link from 'next/link';
import { useState } from 'react';

/** Shows a page that a Server Component has fetched. */
export function Contacts({ page }: { page: Page<Crm.Contact, unknown> }) {
  const [search, setSearch] = useState('');
  const shown = page.data.filter(({ firstName, lastName }) => `${firstName} ${lastName}`.includes(search));
  return (
    <main>
      <label>
        Search this page
        <input value={search} onChange={(event) => setSearch(event.target.value)} />
      </label>
      <ul>
        {shown.map(({ id, firstName, lastName }) => (
          <li key={id}>
            {firstName} {lastName}
          </li>
        ))}
      </ul>
      {page.nextOffset !== undefined && <Link href={`/contacts?offset=${page.nextOffset}`}>More contacts</Link>}
    </main>
  );
}
