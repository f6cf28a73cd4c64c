import type { Changes, PlainCalls } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';

export const matrix: PlainCalls = {
  'users.erase': ({ users }) => ({ user_id: users.cordelia }),
};

export const changes: Changes = {
  'users.erase': {
    'a member with a status, a draft and messages in a channel': async ({ as, users, chat }) => {
      const posting = { type: 'channel', to: CHANNELS.public, topic: 'castle', content: 'The ghost walks.' } as const;
      await as('moderator').subscriptions.add({ subscriptions: [{ name: CHANNELS.public }] });
      await as('moderator').userStatus.set({ status_text: 'In Elsinore' });
      await as('moderator').messages.send(posting);
      await as('administrator').users.erase({ user_id: users.moderator, messages: 'delete' });
      await chat.runDue();
      // No event tells the ID of the newest message that is left, so all get a new one.
      const { members } = await as('owner').users.list({});
      const to = members.filter(({ is_active, is_bot }) => is_active && !is_bot).map(({ user_id }) => user_id);
      await as('owner').messages.send({ type: 'direct', to, content: 'The ghost is gone.' });
    },
    'a member with bots': ({ as, users }) => as('administrator').users.erase({ user_id: users.hamlet }),
    'a user whom others mention': async ({ as, users, chat }) => {
      const { full_name } = (await as('owner').users.get({ user_id: users.cordelia })).user;
      await as('hamlet').messages.send({ type: 'direct', to: [users.guest], content: `@_**${full_name}** said so.` });
      await as('owner').users.erase({ user_id: users.cordelia, messages: 'anonymize' });
      await chat.runDue();
    },
    'a deactivated account, a guest and a bot': async ({ as, users }) => {
      for (const user of ['deactivated', 'guest', 'bot'] as const)
        await as('owner').users.erase({ user_id: users[user] });
    },
  },
};
