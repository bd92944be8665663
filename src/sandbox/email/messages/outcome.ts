import type { EmailClientInfo, EmailTracking } from '../../../../generated/email/models.ts';
import { formatDateTime } from '../../data/dates.ts';
import { clickedAfter, type MessageEntry, type Outcome, type OutgoingEmail, openedAfter } from './messages.ts';

/** Returns the outcome of an email that is sent now. It depends on the address of the first recipient. */
export function outcomeOf({ visible, html }: OutgoingEmail, now: number): Outcome {
  const address = visible.to[0]?.email.toLowerCase() ?? '';
  const isBounced = address.startsWith('bounce');
  const isOpened = !isBounced && !address.startsWith('unopened');
  const url = isOpened && !address.startsWith('unclicked') ? firstLink(html) : undefined;
  return {
    isBounced,
    openedAt: isOpened ? now + openedAfter : null,
    click: url === undefined ? null : { at: now + clickedAfter, url },
  };
}

function firstLink(html: string): string | undefined {
  return /<a\s[^<>]*?href\s*=\s*["']?(https?:[^"'\s<>]+)/i.exec(html)?.[1];
}

/** Returns the actions of the recipient so far. */
export function trackingOf({ openedAt, click }: MessageEntry, now: number, hasCountry: boolean): EmailTracking {
  const client = (moment: number): EmailClientInfo => ({
    browser: 'Firefox',
    os: 'Linux',
    ip: '198.51.100.24',
    ...(hasCountry && { country: 'Ireland' }),
    action_date: formatDateTime(moment),
  });
  const opens = openedAt !== null && openedAt <= now ? [client(openedAt)] : [];
  const clicks =
    click && click.at <= now ? [{ url: click.url, screen_resolution: '1920x1080', ...client(click.at) }] : [];
  return { click: clicks.length, open: opens.length, link: clicks, client_info: opens };
}
