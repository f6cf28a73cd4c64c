import { editOrganization } from '../../lib/domains/organization/settings/edit.ts';
import type { Chat, Storage } from '../../lib/index.ts';
import { systemGroupId } from '../../lib/rules/roles.ts';
import type { ManualClock } from '../support/manual-clock.ts';
import type { Params } from './case.ts';
import { png } from './pictures.ts';

/** Monday, 2 March 2026, 09:00 UTC: when the fixture organization was created. */
export const FOUNDED = Date.UTC(2026, 2, 2, 9);

/** Settings by which guests see only users who share a channel or conversation with them. */
export const RESTRICTED = { can_access_all_users_group: systemGroupId('role:members') };

export const PASSWORD = 'correct horse battery';

export const USER_NAMES = [
  'owner',
  'secondOwner',
  'administrator',
  'moderator',
  'hamlet',
  'cordelia',
  'newcomer',
  'guest',
  'bot',
  'webhook',
  'deactivated',
] as const;
export type UserName = (typeof USER_NAMES)[number];

export type ChannelName = 'public' | 'quiet' | 'webPublic' | 'shared' | 'protected' | 'archived' | 'default';

export const CHANNELS: Readonly<Record<ChannelName, string>> = {
  public: 'Denmark',
  quiet: 'Norway',
  webPublic: 'Harbour',
  shared: 'Council',
  protected: 'Vault',
  archived: 'Ruins',
  default: 'Square',
};

/** IDs of everything in the fixture, by the names that tests use. */
export interface Fixture {
  users: Record<UserName, number>;
  emails: Record<UserName, string>;
  channels: Record<ChannelName, number>;
  groups: Record<'kitchen' | 'cooks' | 'disbanded' | 'hamletcharacters', number>;
  folders: Record<'plays' | 'oldPlays', number>;
  /** IDs in the form that reactions use. */
  emoji: Record<'yorick' | 'jester', string>;
  messages: Record<
    'ghost' | 'ghostReply' | 'council' | 'vaultBefore' | 'vaultAfter' | 'harbour' | 'ruins' | 'direct' | 'group',
    number
  >;
}

const emails: Record<UserName, string> = {
  owner: 'owner@example.com',
  secondOwner: 'second-owner@example.com',
  administrator: 'administrator@example.com',
  moderator: 'moderator@example.com',
  hamlet: 'Hamlet@example.com',
  cordelia: 'cordelia@example.com',
  newcomer: 'newcomer@example.com',
  guest: 'guest@example.com',
  bot: 'clerk-bot@chat.example.com',
  webhook: 'hook-bot@chat.example.com',
  deactivated: 'yorick@example.com',
};

/**
 * One organization with every role, every kind of channel and group, and custom emoji in use and deactivated. The
 * newcomer joined thirty days after the others. The clock shows that moment.
 */
export async function buildFixture(chat: Chat, storage: Storage, clock: ManualClock): Promise<Fixture> {
  const users = {} as Fixture['users'];
  const founder = await chat.createOrganization({
    name: 'Elsinore',
    description: 'A castle by the *sea*',
    owner: { email: emails.owner, full_name: 'Olivia Owner', password: PASSWORD },
  });
  users.owner = founder.user_id;
  const owner = chat.as(users.owner);
  const create = async (name: UserName, full_name: string, role: 100 | 200 | 300 | 400 | 600, password?: string) => {
    const made = await owner.users.create({ email: emails[name], full_name, role, ...(password ? { password } : {}) });
    users[name] = made.user_id;
  };
  await create('secondOwner', 'Silvia Second', 100);
  await create('administrator', 'Adam Administrator', 200);
  await create('moderator', 'Mona Moderator', 300);
  await create('hamlet', 'Hamlet', 400, PASSWORD);
  await create('cordelia', 'Cordelia', 400);
  await create('guest', 'Gus Guest', 600);
  await create('deactivated', 'Yorick', 400, PASSWORD);
  const hamlet = chat.as(users.hamlet);
  const cordelia = chat.as(users.cordelia);
  users.bot = (await hamlet.bots.create({ full_name: 'Clerk', short_name: 'clerk' })).user_id;
  users.webhook = (await hamlet.bots.create({ full_name: 'Hook', short_name: 'hook', bot_type: 2 })).user_id;

  await owner.organization.edit({ enable_spectator_access: true });
  const channels = {} as Fixture['channels'];
  const open = async (
    name: ChannelName,
    subscribers: UserName[],
    settings: Omit<Parameters<typeof owner.channels.create>[0], 'name' | 'subscribers'> = {},
  ) => {
    const made = await owner.channels.create({
      name: CHANNELS[name],
      description: `All about ${CHANNELS[name]}`,
      subscribers: subscribers.map((one) => users[one]),
      ...settings,
    });
    channels[name] = made.id;
  };
  await open('public', ['administrator', 'hamlet', 'cordelia', 'deactivated']);
  await open('quiet', []);
  await open('webPublic', ['hamlet', 'guest'], { is_web_public: true });
  await open('shared', ['moderator', 'hamlet'], { invite_only: true, history_public_to_subscribers: true });
  await open('protected', ['cordelia'], { invite_only: true });
  await open('archived', ['hamlet']);
  await open('default', ['hamlet', 'guest'], { is_default_stream: true });
  await owner.organization.edit({ enable_spectator_access: false });

  const messages = {} as Fixture['messages'];
  const send = async (
    name: keyof Fixture['messages'],
    from: typeof owner,
    to: ChannelName,
    topic: string,
    content: string,
  ) => {
    messages[name] = (await from.messages.send({ type: 'channel', to: channels[to], topic, content })).id;
  };
  await send('ghost', hamlet, 'public', 'ghosts', 'Something is **rotten** here.');
  await send('ghostReply', cordelia, 'public', 'ghosts', 'Who is there?');
  await send('council', hamlet, 'shared', 'plans', 'The play is the thing.');
  await send('vaultBefore', cordelia, 'protected', 'gold', 'Counted: nine bars.');
  await cordelia.subscriptions.add({
    subscriptions: [{ name: CHANNELS.protected }],
    principals: [users.guest],
    send_new_subscription_messages: false,
  });
  await send('vaultAfter', cordelia, 'protected', 'gold', 'Counted again: eight.');
  await send('harbour', hamlet, 'webPublic', 'ships', 'Three ships came in.');
  await send('ruins', hamlet, 'archived', 'stones', 'Nothing stands here.');
  messages.direct = (
    await hamlet.messages.send({ type: 'direct', to: [users.cordelia], content: 'Are you there?' })
  ).id;
  const company = [users.cordelia, users.moderator];
  messages.group = (await hamlet.messages.send({ type: 'direct', to: company, content: 'Supper at eight.' })).id;

  await owner.channels.archive({ stream_id: channels.archived });
  await owner.users.deactivate({ user_id: users.deactivated });

  const { groups, folders } = await storage.write(async (tx) => {
    const group = (name: string, members: number[], direct_subgroup_ids: number[], deactivated = false) =>
      tx.groups.create({
        external_id: null,
        name,
        description: `The ${name}`,
        is_system_group: false,
        creator_id: users.owner,
        created_ms: clock.now(),
        deactivated,
        settings: {},
        members,
        direct_subgroup_ids,
      });
    const cooks = await group('cooks', [users.cordelia], []);
    const kitchen = await group('kitchen', [users.hamlet], [cooks]);
    const disbanded = await group('disbanded', [users.hamlet], [], true);
    const hamletcharacters = await group('hamletcharacters', [users.hamlet, users.cordelia], []);
    const folder = (name: string, is_archived: boolean) =>
      tx.channels.createFolder({
        name,
        description: '',
        rendered_description: '',
        creator_id: users.owner,
        created_ms: clock.now(),
        is_archived,
      });
    return {
      groups: { kitchen, cooks, disbanded, hamletcharacters },
      folders: { plays: await folder('Plays', false), oldPlays: await folder('Old plays', true) },
    };
  });

  for (const emoji_name of ['yorick', 'jester']) await hamlet.customEmoji.upload({ emoji_name, file: png });
  await hamlet.customEmoji.deactivate({ emoji_name: 'jester' });
  const emoji = { yorick: '1', jester: '2' };

  clock.advance({ days: 30 });
  await create('newcomer', 'Nell Newcomer', 400);
  return { users, emails, channels, groups, folders, emoji, messages };
}

/** Changes settings of the organization by the operation, or in the database if the operation lacks them. */
export async function setSettings(chat: Chat, owner: number, storage: Storage, settings: Params): Promise<void> {
  const known: Params = {};
  const unknown: Params = {};
  for (const [key, value] of Object.entries(settings)) {
    const isPermission = /_groups?$/.test(key);
    if (!Object.hasOwn(editOrganization.params, key)) unknown[key] = value;
    else known[key] = isPermission ? { new: value } : (value ?? 'unlimited');
  }
  if (Object.keys(known).length > 0) await chat.as(owner).organization.edit(known);
  if (Object.keys(unknown).length === 0) return;
  await storage.write(async (tx) => {
    const organization = await tx.organization.get();
    await tx.organization.update({ settings: { ...organization?.settings, ...unknown } });
  });
}
