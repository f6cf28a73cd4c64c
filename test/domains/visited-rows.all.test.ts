import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { withoutPostgres } from '../support/engines.ts';
import { AROUND, OWN } from '../world/around.ts';
import { type Elsewhere, MANY_CALLERS, organizationElsewhere } from '../world/elsewhere.ts';
import type { Visited } from '../world/visited-rows.ts';

/** Tables that cannot become long are read from end to end: three hundred emoji, and those who have left. */
const SLACK = 700;

/** What visits rows for each of so many people (topics, groups) around, how many, and why. */
const FOR_EACH: Readonly<Record<string, readonly [times: number, reason: string]>> = {
  register: [13, 'answers with accounts, presences, statuses, groups, channels and what is unread'],
  'messages.list': [4.5, 'merges the topics of a channel, each by its newest messages'],
  'messages.updateFlagsNarrow': [4.5, 'goes through the topics of a channel as a list does'],
  'messages.markAllRead': [40, 'finds what is unread in each topic, in parts, and writes a range for it'],
  'messages.markChannelRead': [2, 'writes a range for each topic that has something unread'],
  'messages.readReceipts': [7.5, 'looks at everybody who received the message'],
  'messages.addReaction': [3.5, 'tells those subscribers who received a message of protected history'],
  'messages.addSubmessage': [3.5, 'tells those subscribers who received a message of protected history'],
  'messages.removeReaction': [3.5, 'tells those subscribers who received a message of protected history'],
  'customEmoji.upload': [0.3, 'tells of all emoji, and counts them'],
  'customEmoji.deactivate': [0.3, 'tells of all emoji'],
  'channels.list': [1, 'answers with all channels'],
  'channels.search': [1, 'compares the names of all channels'],
  // PostgreSQL also passes the rows that the archiving before has replaced.
  'channels.subscribers': [3.2, 'answers with all subscribers, who are looked up among the accounts'],
  'channels.create': [1, 'weighs all channels, which have a limit together'],
  'rooms.ensure': [9.5, 'looks up the members of the staff group, who join and get events, and weighs all channels'],
  'rooms.close': [11.5, 'marks as read what its subscribers had unread, and looks up the staff, who get events'],
  'organization.audit': [1, 'looks at all channels'],
  'channels.edit': [1, 'weighs all channels, which have a limit together'],
  'channels.archive': [20, 'marks as read what its subscribers had unread'],
  'subscriptions.remove': [6, 'marks as read what somebody had unread in a channel they leave'],
  'subscriptions.update': [6, 'marks as read what somebody had unread in a channel they leave'],
  'mutedUsers.add': [5, 'looks through what is unread for messages of one sender'],
  'users.editByEmail': [1, 'compares what somebody of another role sees of all channels'],
  'invites.list': [2.5, 'answers with all invitations'],
  'invites.send': [2.5, 'counts pending invitations, which have a limit'],
  'invites.createMultiuse': [2.5, 'counts pending invitations, which have a limit'],
  'profileFields.remove': [1.5, 'takes a value from every account'],
  'userGroups.list': [3.5, 'answers with all groups and their members'],
  'userGroups.members': [3.5, 'answers with members of groups in the group, of whom roles may make all accounts'],
  'userGroups.create': [3.5, 'counts groups, memberships and nestings, which have limits'],
  'userGroups.updateMembers': [3.5, 'counts memberships, which have a limit'],
  'userGroups.updateSubgroups': [3.5, 'counts nestings, which have a limit'],
  'userGroups.deactivate': [1, 'looks through nestings for what contains the group'],
};

/** Likewise for each of so many subscriptions, former ones, topics and conversations of the caller's own. */
const FOR_EACH_OWN: Readonly<Record<string, readonly [times: number, reason: string]>> = {
  register: [60, 'answers with subscriptions, topics, conversations and what is unread in them'],
  'messages.markAllRead': [
    53,
    'finds what is unread in each conversation, in parts, writes a range for it, and looks again at the end',
  ],
  'messages.markChannelRead': [1.2, 'goes through their conversations where PostgreSQL keeps its plan'],
  'messages.markTopicRead': [1.2, 'goes through their conversations where PostgreSQL keeps its plan'],
  'messages.readReceipts': [11, 'looks at everybody who received the message'],
  'userTopics.list': [6.5, 'answers with all of them, and looks whether their channels are open'],
  'channels.list': [4.5, 'answers with all channels'],
  'organization.audit': [4.5, 'looks at all channels'],
  'rooms.ensure': [2, 'weighs all channels, which have a limit together'],
  'channels.search': [4.5, 'compares the names of all channels'],
  'channels.create': [2.5, 'weighs all channels, which have a limit together'],
  'channels.edit': [2.5, 'weighs all channels, which have a limit together'],
  'subscriptions.list': [4.5, 'answers with all of them'],
  'users.me': [12.5, 'looks for the newest message in each of their conversations'],
  'users.editByEmail': [6.5, 'compares what somebody of another role sees of all channels'],
  'users.deactivate': [9.5, 'takes somebody out of all their channels, and looks which of them guests are in'],
  'users.deactivateMe': [10.5, 'takes somebody out of all their channels, and looks which of them guests are in'],
  'profileFields.remove': [1.5, 'takes a value from every account'],
};

const COMPARISONS = [
  { where: 'other users have much data', options: { isLarge: true }, each: AROUND, forEach: FOR_EACH },
  { where: 'its caller has much other data', options: { isBusy: true }, each: OWN, forEach: FOR_EACH_OWN },
];

/** Where there is little of anything. Both comparisons are with this. */
let small: Promise<Elsewhere> | undefined;
const inSmall = new Map<string, Promise<Visited | undefined>>();

function visitedInSmall(operation: Operation, caller: (typeof MANY_CALLERS)[number]): Promise<Visited | undefined> {
  small ??= organizationElsewhere();
  const key = `${operation.name} ${caller}`;
  const known = inSmall.get(key) ?? small.then((few) => few.visitedBy(operation, caller));
  inSmall.set(key, known);
  return known;
}

after(async () => (await small)?.remove());

for (const { where, options, each, forEach } of COMPARISONS) {
  describe(`rows that operations visit where ${where}`, { skip: withoutPostgres ?? false }, () => {
    let made: Promise<Elsewhere> | undefined;

    for (const operation of catalogue as readonly Operation[]) {
      const { name } = operation;
      test(`${name} visits few more rows where ${where}`, async () => {
        made ??= organizationElsewhere(options);
        const many = await made;
        const [times, reason] = forEach[name] ?? [0, 'it is about nothing of it'];
        let tried = 0;
        for (const caller of MANY_CALLERS) {
          if (tried > 0) break;
          const little = await visitedInSmall(operation, caller);
          if (!little) continue;
          tried++;
          const much = await many.visitedBy(operation, caller);
          assert.ok(much, `${caller} is refused there`);
          const more = sum(much) - sum(little);
          const allowed = SLACK + times * each;
          assert.ok(more <= allowed, `${more} rows more, where ${allowed} are allowed (${reason}): ${most(much)}`);
        }
        assert.ok(tried > 0, 'everybody is refused');
      });
    }

    after(async () => (await made)?.remove());
  });
}

const sum = (visited: Visited) => [...visited.values()].reduce((total, one) => total + one, 0);

/** The statements that visited most. */
function most(visited: Visited): string {
  const largest = [...visited].sort(([, one], [, other]) => other - one).slice(0, 4);
  return largest.map(([text, rows]) => `\n  ${rows}: ${text.replace(/\s+/g, ' ')}`).join('');
}
