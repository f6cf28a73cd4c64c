import assert from 'node:assert/strict';
import { type EmailKind, unsubscribeToken } from '../../../../lib/domains/notifications/email/unsubscribe-token.ts';
import type { Organization } from '../../../../lib/model/organization.ts';
import { type Case, cases } from '../../../world/case.ts';
import type { UserName } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';

const tokens = new WeakMap<World, string>();

/** The token of a link in an e-mail. */
export async function unsubscribingToken(world: World, user: UserName, kindOf: (world: World) => EmailKind) {
  const organization = (await world.storage.read((tx) => tx.organization.get())) as Organization;
  return unsubscribeToken(organization, world.users[user], kindOf(world));
}

const linked =
  (kindOf: (world: World) => EmailKind, then: (world: World) => Promise<unknown> = async () => undefined) =>
  async (world: World) => {
    tokens.set(world, await unsubscribingToken(world, 'hamlet', kindOf));
    await then(world);
  };
const tokenOf = (world: World) => tokens.get(world) ?? 'c0ffee';
const call: Case['call'] = ['settings.unsubscribe', (world) => ({ token: tokenOf(world) })];
const ofChannel = ({ channels }: World) => ({ channel_id: channels.public });
const changed =
  (property: string, value: boolean): Case['events'] =>
  () => ({
    hamlet: [{ type: 'user_settings', op: 'update', property, value }],
  });

export const unsubscribeCases = cases('settings.unsubscribe', [
  {
    name: 'a link about mentions turns off e-mails about mentions and direct messages',
    as: 'anonymous',
    given: linked(() => 'mentions'),
    call,
    returns: { kind: 'mentions', is_on: false },
    events: changed('enable_offline_email_notifications', false),
  },
  {
    name: 'a link about a followed topic turns off e-mails about followed topics',
    as: 'anonymous',
    given: linked(() => 'followed topics'),
    call,
    returns: { kind: 'followed topics', is_on: false },
    events: changed('enable_followed_topic_email_notifications', false),
  },
  {
    name: 'a link about a channel turns off e-mails about this channel',
    as: 'anonymous',
    given: linked(ofChannel),
    call,
    returns: { kind: 'channel', is_on: false },
    events: ({ channels }) => ({
      hamlet: [
        {
          type: 'subscription',
          op: 'update',
          stream_id: channels.public,
          property: 'email_notifications',
          value: false,
        },
      ],
    }),
  },
  {
    name: 'a link turns its e-mails on again',
    as: 'anonymous',
    given: linked(
      () => 'mentions',
      async (world) => world.chat.anonymous().settings.unsubscribe({ token: tokenOf(world) }),
    ),
    call: ['settings.unsubscribe', (world) => ({ token: tokenOf(world), is_undone: true })],
    returns: { kind: 'mentions', is_on: true },
    events: changed('enable_offline_email_notifications', true),
    state: async (world) => {
      const hamlet = await world.storage.read((tx) => tx.users.byId(world.users.hamlet));
      assert.equal(hamlet?.settings.enable_offline_email_notifications, true);
    },
  },
  {
    name: 'an unknown token is refused',
    as: 'anonymous',
    given: async () => undefined,
    call,
    refuses: { code: 'BAD_REQUEST', says: /does not work/ },
  },
  {
    name: 'a changed token is refused',
    as: 'anonymous',
    given: linked(
      () => 'mentions',
      async (world) => {
        const token = tokenOf(world);
        tokens.set(world, token.slice(0, -1) + (token.endsWith('0') ? '1' : '0'));
      },
    ),
    call,
    refuses: { code: 'BAD_REQUEST', says: /does not work/ },
  },
  {
    name: 'a link is refused for a deactivated account',
    as: 'anonymous',
    given: linked(
      () => 'mentions',
      ({ as, users }) => as('owner').users.deactivate({ user_id: users.hamlet }),
    ),
    call,
    refuses: { code: 'BAD_REQUEST', says: /does not work/ },
  },
  {
    name: 'a link about a channel is refused after the user left it',
    as: 'anonymous',
    given: linked(ofChannel, async (world) => {
      const channel = await world.storage.read((tx) => tx.channels.byId(world.channels.public));
      await world.as('hamlet').subscriptions.remove({ subscriptions: [channel?.name ?? ''] });
    }),
    call,
    refuses: { code: 'BAD_REQUEST', says: /not subscribed/ },
  },
]);
