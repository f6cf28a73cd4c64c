import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openChat, smtp } from '../../lib/index.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { clockAhead, ENGINES, killAll, killedProgram, type Place } from './victims.ts';

/** After this time, the leases of a killed process have expired. */
const AFTER_LEASES_MS = 130_000;
/** E-mails that one process claims at a time: those it sends, and as many again. */
const IN_HAND = 10;

export function invitationEmails(kills: number, engines = ENGINES): void {
  describe('processes that invite and send e-mails are killed', () => {
    for (const { name, place: makePlace, workers, skip } of engines) {
      const title = `each acknowledged invitation is mailed after kills, again only if its sending was interrupted, with ${workers} processes on ${name}`;
      test(title, { ...(skip ? { skip } : {}), timeout: 60_000 + kills * 20_000 }, async (t) => {
        const place = await makePlace();
        t.after(() => place.remove());
        const box = await openMailbox(t);
        const user = await found(place);
        const options = { ...place.options, user, mailServer: box.url };
        const { lives, asked, acknowledged, faults } = await killAll(await killedProgram('inviter'), options, {
          workers,
          kills,
        });
        const states = await finish(place, box, user);
        const letters = lettersByAddress(box);
        const repeated = [...letters].filter(([, ids]) => ids.length > 1);
        const again = repeated.reduce((sum, [, ids]) => sum + ids.length - 1, 0);
        t.diagnostic(
          `${lives} kills: ${asked.size} asked for, ${acknowledged.size} acknowledged, ${letters.size} mailed, ${again} of them again`,
        );
        assert.deepEqual(faults, []);
        assert.deepEqual(
          [...acknowledged].filter((address) => !letters.has(address)),
          [],
          'every acknowledged invitation has an e-mail',
        );
        assert.deepEqual(
          [...letters.keys()].filter((address) => !asked.has(address)),
          [],
          'every e-mail belongs to a requested invitation',
        );
        for (const [address, ids] of repeated)
          assert.equal(new Set(ids).size, 1, `${address}: every e-mail has the same name`);
        assert.ok(again <= lives * IN_HAND, `${again} repeated by ${lives} kills`);
        assert.equal(states.length, letters.size, 'each invitation has its e-mail');
        assert.deepEqual([...new Set(states)], ['sent'], 'each invitation says that its e-mail was sent');
        assert.ok(acknowledged.size >= kills, 'kills left work undone');
      });
    }
  });
}

async function found(place: Place): Promise<number> {
  const chat = await openChat({ storage: place.storage() });
  const owner = { email: 'ada@example.com', full_name: 'Ada' };
  const { user_id } = await chat.createOrganization({ name: 'Kills', owner });
  await chat.close();
  return user_id;
}

/** Sends the remaining e-mails with a later clock. Reports the e-mail status of the invitations. */
async function finish(place: Place, box: Mailbox, user: number) {
  const mail = smtp({ url: box.url, from: 'chat@example.com', timeoutMs: 5_000 });
  const chat = await openChat({ storage: place.storage(), clock: clockAhead(AFTER_LEASES_MS), mail });
  try {
    await chat.runDue();
    return (await chat.as(user).invites.list()).invites.map(({ email_state }) => email_state);
  } finally {
    await chat.close();
  }
}

/** The names of the received e-mails, by recipient. */
function lettersByAddress({ letters }: Mailbox): Map<string, (string | undefined)[]> {
  const found = new Map<string, (string | undefined)[]>();
  for (const { to, messageId } of letters) {
    const address = to?.[0]?.address ?? '';
    found.set(address, [...(found.get(address) ?? []), messageId]);
  }
  return found;
}
