import type { Changes, PlainCalls, ScalingCalls } from '../../../world/calls.ts';
import { CHANNELS } from '../../../world/fixture.ts';
import type { World } from '../../../world/world.ts';
import { say } from '../in-worlds.ts';

const said = (world: World, content: string) => say(world, 'hamlet', world.channels.public, 'x', content);

export const matrix: PlainCalls = {
  'messages.send': ({ channels }) => ({ type: 'channel', to: channels.public, topic: 'x', content: 'y' }),
  'messages.render': () => ({ content: '*word*' }),
};

export const changes: Changes = {
  'messages.send': {
    'a message in a public channel': ({ as }) =>
      as('hamlet').messages.send({ type: 'channel', to: 'Denmark', topic: 'x', content: 'y' }),
    'a message in a new topic of a private channel': ({ as }) =>
      as('cordelia').messages.send({ type: 'channel', to: 'Vault', topic: 'x', content: 'y' }),
    'a message without a topic': ({ as }) =>
      as('guest').messages.send({ type: 'channel', to: 'Square', topic: '', content: 'y' }),
    'a mention of a user': (world) => said(world, 'Where is @**Cordelia**?'),
    'a mention of a group that contains the sender': (world) => said(world, '@*kitchen*'),
    'a mention of all in a channel': (world) => said(world, '@**all** @**Cordelia**'),
    'a mention of all in a topic': (world) => said(world, '@**topic**'),
    'a mention of all in a direct message': ({ as, users }) =>
      as('hamlet').messages.send({ type: 'direct', to: [users.cordelia], content: '@**all**' }),
    'a direct message': ({ as, users }) =>
      as('administrator').messages.send({ type: 'direct', to: [users.cordelia], content: 'y' }),
    'a group message': ({ as, users }) =>
      as('hamlet').messages.send({ type: 'direct', to: [users.cordelia, users.moderator], content: 'y' }),
    'the first message of a channel': ({ as }) =>
      as('newcomer').messages.send({ type: 'channel', to: CHANNELS.quiet, topic: 'x', content: 'y' }),
    'the first message of a private channel': async ({ as, users, channels }) => {
      const { id } = await as('hamlet').channels.create({ name: 'New', invite_only: true, subscribers: [users.guest] });
      await as('owner').organization.edit({ send_channel_events_messages: false });
      const other = await as('hamlet').channels.create({
        name: 'Other',
        invite_only: true,
        subscribers: [users.guest],
      });
      for (const to of [id, other.id, channels.default])
        await as('guest').messages.send({ type: 'channel', to, topic: 'x', content: 'y' });
    },
    'a message to a guest from a user without a shared channel': ({ as, users }) =>
      as('moderator').messages.send({ type: 'direct', to: [users.guest], content: 'y' }),
    'a message to several users with two guests among them': async ({ as, users }) => {
      const second = (await as('owner').users.list()).members.find(({ full_name }) => full_name === 'Stranger');
      const to = [users.guest, users.administrator, users.bot, ...(second ? [second.user_id] : [])];
      for (const content of ['one', 'two']) await as('moderator').messages.send({ type: 'direct', to, content });
    },
    'a message to oneself': ({ as, users }) =>
      as('hamlet').messages.send({ type: 'direct', to: [users.hamlet], content: 'y' }),
  },
};

export const statements: ScalingCalls = {
  'messages.send': {
    'to a channel': ({ world, crowded }) => say(world, 'hamlet', crowded, 'x'),
    'to several users': ({ world, users }) =>
      world.as('hamlet').messages.send({ type: 'direct', to: users, content: 'x' }),
  },
};
