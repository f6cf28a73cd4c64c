import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Explanation, OperationName } from '../../lib/index.ts';
import { featureEngines } from '../world/copies.ts';
import { CHANNELS, type UserName } from '../world/fixture.ts';
import { registerPhone } from '../world/relay.ts';
import type { World } from '../world/world.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Calls of the administrator, who is in no direct conversation of others. */
function ask(world: World, about: UserName, operation: OperationName, call: object): Promise<Explanation> {
  return world.as('administrator').why(world.users[about], operation as 'register', call);
}

const withoutUser = ({ user, ...answer }: Explanation) => answer;

for (const engine of featureEngines) {
  describe(`responses about hidden data on ${engine.name}`, { skip: engine.skip ?? false }, () => {
    const inWorld = (name: string, work: (world: World) => Promise<void>) =>
      test(name, async () => {
        const world = await engine.world();
        try {
          await work(world);
        } finally {
          await world.close();
        }
      });

    inWorld('why does not show an administrator the participants of a direct conversation', async (world) => {
      const call = { emoji_name: 'tada' };
      const about = (user: UserName, message_id: number) =>
        ask(world, user, 'messages.addReaction', { ...call, message_id });
      const participant = await about('hamlet', world.messages.direct);
      assert.equal(participant.decision, 'undecided');
      assert.equal(participant.allowed, false);
      assert.equal(participant.refusal, undefined);
      for (const other of [about('moderator', world.messages.direct), about('hamlet', 9_999)]) {
        const { steps, ...answer } = await other;
        assert.deepEqual(withoutUser({ ...answer, steps: [] }), withoutUser({ ...participant, steps: [] }));
        assert.equal(steps.length, participant.steps.length);
      }
    });

    inWorld('why does not confirm a guess of the text of a direct message', async (world) => {
      const to = [world.users.cordelia];
      const { id } = await world.as('hamlet').messages.send({ type: 'direct', to, content: 'Are you there?' });
      const guess = (text: string) =>
        ask(world, 'hamlet', 'messages.edit', { message_id: id, content: 'x', prev_content_sha256: sha256(text) });
      assert.deepEqual(await guess('Are you there?'), await guess('Are you here?'));
    });

    inWorld(
      'why does not show an administrator reactions, mutes, drafts and scheduled messages of others',
      async (world) => {
        const { users, messages, as } = world;
        const draft = { type: 'stream', to: [world.channels.public], topic: 'x', content: 'y' } as const;
        const draft_id = (await as('hamlet').drafts.create({ drafts: [draft] })).ids[0] as number;
        const { scheduled_message_id } = await as('hamlet').scheduledMessages.create({
          type: 'direct',
          to: [users.cordelia],
          content: 'x',
          scheduled_delivery_timestamp: Math.floor(world.clock.now() / 1000) + 3_600,
        });
        const questions = {
          'messages.removeReaction': { message_id: messages.direct, emoji_name: 'tada' },
          'mutedUsers.add': { muted_user_id: users.cordelia },
          'mutedUsers.remove': { muted_user_id: users.cordelia },
          'drafts.edit': { draft_id, draft },
          'drafts.remove': { draft_id },
          'scheduledMessages.delete': { scheduled_message_id },
        } as const;
        const answers = async () => {
          const given: Record<string, Explanation> = {};
          for (const [name, call] of Object.entries(questions))
            given[name] = await ask(world, 'hamlet', name as OperationName, call);
          return given;
        };
        const before = await answers();
        assert.deepEqual([...new Set(Object.values(before).map(({ decision }) => decision))], ['undecided']);
        await as('hamlet').messages.addReaction({ message_id: messages.direct, emoji_name: 'tada' });
        await as('hamlet').mutedUsers.add({ muted_user_id: users.cordelia });
        await as('hamlet').drafts.remove({ draft_id });
        await as('hamlet').scheduledMessages.delete({ scheduled_message_id });
        assert.deepEqual(await answers(), before);
      },
    );

    inWorld('why about a message that the caller can read follows the rules', async (world) => {
      const message_id = world.messages.ghost;
      const refused = await ask(world, 'cordelia', 'messages.delete', { message_id });
      assert.equal(refused.decision, 'refused');
      assert.deepEqual(refused, await world.chat.why(world.users.cordelia, 'messages.delete', { message_id }));
      assert.equal(
        (await ask(world, 'cordelia', 'messages.addReaction', { message_id, emoji_name: 'tada' })).decision,
        'allowed',
      );
      const { id } = await world
        .as('administrator')
        .messages.send({ type: 'direct', to: [world.users.hamlet], content: 'x' });
      const [shared, foreign] = await Promise.all(
        (['hamlet', 'cordelia'] as const).map((about) =>
          ask(world, about, 'messages.addReaction', { message_id: id, emoji_name: 'tada' }),
        ),
      );
      assert.deepEqual([shared?.decision, foreign?.decision], ['allowed', 'refused']);
    });

    inWorld('why about another user is in the audit log, without the parameters', async (world) => {
      await ask(world, 'hamlet', 'messages.send', { type: 'direct', to: [world.users.cordelia], content: 'A secret' });
      await world.as('administrator').why(world.users.administrator, 'users.me');
      await world.chat.why(world.users.hamlet, 'users.me');
      const entries = await world.chat.auditLog({ action: 'why' });
      assert.deepEqual(
        entries.map(({ user_id, details }) => ({ user_id, details })),
        [{ user_id: world.users.administrator, details: { user_id: world.users.hamlet, operation: 'messages.send' } }],
      );
    });

    inWorld('a dry run does not show whether the recipient has a phone', async (world) => {
      // PostgreSQL does not reuse an ID, so contents are not compared.
      const trial = async (user: UserName) => {
        const call = { type: 'direct', to: [world.users.cordelia], content: 'Hello' } as const;
        const { events, side_effects } = await world.as(user).dryRun.messages.send(call);
        return [events.map(({ type, recipients }) => ({ type, recipients })), side_effects];
      };
      const before = [await trial('hamlet'), await trial('administrator')];
      assert.deepEqual(before, [
        [[{ type: 'message', recipients: {} }], []],
        [[{ type: 'message', recipients: {} }], []],
      ]);
      await registerPhone(world, 'cordelia');
      assert.deepEqual([await trial('hamlet'), await trial('administrator')], before);
    });

    inWorld('a dry run does not show the other recipients of an event', async (world) => {
      const trial = () =>
        world.as('administrator').dryRun.messages.addReaction({ message_id: world.messages.ghost, emoji_name: 'tada' });
      const before = await trial();
      assert.deepEqual(
        before.events.map(({ type, recipients }) => [type, recipients]),
        [['reaction', { channel: world.channels.public }]],
      );
      const { messages } = world;
      await world.as('moderator').messages.updateFlags({ messages: [messages.ghost], op: 'add', flag: 'starred' });
      assert.deepEqual(await trial(), before);
    });

    inWorld('a dry run of the code of the host lists events and side effects for all users', async (world) => {
      await registerPhone(world, 'cordelia');
      const { events, side_effects } = await world.chat
        .system()
        .dryRun.messages.send({ type: 'channel', to: CHANNELS.public, topic: 'x', content: '@**Cordelia**' });
      assert.ok(events.some(({ type }) => type === 'message'));
      assert.deepEqual(
        side_effects.map(({ kind, payload }) => [kind, typeof payload]),
        [['push-message', 'object']],
      );
    });
  });
}
