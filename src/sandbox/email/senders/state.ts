export interface Mailbox {
  name: string;
  email: string;
}

export interface SendersState {
  /** IP addresses that the account sends from. */
  ips: string[];
  /** Sender addresses of the Email and SMTP services, by address in lower case. */
  senders: Map<string, Mailbox>;
}

export function emptySenders(): SendersState {
  return { ips: ['192.0.2.10'], senders: new Map() };
}

/** Sender address of the example story (spec/README.md). */
export const salesSender: Readonly<Mailbox> = { name: 'Example Sales', email: 'sales@example.com' };

export function seedSenders({ senders }: SendersState): void {
  senders.set(salesSender.email, { ...salesSender });
}
