import assert from 'node:assert/strict';
import { describe, type TestContext } from 'node:test';
import { testOn } from '../support/engines.ts';
import { featureEngines, type WorldEngine } from '../world/copies.ts';
import type { UserName } from '../world/fixture.ts';
import { serving } from '../world/transports.ts';
import { newestId, posted, uploaded } from '../world/uploads.ts';
import type { World } from '../world/world.ts';
import { basic } from './running.ts';

async function worldOf(t: TestContext, engine: WorldEngine): Promise<World> {
  const world = await engine.world();
  t.after(() => world.close());
  return world;
}

type Reader = UserName | 'anonymous';

/** The status of the file for each reader. All refusals have the same text. */
async function assertStatuses(world: World, url: string, expected: Partial<Record<Reader, number>>): Promise<void> {
  await serving(world, async (site) => {
    const got: Partial<Record<Reader, number>> = {};
    for (const reader of Object.keys(expected) as Reader[]) {
      const headers =
        reader === 'anonymous'
          ? undefined
          : { authorization: basic(world.emails[reader], await world.chat.apiKeyOf(world.users[reader])) };
      const answer = await fetch(site + url, headers ? { headers } : {});
      got[reader] = answer.status;
      const text = await answer.text();
      if (answer.status === 200) assert.equal(text, 'To be');
      else if (answer.status !== 401) {
        const said = { result: 'error', msg: 'There is no such file, or you may not read it.', code: 'BAD_REQUEST' };
        assert.deepEqual(JSON.parse(text), said);
      }
    }
    assert.deepEqual(got, expected);
  });
}

const edit = (world: World, user: UserName, message_id: number, content: string) =>
  world.as(user).messages.edit({ message_id, content });

interface AccessCase {
  name: string;
  /** Prepares the case and returns the URL of the file. */
  given(world: World): Promise<string>;
  statuses: Partial<Record<Reader, number>>;
}

const link = (url: string) => `See [it](${url})`;

const CASES: readonly AccessCase[] = [
  {
    name: 'a file without links can be read only by its owner',
    given: ({ as }) => uploaded(as('hamlet')),
    statuses: { hamlet: 200, owner: 404, cordelia: 404, guest: 404, bot: 404, anonymous: 401 },
  },
  {
    name: 'a file in a direct message can be read by its participants',
    given: async ({ as, users }) => {
      const url = await uploaded(as('hamlet'));
      await as('hamlet').messages.send({ type: 'direct', to: [users.cordelia, users.guest], content: link(url) });
      return url;
    },
    statuses: { hamlet: 200, cordelia: 200, guest: 200, owner: 404, moderator: 404 },
  },
  {
    name: 'a file in a public channel can be read by all users except guests',
    given: async (world) => (await posted(world, 'hamlet', 'public')).url,
    statuses: { cordelia: 200, owner: 200, newcomer: 200, guest: 404, anonymous: 401 },
  },
  {
    name: 'a file in a private channel can be read by its subscribers',
    given: async (world) => (await posted(world, 'hamlet', 'shared')).url,
    statuses: { hamlet: 200, moderator: 200, cordelia: 404, guest: 404, owner: 404 },
  },
  {
    name: 'a file in a private channel cannot be read after unsubscribing',
    given: async (world) => {
      const { url } = await posted(world, 'hamlet', 'shared');
      await world.as('moderator').subscriptions.remove({ subscriptions: ['Council'] });
      return url;
    },
    statuses: { hamlet: 200, moderator: 404 },
  },
  {
    name: 'a file in protected history can be read by users who received the message',
    given: async (world) => {
      const { url } = await posted(world, 'cordelia', 'protected');
      await world.as('cordelia').subscriptions.add({
        subscriptions: [{ name: 'Vault' }],
        principals: [world.users.newcomer],
        send_new_subscription_messages: false,
      });
      return url;
    },
    statuses: { cordelia: 200, guest: 200, newcomer: 404, hamlet: 404 },
  },
  {
    name: 'a file in a web-public channel can be read without login, if spectators are allowed',
    given: async (world) => {
      const { url } = await posted(world, 'hamlet', 'webPublic');
      await world.settings({ enable_spectator_access: true });
      return url;
    },
    statuses: { guest: 200, cordelia: 200, anonymous: 200 },
  },
  {
    name: 'a file in an archived web-public channel cannot be read without login',
    given: async (world) => {
      const { url } = await posted(world, 'hamlet', 'webPublic');
      await world.settings({ enable_spectator_access: true });
      await world.as('owner').channels.archive({ stream_id: world.channels.webPublic });
      return url;
    },
    statuses: { cordelia: 200, anonymous: 404 },
  },
  {
    name: 'a file in another channel cannot be read without login',
    given: async (world) => {
      const { url } = await posted(world, 'hamlet', 'public');
      await world.settings({ enable_spectator_access: true });
      return url;
    },
    statuses: { cordelia: 200, anonymous: 404 },
  },
  {
    name: 'a file of a deleted message can be read only by its owner',
    given: async (world) => {
      const { url, message_id } = await posted(world, 'hamlet', 'public');
      await world.as('owner').messages.delete({ message_id });
      return url;
    },
    statuses: { hamlet: 200, cordelia: 404, owner: 404 },
  },
  {
    name: 'a file that an edit removed from a message can be read only by its owner',
    given: async (world) => {
      const { url, message_id } = await posted(world, 'hamlet', 'public');
      await edit(world, 'hamlet', message_id, 'Nothing to see');
      return url;
    },
    statuses: { hamlet: 200, cordelia: 404 },
  },
  {
    name: 'a file that an edit added to a message can be read by readers of the message',
    given: async (world) => {
      const url = await uploaded(world.as('hamlet'));
      const { public: to } = world.channels;
      const { id } = await world.as('hamlet').messages.send({ type: 'channel', to, topic: 'x', content: 'Look' });
      await edit(world, 'hamlet', id, link(url));
      return url;
    },
    statuses: { cordelia: 200, owner: 200, guest: 404 },
  },
  {
    name: 'a file of a moved message can be read by readers of the new channel',
    given: async (world) => {
      const { url, message_id } = await posted(world, 'hamlet', 'shared');
      await world.as('moderator').messages.edit({ message_id, stream_id: world.channels.quiet });
      return url;
    },
    statuses: { hamlet: 200, moderator: 200, cordelia: 200, guest: 404 },
  },
  {
    name: 'a file that a reader links in another channel can be read there',
    given: async (world) => {
      const { url } = await posted(world, 'hamlet', 'shared');
      const { quiet } = world.channels;
      await world.as('moderator').messages.send({ type: 'channel', to: quiet, topic: 'x', content: link(url) });
      return url;
    },
    statuses: { cordelia: 200, guest: 404 },
  },
  {
    name: 'a link by a user who cannot read the file gives no access',
    given: async (world) => {
      const url = await uploaded(world.as('hamlet'));
      const { public: to } = world.channels;
      await world.as('cordelia').messages.send({ type: 'channel', to, topic: 'x', content: link(url) });
      return url;
    },
    statuses: { hamlet: 200, cordelia: 404, owner: 404 },
  },
  {
    name: 'a full link in a quote gives access, besides a link in code',
    given: async (world) => {
      const url = await uploaded(world.as('hamlet'));
      const content = `\`${url}\`\n\n> https://chat.example.com${url}`;
      const { public: to } = world.channels;
      await world.as('hamlet').messages.send({ type: 'channel', to, topic: 'x', content });
      return url;
    },
    statuses: { cordelia: 200 },
  },
  {
    name: 'a link only in code gives no access',
    given: async (world) => {
      const url = await uploaded(world.as('hamlet'));
      const { public: to } = world.channels;
      await world.as('hamlet').messages.send({ type: 'channel', to, topic: 'x', content: `\`[a](${url})\`` });
      return url;
    },
    statuses: { cordelia: 404 },
  },
  {
    name: 'a removed file cannot be read by any user',
    given: async (world) => {
      const { url } = await posted(world, 'hamlet', 'public');
      await world.as('hamlet').uploads.remove({ attachment_id: await newestId(world, 'hamlet') });
      return url;
    },
    statuses: { hamlet: 404, cordelia: 404 },
  },
  {
    name: 'a file of a deactivated user stays readable for others, but not for the user',
    given: async (world) => {
      const { url } = await posted(world, 'hamlet', 'public');
      await world.as('owner').users.deactivate({ user_id: world.users.hamlet });
      return url;
    },
    statuses: { hamlet: 401, cordelia: 200 },
  },
];

for (const engine of featureEngines) {
  const test = testOn(engine);
  describe(`access to uploaded files, on ${engine.name}`, () => {
    for (const { name, given, statuses } of CASES) {
      test(name, async (t) => {
        const world = await worldOf(t, engine);
        await assertStatuses(world, await given(world), statuses);
        assert.deepEqual(world.failures, []);
      });
    }
  });
}
