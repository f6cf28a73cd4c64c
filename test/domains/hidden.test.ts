import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { systemGroupId } from '../../lib/rules/system-groups.ts';
import { sqliteEngine } from '../world/copies.ts';
import { CHANNELS, type UserName } from '../world/fixture.ts';
import { httpTransport } from '../world/transports.ts';
import type { World } from '../world/world.ts';
import { plainParams } from './tables.ts';

/** An ID that nothing has, as long as those in the fixture are. */
const MISSING = 99;

/** What somebody may not know of, and what is not there. */
interface Hidden {
  what: string;
  from: UserName;
  /** Values of the parameter. */
  hidden(world: World): unknown;
  missing: unknown;
}

const privateChannel: Hidden = {
  what: 'a private channel',
  from: 'cordelia',
  hidden: ({ channels }) => channels.shared,
  missing: MISSING,
};
const privateName: Hidden = {
  ...privateChannel,
  what: 'the name of a private channel',
  hidden: () => CHANNELS.shared,
  missing: 'Nowhere',
};
const privateMessage: Hidden = {
  what: 'a message of a private channel',
  from: 'cordelia',
  hidden: ({ messages }) => messages.council,
  missing: MISSING,
};
const directMessage: Hidden = {
  what: "others' direct message",
  from: 'administrator',
  hidden: ({ messages }) => messages.direct,
  missing: MISSING,
};
const stranger: Hidden = {
  what: 'an account, from a guest who does not see it',
  from: 'guest',
  hidden: ({ users }) => users.moderator,
  missing: MISSING,
};
const strangersAddress: Hidden = {
  ...stranger,
  what: 'an address, from a guest who does not see the account',
  hidden: ({ emails }) => emails.moderator,
  missing: 'nobody@example.com',
};
const inList = (one: Hidden): Hidden => ({
  ...one,
  hidden: (world) => [one.hidden(world)],
  missing: [one.missing],
});

/** Parameters that name what may be hidden, in whichever operation they are. */
const NAMING: Readonly<Record<string, readonly Hidden[]>> = {
  stream_id: [privateChannel],
  channel_id: [privateChannel],
  stream: [privateName],
  message_id: [privateMessage, directMessage],
  messages: [inList(privateMessage), inList(directMessage)],
  message_ids: [inList(privateMessage), inList(directMessage)],
  msg_ids: [inList(privateMessage), inList(directMessage)],
  user_id: [stranger],
  muted_user_id: [stranger],
  user_ids: [inList(stranger)],
  principals: [inList(stranger), inList(strangersAddress)],
  email: [strangersAddress],
  user_id_or_email: [strangersAddress],
};

describe('what somebody may not know of answers as what does not exist', () => {
  for (const operation of catalogue as readonly Operation[]) {
    // An address to be given to somebody is named by whoever gives it.
    if (operation.name === 'users.create') continue;
    for (const [key, kinds] of Object.entries(NAMING)) {
      if (!Object.hasOwn(operation.params.entries, key)) continue;
      for (const kind of kinds) {
        test(`${operation.name}: ${kind.what}, as ${key}`, async () => {
          const [hidden, missing] = [
            await outcome(operation, key, kind, kind.hidden),
            await outcome(operation, key, kind, () => kind.missing),
          ];
          assert.deepEqual(hidden, missing);
        });
      }
    }
  }
});

/** What the operation answers, with a placeholder for the value it was asked about. */
async function outcome(
  operation: Operation,
  key: string,
  { from }: Hidden,
  valueIn: (world: World) => unknown,
): Promise<unknown> {
  const world = await sqliteEngine.world();
  try {
    await world.settings({ can_access_all_users_group: systemGroupId('role:members') });
    const value = valueIn(world);
    const params = { ...(await plainParams(operation.name, world, from)), [key]: value };
    const given = String(Array.isArray(value) ? value[0] : value);
    const result = await httpTransport.call(world, from, operation, params);
    const text = JSON.stringify('answer' in result ? result.answer : result.refusal);
    return JSON.parse(text.replaceAll(new RegExp(`\\b${given.replaceAll('.', '\\.')}\\b`, 'g'), 'IT'));
  } finally {
    await world.close();
  }
}
