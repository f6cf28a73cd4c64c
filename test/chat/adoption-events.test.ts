import { test } from 'node:test';
import { Clients, ORGANIZATIONS } from '../domains/truth.ts';
import { sqliteEngine } from '../world/copies.ts';

const REGISTRATION = {
  archived_channels: true,
  include_subscribers: true,
  client_capabilities: {
    archived_channels: true,
    include_deactivated_groups: true,
    empty_topic_name: true,
    notification_settings_null: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
  },
};

for (const [organization, prepare] of Object.entries(ORGANIZATIONS)) {
  for (const invite_only of [false, true]) {
    const kind = invite_only ? 'private' : 'public';
    test(`events of an adopted ${kind} channel and group give the right state, where ${organization}`, async (t) => {
      const world = await sqliteEngine.world();
      t.after(() => world.close());
      const { chat, users, emails } = world;
      const observers = await prepare(world);
      const hamlet = world.as('hamlet');
      const subscribers = [users.hamlet, users.cordelia, users.guest, users.bot];
      const { id: stream_id } = await hamlet.channels.create({ name: 'Board', invite_only, subscribers });
      const setting = { direct_members: [users.hamlet, users.moderator], direct_subgroups: [] };
      await hamlet.channels.edit({
        stream_id,
        can_administer_channel_group: { new: setting },
        can_add_subscribers_group: { new: setting },
      });
      const owner = world.as('owner');
      const { group_id } = await owner.userGroups.create({ name: 'Heirs', description: '', members: subscribers });
      const inner = await owner.userGroups.create({ name: 'Uncles', description: '', members: [users.moderator] });
      await owner.userGroups.updateMembers({ user_group_id: group_id, add_subgroups: [inner.group_id] });
      await owner.userGroups.edit({ user_group_id: group_id, can_join_group: { new: setting } });
      await owner.channels.edit({ stream_id, can_subscribe_group: { new: group_id } }).catch(() => undefined);
      const clients = new Clients(world);
      await clients.register(observers, [REGISTRATION]);
      const { counts } = await chat.sync(
        {
          channels: [{ external_id: 'b', name: 'Board' }],
          groups: [{ external_id: 'h', name: 'Heirs' }],
          users: [
            { external_id: 'c', name: 'Cordelia', email: emails.cordelia, channels: ['b'], groups: ['h'] },
            { external_id: 'h', name: 'Hamlet', email: emails.hamlet },
          ],
        },
        { adopt: 'reset' },
      );
      if (counts.adopted !== 4) throw new Error(`The sync did something else: ${JSON.stringify(counts)}`);
      await clients.take();
      await clients.compare();
    });
  }
}
