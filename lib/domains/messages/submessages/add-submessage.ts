import * as v from 'valibot';
import { BadRequest, DirectMessageRefused } from '../../../base/errors.ts';
import { allInOrder } from '../../../base/lists.ts';
import { between, describe, id, nonEmptyText, optional, text } from '../../../base/schemas.ts';
import { defineEvent } from '../../../events/define-event.ts';
import { defineOperation } from '../../../operation/operation.ts';
import { messageAudience } from '../../../viewer/audiences.ts';
import { checkMayReach } from '../blocking.ts';
import { MAX_INDEX } from '../message-content.ts';
import { submessageObject } from '../message-view.ts';

/** Characters of a submessage. */
const MAX_CONTENT = 10_000;
/**
 * Characters of all submessages of a user to a message, and of all users, because every response with the message lists
 * them. A vote counts as about 150. Concurrent requests can exceed the limits slightly.
 */
const MAX_PER_USER = 200_000;
const MAX_PER_MESSAGE = 1_000_000;
const OVERHEAD = 100;
/** A user may use this share of the room that the others leave, so that a few users cannot take all of it. */
const MAX_SHARE = 1 / 4;

/** The fields of each change that a poll or a to-do list accepts, besides `type`. */
const CHANGES = new Map<string, v.ObjectEntries>([
  ['poll vote', { key: v.string(), vote: v.picklist([1, -1]) }],
  ['poll new_option', { option: v.string(), idx: between(0, MAX_INDEX) }],
  ['poll question', { question: v.string() }],
  ['todo new_task', { key: between(0, MAX_INDEX), task: v.string(), desc: v.string(), completed: v.boolean() }],
  ['todo strike', { key: v.string() }],
  ['todo new_task_list_title', { title: v.string() }],
]);
const OF_AUTHOR = ['question', 'new_task_list_title'];

export const submessageAdded = defineEvent('submessage', {
  summary: 'A user voted in a poll, or changed a poll or a to-do list.',
  fields: { ...v.omit(submessageObject, ['id']).entries, submessage_id: v.number() },
  inRooms: (_, { channels, channel }) => channel !== undefined && channels.has(channel),
});

export const addSubmessage = defineOperation({
  name: 'messages.addSubmessage',
  http: 'POST /submessage',
  summary: 'Vote in a poll, or change a poll or a to-do list',
  description: [
    'Polls accept `{"type":"vote","key":"canned,0","vote":1}` (-1 withdraws it) and `{"type":"new_option","option":"Soup","idx":1}`. The sender can also use `{"type":"question","question":"Lunch?"}`.',
    'To-do lists accept `{"type":"new_task","key":1,"task":"Shop","desc":"","completed":false}` and `{"type":"strike","key":"0,canned"}`. The sender can also use `{"type":"new_task_list_title","title":"Party"}`.',
    'Options of the message have the keys `canned,0`, `canned,1`, and so on; options that a user adds have `USER_ID,IDX`. Tasks have `0,canned` and `KEY,USER_ID`.',
  ].join(' '),
  example: { message_id: 7, content: '{"type":"vote","key":"canned,0","vote":1}' },
  access: 'user',
  forRooms: true,
  effect: 'append',
  params: {
    message_id: id,
    msg_type: optional(text(60), '`widget` for changes of polls and to-do lists.', 'widget'),
    content: describe(nonEmptyText(MAX_CONTENT), `The change as JSON, at most ${MAX_CONTENT} characters.`),
  },
  errors: [DirectMessageRefused],
  async run(context, { message_id, msg_type, content }) {
    const { tx, actor, emit, services } = context;
    const [message, { widget, started, all, own }] = await allInOrder([
      context.viewer.message(message_id, 'modify'),
      tx.submessages.summary(message_id, actor.id),
    ]);
    const isAuthor = message.sender_id === actor.id;
    if (!isAuthor && !started) throw new BadRequest('This message is neither a poll nor a to-do list.');
    checkChange(widgetType(widget), content, { isAuthor });
    const room = Math.min(MAX_PER_USER, (MAX_PER_MESSAGE - (all - own)) * MAX_SHARE);
    if (own + content.length + OVERHEAD > room) throw new BadRequest('Nothing more can be added to this message.');
    const submessage = { message_id, sender_id: actor.id, msg_type, content };
    const [submessage_id, , , audience] = await allInOrder([
      tx.submessages.add(submessage),
      // As for a reaction: the user gets events for the message from now on.
      message.channel_id !== null && tx.flags.follow(actor.id, message_id),
      allInOrder(services.consequences.reacted.map((react) => react(context, actor, message))),
      // Runs last, because it must see the rows that the others have written.
      messageAudience(context, message),
    ]);
    if (message.channel_id === null) await checkMayReach(context, actor, audience.users ?? []);
    emit(audience, submessageAdded({ ...submessage, submessage_id }));
  },
});

/** Other widgets accept any JSON. */
function checkChange(widget: string | undefined, content: string, { isAuthor }: { isAuthor: boolean }): void {
  let given: unknown;
  try {
    given = JSON.parse(content);
  } catch {
    throw new BadRequest('content must be JSON.');
  }
  if (widget !== 'poll' && widget !== 'todo') return;
  const what = widget === 'poll' ? 'poll' : 'to-do list';
  const type = v.is(v.object({ type: v.string() }), given) ? given.type : '';
  const fields = CHANGES.get(`${widget} ${type}`);
  if (!fields || !v.is(v.strictObject({ type: v.string(), ...fields }), given))
    throw new BadRequest(`content is not a valid change of a ${what}.`);
  if (!isAuthor && OF_AUTHOR.includes(type))
    throw new BadRequest(`Only the sender of the ${what} can change its title.`);
}

/** `poll`, `todo` or another type. Undefined if the message is no widget. */
function widgetType(widget: string | null): string | undefined {
  const result = v.safeParse(v.object({ widget_type: v.string() }), widget && JSON.parse(widget));
  return result.success ? result.output.widget_type : undefined;
}
