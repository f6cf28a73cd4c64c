import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openChat, smtp } from '../../lib/index.ts';
import { contentsOf } from '../domains/notifications/email/places.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { clockAhead, ENGINES, killAll, killedProgram, type Place } from './victims.ts';

/** After this time, the leases of a killed process have expired, and all periods have ended. */
const AFTER_LEASES_MS = 130_000;
/** An account gets at most 20 e-mails in an hour, so that other recipients follow after so many processes. */
const LIVES = 5;
const RECIPIENTS = 6;

export function notificationEmails(kills: number, engines = ENGINES): void {
  describe('processes that e-mail missed messages are killed', () => {
    for (const { name, place: makePlace, workers, skip } of engines) {
      const title = `each acknowledged message is in one e-mail after kills, which comes again only under the same name, with ${workers} processes on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + kills * 20_000 }, async (t) => {
        const place = await makePlace();
        t.after(() => place.remove());
        const box = await openMailbox(t);
        const { user, to } = await found(place, Math.ceil((kills + workers) / LIVES));
        const options = { ...place.options, user, to, lives: LIVES, mailServer: box.url };
        const { lives, asked, acknowledged, faults } = await killAll(await killedProgram('mailer'), options, {
          workers,
          kills,
        });
        await finish(place, box);
        const emails = emailsByText(box);
        t.diagnostic(`${lives} kills: ${acknowledged.size} acknowledged, ${box.letters.length} e-mails`);
        assert.deepEqual(faults, []);
        assert.deepEqual(
          [...acknowledged].filter((text) => !emails.has(text)),
          [],
          'every acknowledged message was mailed',
        );
        assert.deepEqual(
          [...emails.keys()].filter((text) => !asked.has(text)),
          [],
          'every mailed message was sent',
        );
        for (const [text, ids] of emails) assert.equal(ids.size, 1, `${text} is in one e-mail`);
        assert.ok(acknowledged.size >= kills, 'kills left work undone');
      });
    }
  });
}

/** Each recipient collects for a second, so that e-mails go out while processes are killed. */
async function found(place: Place, groups: number): Promise<{ user: number; to: number[][] }> {
  const chat = await openChat({ storage: place.storage() });
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  const { user_id } = await chat.createOrganization({ name: 'Kills', owner });
  const to: number[][] = Array.from({ length: groups }, () => []);
  for (let n = 0; n < groups * RECIPIENTS; n++) {
    const person = await chat.as(user_id).users.create({ email: `p${n}@example.com`, full_name: `Person ${n}` });
    await chat.as(person.user_id).settings.edit({ email_notifications_batching_period_seconds: 1 });
    to[n % groups]?.push(person.user_id);
  }
  await chat.close();
  return { user: user_id, to };
}

async function finish(place: Place, box: Mailbox): Promise<void> {
  // The leases of decisions end, then the periods that they have begun.
  for (const ahead of [AFTER_LEASES_MS, 2 * AFTER_LEASES_MS]) {
    const mail = smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 5_000 });
    const chat = await openChat({ storage: place.storage(), clock: clockAhead(ahead), mail });
    await chat.runDue();
    await chat.close();
  }
}

/** The message IDs of the e-mails that contain a text. */
function emailsByText({ letters }: Mailbox): Map<string, Set<string | undefined>> {
  const found = new Map<string, Set<string | undefined>>();
  for (const { text = '', messageId } of letters) {
    for (const content of contentsOf(text)) found.set(content, (found.get(content) ?? new Set()).add(messageId));
  }
  return found;
}
