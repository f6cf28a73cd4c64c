import { createHash } from 'node:crypto';
import type { Engine } from '../../engine/engine.ts';
import { sendEmail } from '../../jobs/outbox.ts';
import { emailKey } from '../../rules/fold.ts';
import { EMAIL_GATEWAY } from '../../rules/roles.ts';
import type { ReadMail } from './read-mail.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const REPORT = 'report refused mail';
/** Of all senders. Anyone can write to an address that does not exist, with a new forged sender each time. */
const MAX_PER_HOUR = 100;
const MAX_SUBJECT = 100;
const ADDRESS = /^[^\s@<>"(),:;]{1,64}@[^\s@<>"(),:;]{1,190}$/;

/**
 * Reports a refusal to the sender of an e-mail: at most once per day and address, because the sender may be forged.
 * Never to the domain of the chat, because the report would come back.
 */
export async function sendBounce(
  { options, asSystem }: Engine,
  { subject, messageId }: ReadMail,
  { to = '', recipient, reason }: { to: string | undefined; recipient: string; reason: string },
): Promise<void> {
  const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  if (!ADDRESS.test(to) || domainOf(to) === domainOf(recipient)) return;
  const about = [...subject.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()].slice(0, MAX_SUBJECT).join('');
  const isNamed = /^<[\x21-\x7e]{3,200}>$/.test(messageId);
  await asSystem('append', async ({ tx, now, organization, enqueue }) => {
    const gateway = await tx.users.byEmail(EMAIL_GATEWAY);
    const key = createHash('sha256').update(emailKey(to)).digest('base64url');
    if (!gateway || (await tx.idempotency.count(gateway.id, REPORT, now - HOUR_MS)) >= MAX_PER_HOUR) return;
    const report = { user_id: gateway.id, operation: REPORT, key, digest: '', answer: '', created_ms: now };
    if (!(await tx.idempotency.add(report, now - DAY_MS))) return;
    enqueue(
      sendEmail({
        to,
        subject: about === '' ? 'Your e-mail was not sent' : `Not sent: ${about}`,
        text: `Your e-mail to ${organization.name} was not sent:\n\n${reason}\n\nWrite in the app instead: ${options.baseUrl}\n`,
        fromName: organization.name,
        isReport: true,
        headers: { 'Auto-Submitted': 'auto-replied', ...(isNamed ? { 'In-Reply-To': messageId } : {}) },
      }),
    );
  });
}
