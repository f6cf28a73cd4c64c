import { type Changes, type PlainCalls, type ScalingCalls, type Stored, UNSEEN } from '../../../world/calls.ts';
import { accept, invite, keyOf, latestId, link } from './keys.ts';

export const matrix: PlainCalls = {
  'invites.send': () => ({ invitee_emails: 'horatio@example.com', stream_ids: [] }),
  'invites.resend': async (world) => {
    await invite(world, 'hamlet');
    return { invite_id: await latestId(world) };
  },
  'invites.revoke': async (world) => {
    await invite(world, 'hamlet');
    return { invite_id: await latestId(world) };
  },
  'invites.revokeMultiuse': async (world) => {
    await world.settings({ create_multiuse_invite_group: 6 });
    await link(world, 'hamlet');
    return { invite_id: await latestId(world) };
  },
  'invites.preview': async (world) => {
    await invite(world, 'hamlet');
    return { key: keyOf(world) };
  },
  'invites.confirmAddress': async (world) => ({ key: await link(world, 'owner'), email: 'horatio@example.com' }),
  'invites.accept': async (world) => {
    await invite(world, 'hamlet');
    return { key: keyOf(world), full_name: 'Horatio' };
  },
  'invites.tryWelcome': () => ({ welcome_message_custom_text: 'Be **welcome**.' }),
};

export const changes: Changes = {
  'invites.send': UNSEEN,
  'invites.createMultiuse': UNSEEN,
  'invites.resend': UNSEEN,
  'invites.revoke': UNSEEN,
  'invites.revokeMultiuse': UNSEEN,
  'invites.confirmAddress': UNSEEN,
  'invites.tryWelcome': {
    'to the own account': ({ as }) =>
      as('administrator').invites.tryWelcome({ welcome_message_custom_text: 'Be **welcome**.' }),
  },
  'invites.accept': {
    'a member in channels and groups, with a welcome': async (world) => {
      const { channels, groups } = world;
      const key = await invite(world, 'administrator', {
        stream_ids: [channels.public, channels.webPublic],
        include_realm_default_subscriptions: true,
        welcome_message_custom_text: 'Be **welcome**.',
      });
      await accept(world, key);
      const owners = await invite(world, 'owner', {
        invitee_emails: 'marcellus@example.com',
        group_ids: [groups.kitchen, groups.cooks],
        invite_as: 300,
      });
      await accept(world, owners, { full_name: 'Marcellus' });
    },
    'a guest in a private channel, by a link': async (world) => {
      await world.settings({ create_multiuse_invite_group: 6 });
      const key = await link(world, 'cordelia', { stream_ids: [world.channels.protected], invite_as: 600 });
      await accept(world, key, { email: 'osric@example.com', full_name: 'Osric' });
    },
  },
};

export const statements: ScalingCalls = {
  'invites.list': ({ world }) => world.as('owner').invites.list(),
  'invites.send': ({ world, users }) =>
    world.as('owner').invites.send({
      invitee_emails: users.map((_, at) => `invited${at}@example.com`).join(),
      stream_ids: [],
    }),
  'invites.createMultiuse': ({ world }) => link(world, 'owner', { stream_ids: [world.channels.public] }),
  'invites.resend': async ({ world }) => {
    await world.as('owner').invites.send({ invitee_emails: 'marcellus@example.com', stream_ids: [] });
    const { invites } = await world.as('owner').invites.list();
    return world.as('owner').invites.resend({ invite_id: invites.at(-1)?.id as number });
  },
  'invites.preview': async ({ world }) =>
    world.chat
      .anonymous()
      .invites.preview({ key: await link(world, 'owner', { stream_ids: [world.channels.public] }) }),
  'invites.accept': async ({ world }) => {
    const { channels, groups } = world;
    const offer = { stream_ids: [channels.public, channels.quiet], group_ids: [groups.kitchen, groups.cooks] };
    return accept(world, await link(world, 'owner', offer), { email: 'osric@example.com' });
  },
};

// Without the daily count: it also counts accounts that a refusal names, see revealed-addresses.test.ts.
export const stored: Stored = async (tx) => ({
  pending: await tx.invitations.pending(0),
  reminder: await tx.invitations.nextReminder(),
  confirmations: await tx.outbox.nextDue('address'),
});
