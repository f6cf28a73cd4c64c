/**
 * A program that notifies its users itself: by its own e-mail, and with a webhook for messages on call.
 *
 *   SMTP_URL=smtp://localhost:25 WEBHOOK_URL=https://example.com/hook npx tsx examples/notify.ts
 */
import { pathToFileURL } from 'node:url';
import { createTransport } from 'nodemailer';
import { type Chat, type ChatNotification, openChat, sqlite } from 'parlance-chat';

interface Senders {
  /** Sends an e-mail of your own. */
  mail(email: { to: string; subject: string; text: string; messageId: string }): Promise<unknown>;
  webhookUrl: string;
}

/** Every process that sends messages opens its chat with these options. The worker of one of them decides. */
export const NOTIFICATIONS = { email: false, program: ['email', 'push'] } as const;

export async function notify(chat: Chat, { mail, webhookUrl }: Senders): Promise<void> {
  // After some minutes, all missed messages of a conversation together.
  await chat.on('notification', (missed) => mail(emailAbout(missed)), { cursor: 'own e-mail' });
  // At once, each message. The service ignores a position that it knows.
  await chat.on(
    'notification',
    async ({ position, user, external_id, conversation, reasons }, { signal }) => {
      const body = JSON.stringify({ position, user: external_id ?? user.email, place: conversation.name, reasons });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(webhookUrl, { method: 'POST', headers, body, signal: signal as AbortSignal });
      // The chat logs the error and calls again: after 1 second, then 2, at most 60.
      if (!response.ok) throw new Error(`The webhook answered ${response.status}.`);
    },
    { cursor: 'webhook', way: 'push' },
  );
}

function emailAbout({ position, user, messages, unread, conversation, shows_content }: ChatNotification) {
  const lines = messages.map(({ sender_full_name, content }) => `${sender_full_name}: ${content}`);
  return {
    to: user.email,
    subject: shows_content ? `${unread} new in ${conversation.name}` : `${unread} new messages`,
    text: [...(shows_content ? lines : []), conversation.url].join('\n\n'),
    // A repeated delivery has the same ID, so mail programs show it once.
    messageId: `<chat-${position}@shop.example.com>`,
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { SMTP_URL = 'smtp://localhost:25', WEBHOOK_URL = 'http://localhost:8080/hook' } = process.env;
  const chat = await openChat({ storage: sqlite('chat.db'), notifications: NOTIFICATIONS });
  const transport = createTransport(SMTP_URL, { from: 'The shop <chat@shop.example.com>' });
  await notify(chat, { mail: (email) => transport.sendMail(email), webhookUrl: WEBHOOK_URL });
  chat.start({ keepAlive: true });
  process.once('SIGTERM', () => chat.close());
}
