import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { ChatError, type Logger } from '../../lib/index.ts';
import { catalogue } from '../../lib/internal.ts';
import type { Operation } from '../../lib/operation/operation.ts';
import { ORGANIZATION_PERMISSIONS } from '../../lib/rules/permission-settings.ts';
import { ROLES, systemGroupId } from '../../lib/rules/roles.ts';
import { testChat } from '../../lib/testing/testing.ts';
import { featureEngines, testOn } from '../support/engines.ts';
import { until } from '../support/until.ts';

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** Refusals that depend on the caller. */
const REFUSED = /not allowed|^(Only|Guests|Bots) |as Notification Bot|can access|your own/i;

for (const engine of featureEngines) {
  describe(`chat.system() on ${engine.name}`, () => {
    const test = testOn(engine);

    async function open(t: TestContext) {
      const place = await engine.open();
      const made = await testChat({ storage: place.storage, logger: silent });
      t.after(async () => {
        await made.close();
        await place.dispose();
      });
      return { ...made, storage: place.storage, system: made.chat.system() };
    }

    /** No user has any permission, and all users are deactivated. */
    async function lockOut({ storage }: Awaited<ReturnType<typeof open>>) {
      await storage.write(async (tx) => {
        const roleNobody = systemGroupId('role:nobody');
        const settings = Object.fromEntries(Object.keys(ORGANIZATION_PERMISSIONS).map((key) => [key, roleNobody]));
        const organization = await tx.organization.get();
        await tx.organization.update({ settings: { ...organization?.settings, ...settings } });
        for (const id of await tx.users.activeIds(ROLES)) await tx.users.update(id, { is_active: false });
      });
    }

    test('a system session cannot revoke tokens, since it has no account', async (t) => {
      const { system } = await open(t);
      await assert.rejects(system.tokens.revoke(), { code: 'BAD_REQUEST' });
    });

    test('a system session works without permissions and with deactivated owners', async (t) => {
      const world = await open(t);
      const { people, channels, system } = world;
      const secret = await people.ada.channels.create({
        name: 'secret',
        invite_only: true,
        history_public_to_subscribers: false,
        subscribers: [people.ada.user_id],
      });
      const { id } = await people.ada.messages.send({ type: 'channel', to: secret.id, topic: 'plan', content: 'hush' });
      const direct = await people.ada.messages.send({ type: 'direct', to: [people.ben.user_id], content: 'hush' });
      await lockOut(world);
      const { messages } = await system.messages.list({ anchor: 'newest', num_before: 9, apply_markdown: false });
      assert.ok(messages.some((message) => message.id === id));
      await system.messages.edit({ message_id: id, content: 'removed' });
      await system.messages.edit({ message_id: id, topic: 'moved', propagate_mode: 'change_all' });
      const { message } = await system.messages.get({ message_id: direct.id, apply_markdown: false });
      assert.equal(message.content, 'hush');
      await system.messages.delete({ message_id: direct.id });
      await system.messages.send({ type: 'channel', to: secret.id, topic: 'moved', content: 'Closed.' });
      assert.deepEqual(
        (await system.topics.list({ stream_id: secret.id })).topics.map(({ name }) => name),
        ['moved', 'channel events'],
      );
      const fred = await system.users.create({ email: 'fred@example.com', full_name: 'Fred' });
      await system.users.edit({ user_id: fred.user_id, role: 100, new_email: 'freddy@example.com' });
      await system.subscriptions.add({ subscriptions: [{ name: 'secret' }], principals: [fred.user_id] });
      await system.channels.edit({ stream_id: channels.general, new_name: 'plaza', message_retention_days: 30 });
      await system.organization.edit({ name: 'Other' });
      await system.invites.send({ invitee_emails: 'g@example.com', stream_ids: [] });
      await system.channels.archive({ stream_id: secret.id });
    });

    test('objects of a system session have no creator, and its messages come from Notification Bot', async (t) => {
      const { chat, people, system } = await open(t);
      const seen: unknown[] = [];
      const events = await chat.on('event', ({ event }) => {
        if (event.type === 'message') seen.push([event.message.sender_full_name, event.message.client]);
        if (event.type === 'stream' && event.op === 'create') seen.push(event.streams.map((one) => one.creator_id));
        if (event.type === 'user_group' && event.op === 'add') seen.push(event.group.creator_id);
      });
      const { id } = await system.channels.create({
        name: 'orders',
        subscribers: [people.ben.user_id],
        announce: false,
      });
      await system.messages.send({ type: 'channel', to: id, topic: 'one', content: 'Paid.' });
      await system.userGroups.create({ name: 'buyers', description: '', members: [people.ben.user_id] });
      await events.caughtUp();
      assert.deepEqual(
        seen.filter((one) => !String(one).endsWith('Internal')),
        [[null], ['Notification Bot', 'system'], null],
      );
      assert.equal((await people.ben.channels.get({ stream_id: id })).stream.creator_id, null);
      const subscribers = await system.channels.subscribers({ stream_id: id });
      assert.deepEqual(subscribers.subscribers, [people.ben.user_id]);
    });

    test('the audit log shows a system session as system, not as an account', async (t) => {
      const { chat, people, system } = await open(t);
      await system.users.edit({ user_id: people.ben.user_id, full_name: 'Benno' });
      await people.ada.users.edit({ user_id: people.ben.user_id, full_name: 'Ben' });
      await assert.rejects(system.users.edit({ user_id: 999, full_name: 'X' }));
      const entries = await chat.auditLog({ action: 'users.edit' });
      assert.deepEqual(
        entries.map(({ user_id, client, status }) => [user_id, client, status]),
        [
          [null, 'system', 200],
          [people.ada.user_id, 'Parlance', 200],
          [null, 'system', 400],
        ],
      );
    });

    test('a system session is refused for operations on its own account', async (t) => {
      const { system, people } = await open(t);
      const refused = (error: unknown) =>
        error instanceof ChatError && /^chat\.system\(\) has no account/.test(error.message);
      await assert.rejects(system.users.deactivateMe(), refused);
      await assert.rejects(system.tokens.create({}), refused);
      await assert.rejects(system.subscriptions.add({ subscriptions: [{ name: 'general' }] }), refused);
      await assert.rejects(system.subscriptions.remove({ subscriptions: ['general'] }), refused);
      await people.ada.users.deactivate({ user_id: people.ben.user_id });
    });

    test('a system session can use why, dry runs, listen and idempotency keys', async (t) => {
      const { system, people, channels } = await open(t);
      const { allowed } = await system.why(people.finn.user_id, 'channels.create', { name: 'x', subscribers: [] });
      assert.equal(allowed, false);
      const { answer } = await system.dryRun.channels.create({ name: 'x', subscribers: [] });
      assert.ok(answer.id > 0);
      const message = { type: 'channel', to: channels.general, topic: 'a', content: 'once' } as const;
      const first = await system.messages.send({ ...message, idempotency_key: 'k' });
      assert.deepEqual(await system.messages.send({ ...message, idempotency_key: 'k' }), first);
      const heard: number[] = [];
      const ending = new AbortController();
      let onQueue = () => {};
      const registered = new Promise<void>((resolve) => {
        onQueue = resolve;
      });
      const listening = (async () => {
        for await (const event of system.listen({ event_types: ['realm_user'], onQueue, signal: ending.signal }))
          heard.push(event.id);
      })();
      await registered;
      await system.users.edit({ user_id: people.ben.user_id, full_name: 'Benno' });
      await until('the queue has the event', () => heard.length > 0);
      ending.abort();
      await listening;
    });

    test('no operation refuses a system session for its role or permissions', async (t) => {
      const world = await open(t);
      const { ada } = world.people;
      for (const name of ['two', 'three'])
        await ada.channels.create({ name, invite_only: true, subscribers: [ada.user_id] });
      for (let at = 0; at < 9; at++)
        await ada.messages.send({ type: 'channel', to: 'three', topic: 'a', content: 'b' });
      await lockOut(world);
      const refusals: string[] = [];
      const removes = ({ name }: Operation) => Number(/\.(delete|archive)/.test(name));
      const operations = [...(catalogue as readonly Operation[])].sort((a, b) => removes(a) - removes(b));
      for (const operation of operations) {
        if (operation.ownAccount || operation.effect === 'poll') continue;
        const [group = '', action] = operation.name.split('.');
        const methods = world.system as unknown as Record<string, Record<string, unknown>>;
        const method = action === undefined ? methods[group] : methods[group]?.[action];
        await (method as unknown as (given: object) => Promise<unknown>)(operation.example ?? {}).catch((error) => {
          if (!(error instanceof ChatError)) throw error;
          const isOfRights =
            ['UNAUTHORIZED', 'UNAUTHORIZED_PRINCIPAL'].includes(String(error.code)) && operation.access !== 'anyone';
          if (isOfRights || (error.code === 'BAD_REQUEST' && REFUSED.test(error.message)))
            refusals.push(`${operation.name}: ${error.message}`);
        });
      }
      assert.deepEqual(refusals, []);
    });
  });
}
