import * as v from 'valibot';
import { BadRequest, DoesNotExist } from '../../../base/errors.ts';
import { choice, codePoints, describe, id, list, nonEmptyText, preciseTimestamp, text } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import type { User } from '../../../model/users.ts';
import { MAX_MESSAGE_LENGTH } from '../../../rules/names.ts';
import { storedTopic, type Truncation } from '../../../rules/topics.ts';
import type { Draft } from '../../../storage/interface/personal.ts';
import type { AccountContext } from '../../../viewer/context.ts';
import { checkRoom, LAST_TIMESTAMP } from '../deliveries.ts';
import { messageContent } from '../message-content.ts';

const MAX_RECIPIENTS = 1_000;

export const draftObject = v.object({
  id: describe(v.number(), 'ID of the draft.'),
  type: describe(v.picklist(['', 'private', 'stream']), 'Empty if the draft has no recipient yet.'),
  to: describe(v.array(v.number()), 'Channel ID, or user IDs of the recipients.'),
  topic: describe(v.string(), 'Topic of a channel message. Empty for direct messages.'),
  content: describe(v.string(), 'Markdown.'),
  timestamp: describe(v.number(), 'Time of the last edit: UNIX time in seconds.'),
});

/** A draft in a request. Unknown keys are an error, because they would be lost. */
export const draftParam = v.strictObject(
  {
    type: describe(
      choice(['', 'stream', 'channel', 'private', 'direct']),
      '`stream` (or `channel`), `private` (or `direct`), or empty if there is no recipient yet.',
    ),
    to: describe(list(id, MAX_RECIPIENTS), 'Channel ID, or user IDs of the recipients. Ignored if `type` is empty.'),
    topic: describe(text(), 'Topic of a channel message, at most 60 characters. Ignored for direct messages.'),
    content: describe(nonEmptyText(), `Markdown, at most ${MAX_MESSAGE_LENGTH} characters.`),
    timestamp: v.optional(
      v.nullable(
        describe(
          v.pipe(preciseTimestamp, v.maxValue(LAST_TIMESTAMP, 'is too far in the future')),
          'Time of the last edit: UNIX time in seconds, rounded down. Default: now.',
        ),
      ),
    ),
  },
  'must be an object with type, to, topic, content and, optionally, timestamp',
);

type DraftParams = v.InferOutput<typeof draftParam>;

export const draftsAdded = defineEvent('drafts/add', {
  summary: 'You saved drafts in another client.',
  fields: { drafts: v.array(draftObject) },
});

export const draftUpdated = defineEvent('drafts/update', {
  summary: 'You changed a draft in another client. Contains the complete draft.',
  fields: { draft: draftObject },
});

export const draftRemoved = defineEvent('drafts/remove', {
  summary: 'You deleted a draft in another client.',
  fields: { draft_id: v.number() },
});

export function checkSynchronizesDrafts({ settings }: User): void {
  if (settings.enable_drafts_synchronization === false) {
    throw new BadRequest(
      'You have turned off drafts on the server. Turn on the setting enable_drafts_synchronization.',
    );
  }
}

/** Also used for drafts of other users, so that their existence stays hidden. */
export const noDraft = (id: number) => new DoesNotExist(`You have no draft with ID ${id}.`);

/** The records to store. Does not check whether the user may send them. */
export async function checkedDrafts(context: AccountContext, given: readonly DraftParams[], truncation: Truncation) {
  const { actor, organization, now } = context;
  const forChannels = given.filter(isForChannel);
  if (forChannels.some(({ to }) => to.length !== 1))
    throw new BadRequest('A draft for a channel needs the ID of exactly one channel in "to".');
  await checkChannels(context, new Set(forChannels.flatMap(({ to }) => to)));
  const users = new Set(given.filter(isDirect).flatMap(({ to }) => to));
  await context.viewer.accounts([...users], { systemBots: true });
  return given.map((draft) => ({
    ...addressOf(draft, actor),
    topic: isForChannel(draft) ? storedTopic(draft.topic, organization, truncation) : '',
    content: messageContent(draft.content, truncation),
    timestamp: Math.floor(draft.timestamp ?? now / 1000),
  }));
}

const isForChannel = ({ type }: DraftParams) => type === 'stream' || type === 'channel';
const isDirect = ({ type }: DraftParams) => type === 'private' || type === 'direct';

/** Recipients as the API shows them: empty type without recipients, and without the writer. */
function addressOf(draft: DraftParams, { id: writer }: User): Pick<Draft, 'type' | 'to'> {
  if (isForChannel(draft)) return { type: 'stream', to: draft.to };
  if (!isDirect(draft) || draft.to.length === 0) return { type: '', to: [] };
  const others = [...new Set(draft.to)].filter((id) => id !== writer).sort((one, other) => one - other);
  return { type: 'private', to: others.length === 0 ? [writer] : others };
}

async function checkChannels(context: AccountContext, ids: Set<number>): Promise<void> {
  if (ids.size === 0) return;
  const channels = (await context.tx.channels.byIds([...ids])).filter(({ is_archived }) => !is_archived);
  const { known } = await context.viewer.knownChannels(channels);
  for (const { channel, readable } of known) if (readable) ids.delete(channel.id);
  for (const id of ids) throw new BadRequest(`There is no channel with ID ${id} that you can access.`);
}

/** @param replaced the drafts that `added` replaces */
export async function checkDraftLimit(
  { tx, actor }: AccountContext,
  added: readonly Omit<Draft, 'id'>[],
  replaced: readonly Draft[] = [],
): Promise<void> {
  const characters = charactersOf(added) - charactersOf(replaced);
  const max = { count: 1_000, characters: 1_000_000 };
  checkRoom('drafts', max, await tx.drafts.size(actor.id), { count: added.length - replaced.length, characters });
}

/** Must count in the same way as `tx.drafts.size`. */
const charactersOf = (drafts: readonly Omit<Draft, 'id'>[]) =>
  drafts.reduce((sum, { content, to }) => sum + codePoints(content) + JSON.stringify(to).length, 0);
