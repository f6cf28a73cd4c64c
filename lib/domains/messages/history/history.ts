import * as v from 'valibot';
import { messageKnownTo } from '../../../access/messages.ts';
import { BadRequest } from '../../../kernel/errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { describe, flag, id } from '../../../kernel/schemas.ts';
import { organizationSetting } from '../../../rules/organization-settings.ts';
import { shownTopic } from '../../../rules/topics.ts';
import { editSnapshotObject, editSnapshots } from './edit-snapshot.ts';

export const getMessageHistory = defineOperation({
  name: 'messages.history',
  http: 'GET /messages/{message_id}/history',
  summary: "Get a message's edit history",
  description:
    'Oldest first; the first entry is the message as it was sent. The organization may show moves only, or nothing.',
  source: 'spec, message edit history; reference 6.15',
  access: 'user',
  effect: 'read',
  params: v.object({
    message_id: id,
    allow_empty_topic_name: v.optional(describe(flag, 'Show the empty topic as "", not by its display name.'), false),
  }),
  result: v.object({ message_history: v.array(editSnapshotObject) }),
  errors: [BadRequest],
  async run(context, { message_id, allow_empty_topic_name }) {
    const { tx, actor, organization } = context;
    const message = await messageKnownTo(context, actor, message_id);
    const policy = organizationSetting(organization, 'message_edit_history_visibility_policy');
    if (policy === 'none') throw new BadRequest('This organization does not show how messages were edited.');
    const edits = (await tx.edits.ofMessages([message])).get(message.id) ?? [];
    const snapshots = editSnapshots(message, edits, { contents: policy === 'all' });
    if (message.channel_id === null) return { message_history: snapshots };
    const shown = organizationSetting(organization, 'empty_topic_display_name');
    const topic = (name: string) => shownTopic(name, shown, allow_empty_topic_name);
    return {
      message_history: snapshots.map((snapshot) => ({
        ...snapshot,
        topic: topic(snapshot.topic),
        ...(snapshot.prev_topic === undefined ? {} : { prev_topic: topic(snapshot.prev_topic) }),
      })),
    };
  },
});
