import { type Changes, type PlainCalls, type ScalingCalls, UNSEEN } from '../../../world/calls.ts';
import { say } from '../in-worlds.ts';

export const matrix: PlainCalls = {
  'typing.send': ({ users }) => ({ op: 'start', to: [users.moderator] }),
  'typing.sendEdit': async (world) => ({
    message_id: await say(world, 'cordelia', world.channels.public, 'ghosts'),
    op: 'start',
  }),
};

export const changes: Changes = { 'typing.send': UNSEEN, 'typing.sendEdit': UNSEEN };

export const statements: ScalingCalls = {
  'typing.send': ({ world, users }) => world.as('cordelia').typing.send({ op: 'start', to: users.slice(0, 2) }),
};
