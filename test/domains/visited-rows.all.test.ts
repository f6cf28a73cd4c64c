import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { catalogue, type Operation } from '../../lib/internal.ts';
import { withoutPostgres } from '../support/engines.ts';
import { AROUND, OWN } from './around.ts';
import { type Elsewhere, MANY_CALLERS, organizationElsewhere } from './elsewhere.ts';
import type { Visited } from './visited-rows.ts';

/** Rows that may be read from tables that stay short: 300 emoji and the deactivated users. */
const SLACK = 700;

/** Operations that visit rows for each other user, topic or group: how many, and why. */
const FOR_EACH: Readonly<Record<string, readonly [times: number, reason: string]>> = {
  register: [13, 'returns accounts, presences, statuses, groups, channels and what is unread'],
  'messages.list': [4.5, 'merges the newest messages of all topics of a channel'],
  'messages.updateFlagsNarrow': [4.5, 'reads the topics of a channel as a list does'],
  'messages.markAllRead': [40, 'finds unread messages of each topic, in parts, and writes a range for each'],
  'messages.markChannelRead': [2, 'writes a range for each topic with unread messages'],
  'messages.readReceipts': [7.5, 'reads all recipients of the message'],
  'messages.addReaction': [3.5, 'sends the event to recipients of a message in protected history'],
  'messages.addSubmessage': [3.5, 'sends the event to recipients of a message in protected history'],
  'messages.removeReaction': [3.5, 'sends the event to recipients of a message in protected history'],
  'customEmoji.upload': [0.3, 'sends all emoji in the event, and counts them'],
  'customEmoji.deactivate': [0.3, 'sends all emoji in the event'],
  'channels.list': [1, 'returns all channels'],
  'channels.search': [1, 'compares the names of all channels'],
  // PostgreSQL also visits rows that the archiving before has replaced.
  'channels.subscribers': [3.2, 'returns all subscribers, and reads their accounts'],
  'channels.create': [1, 'reads all channels, whose total size has a limit'],
  'rooms.ensure': [9.5, 'reads the staff group, whose members join and get events, and all channels'],
  'rooms.close': [11.5, 'marks unread messages of its subscribers as read, and reads the staff, who get events'],
  'organization.audit': [1, 'reads all channels'],
  'channels.edit': [1, 'reads all channels, whose total size has a limit'],
  'channels.archive': [20, 'marks unread messages of its subscribers as read'],
  'users.erase': [1, 'tells those who may see the address, up to all accounts'],
  'subscriptions.remove': [6, 'marks unread messages of a former subscriber as read'],
  'subscriptions.update': [6, 'marks unread messages of a former subscriber as read'],
  'mutedUsers.add': [5, 'searches unread messages for those of one sender'],
  'users.editByEmail': [1, 'compares the visible channels of the old and the new role'],
  'settings.confirmEmail': [1.2, 'tells those who may see the address, up to all accounts'],
  'invites.list': [2.5, 'returns all invitations'],
  'invites.send': [2.5, 'counts pending invitations, which have a limit'],
  'invites.createMultiuse': [2.5, 'counts pending invitations, which have a limit'],
  'profileFields.remove': [1.5, 'removes a value from every account'],
  'userGroups.list': [3.5, 'returns all groups and their members'],
  'userGroups.members': [3.5, 'returns members of nested groups. A system group can have all accounts'],
  'userGroups.create': [3.5, 'counts groups, memberships and nestings, which have limits'],
  'userGroups.updateMembers': [3.5, 'counts memberships, which have a limit'],
  'userGroups.updateSubgroups': [3.5, 'counts nestings, which have a limit'],
  'userGroups.deactivate': [1, 'searches nestings for groups that contain the group'],
};

/** The same for each subscription, former subscription, topic and conversation of the caller. */
const FOR_EACH_OWN: Readonly<Record<string, readonly [times: number, reason: string]>> = {
  register: [60, 'returns subscriptions, topics, conversations and their unread messages'],
  'messages.markAllRead': [
    53,
    'finds unread messages of each conversation, in parts, writes a range for each, and repeats the search at the end',
  ],
  'messages.markChannelRead': [1.2, 'reads the conversations of the caller if PostgreSQL keeps its plan'],
  'messages.markTopicRead': [1.2, 'reads the conversations of the caller if PostgreSQL keeps its plan'],
  'messages.list': [2.2, 'reads the channels that the caller has left if the narrow names one that it does not find'],
  'messages.readReceipts': [11, 'reads all recipients of the message'],
  'userTopics.list': [6.5, 'returns all topic policies, and checks whether their channels are readable'],
  'channels.list': [4.5, 'returns all channels'],
  'organization.audit': [5.5, 'reads all channels and the subscriptions of guests'],
  'rooms.ensure': [2, 'reads all channels, whose total size has a limit'],
  'channels.search': [4.5, 'compares the names of all channels'],
  'channels.create': [2.5, 'reads all channels, whose total size has a limit'],
  'channels.edit': [2.5, 'reads all channels, whose total size has a limit'],
  'subscriptions.list': [4.5, 'returns all subscriptions'],
  'users.me': [12.5, 'reads the newest message of each conversation of the caller'],
  'settings.confirmEmail': [1, 'tells those who may see the address, up to all accounts'],
  'users.block': [5.5, 'looks among the channels of the caller for rooms whose staff the user is'],
  'users.editByEmail': [6.5, 'compares the visible channels of the old and the new role'],
  'users.deactivate': [9.5, 'removes all subscriptions of the user, and finds the guests in those channels'],
  'users.deactivateMe': [10.5, 'removes all subscriptions of the user, and finds the guests in those channels'],
  'users.erase': [
    15,
    'removes all subscriptions and personal records of the user, and finds the guests in those channels',
  ],
  'profileFields.remove': [1.5, 'removes a value from every account'],
};

const COMPARISONS = [
  { where: 'other users have much data', options: { isLarge: true }, each: AROUND, forEach: FOR_EACH },
  { where: 'its caller has much other data', options: { isBusy: true }, each: OWN, forEach: FOR_EACH_OWN },
];

/** Visited rows with little data. Both comparisons use it. */
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
        const [times, reason] = forEach[name] ?? [0, 'the operation does not read this data'];
        let tried = 0;
        for (const caller of MANY_CALLERS) {
          if (tried > 0) break;
          const little = await visitedInSmall(operation, caller);
          if (!little) continue;
          tried++;
          const allowed = SLACK + times * each;
          let much = await many.visitedBy(operation, caller);
          // Few operations read the lists that callers share.
          if (much && sum(much) - sum(little) > allowed)
            much = await many.visitedBy(operation, caller, { afterLists: true });
          assert.ok(much, `${caller} is refused with much data`);
          const more = sum(much) - sum(little);
          if (more > allowed)
            much = (await many.visitedBy(operation, caller, { afterLists: true, byStatement: true })) ?? much;
          assert.ok(more <= allowed, `${more} more rows, ${allowed} allowed (${reason}): ${most(much)}`);
        }
        assert.ok(tried > 0, 'all callers are refused');
      });
    }

    after(async () => (await made)?.remove());
  });
}

const sum = (visited: Visited) => [...visited.values()].reduce((total, one) => total + one, 0);

/** The statements that visited most rows. */
function most(visited: Visited): string {
  const largest = [...visited].sort(([, one], [, other]) => other - one).slice(0, 4);
  return largest.map(([text, rows]) => `\n  ${rows}: ${text.replace(/\s+/g, ' ')}`).join('');
}
