import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { systemGroupId } from '../../lib/rules/roles.ts';
import type { OperationName, Params } from '../world/case.ts';
import { sqliteEngine } from '../world/copies.ts';
import { CHANNELS, type UserName } from '../world/fixture.ts';
import { httpTransport } from '../world/transports.ts';
import type { World } from '../world/world.ts';
import { statementsOf } from './query-plans.ts';
import { plainParams } from './tables.ts';
import { addFields } from './users/profile-fields/filling.ts';

/** An ID of no record, with as many digits as those in the fixture. */
const MISSING = 99;

/** A record that the caller cannot see, and a missing one. */
interface Hidden {
  what: string;
  from: UserName;
  given?(world: World): Promise<unknown>;
  /** The ID or name of the hidden record. */
  hidden(world: World): number | string | Promise<string>;
  missing: number | string;
  /** The value of the parameter, if it is not the ID or name itself. */
  value?(named: number | string, world: World): unknown;
  /** Operations in which the parameter names such a record. Default: all that have the parameter. */
  only?: readonly OperationName[];
  /** Changes to the plain call of an operation that would be refused for another reason. */
  with?: Partial<Record<OperationName, Params>>;
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
const hiddenAddress: Hidden = {
  what: 'an address that its owner hides from all users',
  from: 'administrator',
  given: ({ as }) => as('hamlet').settings.edit({ email_address_visibility: 4 }),
  hidden: ({ emails }) => emails.hamlet,
  missing: 'nobody@example.com',
};
const othersQueue: Hidden = {
  what: "another's queue",
  from: 'cordelia',
  hidden: async ({ as }) => String((await as('hamlet').register({})).queue_id),
  missing: 'another',
};
const hiddenTopic: Hidden = {
  what: 'a topic of a private channel, from an administrator who cannot read it',
  from: 'administrator',
  hidden: () => 'gold',
  missing: 'silver',
};
const earlierTopic: Hidden = {
  ...hiddenTopic,
  what: 'an earlier topic of a channel with protected history',
  from: 'newcomer',
  given: ({ as, users }) =>
    as('cordelia').subscriptions.add({
      subscriptions: [{ name: CHANNELS.protected }],
      principals: [users.newcomer],
      send_new_subscription_messages: false,
    }),
};
const inList = (one: Hidden): Hidden => ({ ...one, value: (named) => [named] });
const inText = (one: Hidden): Hidden => ({ ...one, value: String });
const inNarrow = (one: Hidden, operator: string): Hidden => ({
  ...one,
  what: `${one.what} (${operator})`,
  // `register` does not look up the records that its narrow names.
  only: ['messages.list', 'messages.matchesNarrow', 'messages.updateFlagsNarrow'],
  value: (named, world) => [{ operator, operand: one.value?.(named, world) ?? named }],
});

/** The recipient of a draft. */
const draftFor = (type: 'stream' | 'private') => (named: number | string) => ({
  type,
  to: [named],
  topic: 'x',
  content: 'y',
});
const draftAddresses = [
  { ...privateChannel, value: draftFor('stream') },
  { ...stranger, value: draftFor('private') },
];

/** Parameters that name records, in all operations. */
const NAMING: Readonly<Record<string, readonly Hidden[]>> = {
  stream_id: [
    {
      ...privateChannel,
      with: { 'typing.send': { type: 'channel', topic: 'x', to: undefined }, 'messages.edit': { content: undefined } },
    },
    {
      ...privateChannel,
      what: 'a private channel, to undo a change there',
      only: ['userTopics.mute', 'userTopics.set'],
      with: { 'userTopics.mute': { op: 'remove' }, 'userTopics.set': { visibility_policy: 0 } },
    },
  ],
  channel_id: [privateChannel],
  topic_name: [hiddenTopic, earlierTopic],
  stream: [
    { ...privateName, with: { 'userTopics.mute': { stream_id: undefined } } },
    {
      ...privateName,
      what: 'the name of a private channel, to undo a change there',
      only: ['userTopics.mute'],
      with: { 'userTopics.mute': { stream_id: undefined, op: 'remove' } },
    },
  ],
  subscriptions: [
    // A new channel cannot have the name of an existing one, even of a hidden one.
    { ...inList(privateName), only: ['subscriptions.remove'] },
    {
      ...inList(privateName),
      only: ['subscriptions.remove'],
      what: 'the name of a private channel, for the own account',
      with: { 'subscriptions.remove': { principals: undefined } },
    },
  ],
  delete: [{ ...inList(privateName), only: ['subscriptions.update'] }],
  subscription_data: [
    { ...privateChannel, value: (stream_id) => [{ stream_id, property: 'pin_to_top', value: true }] },
  ],
  to: [
    { ...privateChannel, only: ['messages.send'] },
    { ...privateName, only: ['messages.send'] },
    { ...inList(stranger), with: { 'messages.send': { type: 'direct', topic: undefined } } },
    {
      ...inList(strangersAddress),
      only: ['messages.send'],
      with: { 'messages.send': { type: 'direct', topic: undefined } },
    },
    {
      ...inList(hiddenAddress),
      only: ['messages.send'],
      with: { 'messages.send': { type: 'direct', topic: undefined } },
    },
  ],
  narrow: [
    inNarrow(privateChannel, 'channel'),
    inNarrow(privateName, 'channel'),
    inNarrow(privateMessage, 'id'),
    inNarrow(directMessage, 'id'),
    inNarrow(privateMessage, 'with'),
    inNarrow(stranger, 'sender'),
    inNarrow(strangersAddress, 'sender'),
    inNarrow(hiddenAddress, 'sender'),
    inNarrow(inList(stranger), 'dm'),
    inNarrow(stranger, 'dm-including'),
  ],
  message_id: [privateMessage, directMessage],
  messages: [inList(privateMessage), inList(directMessage)],
  message_ids: [
    {
      ...inList(privateMessage),
      with: { 'messages.list': { anchor: undefined, num_before: undefined, narrow: undefined } },
    },
    {
      ...inList(directMessage),
      with: { 'messages.list': { anchor: undefined, num_before: undefined, narrow: undefined } },
    },
  ],
  msg_ids: [
    { ...inList(privateMessage), with: { 'messages.matchesNarrow': { narrow: [] } } },
    { ...inList(directMessage), with: { 'messages.matchesNarrow': { narrow: [] } } },
  ],
  user_id: [stranger],
  bot_id: [stranger],
  muted_user_id: [stranger],
  user_ids: [inList(stranger)],
  principals: [inList(stranger), inList(strangersAddress), inList(hiddenAddress)],
  email: [strangersAddress, hiddenAddress],
  user_id_or_email: [strangersAddress, hiddenAddress, inText(stranger)],
  data: [
    {
      ...stranger,
      only: ['profileFields.set'],
      given: (world) => addFields(world, { friends: { field_type: 6 } }),
      value: (named, { kept }) => [{ id: kept.friends, value: [named] }],
    },
  ],
  drafts: draftAddresses.map((one) => ({ ...one, value: (named) => [one.value(named)] })),
  // The plain call edits a draft of Hamlet.
  draft: [
    { ...privateChannel, from: 'hamlet', hidden: ({ channels }) => channels.protected, value: draftFor('stream') },
  ],
  queue_id: [othersQueue],
};

describe('hidden things are refused like missing ones', () => {
  for (const operation of catalogue as readonly Operation[]) {
    // The caller chooses the address of a new account.
    if (operation.name === 'users.create' || operation.name === 'users.ensure') continue;
    for (const [key, kinds] of Object.entries(NAMING)) {
      if (!Object.hasOwn(operation.params, key)) continue;
      for (const kind of kinds) {
        if (kind.only && !kind.only.includes(operation.name as OperationName)) continue;
        test(`${operation.name} refuses a hidden record like a missing one: ${kind.what}, as ${key}`, async () => {
          const [hidden, missing] = [
            await outcome(operation, key, kind, kind.hidden),
            await outcome(operation, key, kind, () => kind.missing),
          ];
          assert.deepEqual(hidden.answer, missing.answer);
          // The same statements take the same time.
          assert.deepEqual(hidden.statements, missing.statements, 'G4: the same statements');
        });
      }
    }
  }
});

/** The response of the operation, with a placeholder for the value, and its statements. */
async function outcome(
  operation: Operation,
  key: string,
  { from, given, value, with: differing }: Hidden,
  namedIn: (world: World) => number | string | Promise<string>,
): Promise<{ answer: string; statements: string[] }> {
  const world = await sqliteEngine.world();
  try {
    await world.settings({ can_access_all_users_group: systemGroupId('role:members') });
    await given?.(world);
    const named = await namedIn(world);
    const params = {
      ...(await plainParams(operation.name, world, from)),
      ...differing?.[operation.name as OperationName],
      [key]: value ? value(named, world) : named,
    };
    const { value: result, texts } = await statementsOf(() => httpTransport.call(world, from, operation, params));
    const text = JSON.stringify('answer' in result ? result.answer : result.refusal);
    const answer = text.replaceAll(new RegExp(`\\b${String(named).replaceAll('.', '\\.')}\\b`, 'g'), 'IT');
    return { answer, statements: [...texts].sort() };
  } finally {
    await world.close();
  }
}
