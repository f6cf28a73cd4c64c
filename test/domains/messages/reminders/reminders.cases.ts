import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { MINUTE, pass, soon } from '../scheduled-messages/scheduling.ts';
import { remind } from './reminding.ts';

const of = (world: World, message_id: number, given: object = {}) => ({
  message_id,
  scheduled_delivery_timestamp: soon(world),
  ...given,
});

const created = (
  name: string,
  as: Case['as'],
  params: (world: World) => object,
  shown: (world: World) => object,
): Case => ({
  name,
  as,
  call: ['reminders.create', (world) => ({ ...params(world) })],
  returns: { reminder_id: (id: unknown) => Number.isInteger(id) },
  events: (world) => ({
    [as]: [{ type: 'reminders', op: 'add', reminders: [{ type: 'private', failed: false, ...shown(world) }] }],
  }),
});

const refused = (
  name: string,
  params: (world: World) => object,
  refuses: NonNullable<Case['refuses']> = { code: 'BAD_REQUEST' },
): Case => ({ name, as: 'hamlet', call: ['reminders.create', (world) => ({ ...params(world) })], refuses });

export const createReminderCases = cases('reminders.create', [
  created(
    'a reminder links to its channel message, and only its owner gets the event',
    'hamlet',
    (world) => of(world, world.messages.ghost),
    (world) => ({
      to: [world.users.hamlet],
      content: `You set a reminder for #**Denmark>ghosts@${world.messages.ghost}**.`,
      rendered_content: new RegExp(`href="/#narrow/channel/[0-9]+-Denmark/topic/ghosts/near/${world.messages.ghost}"`),
      reminder_target_message_id: world.messages.ghost,
      scheduled_delivery_timestamp: soon(world),
    }),
  ),
  created(
    'a reminder of a direct message names the others in its address',
    'hamlet',
    (world) => of(world, world.messages.direct),
    ({ users, messages }) => ({
      content: `You set a reminder for [a direct message](/#narrow/dm/${users.cordelia}/near/${messages.direct}).`,
    }),
  ),
  created(
    'a note of five hundred characters is shown as a quotation',
    'hamlet',
    (world) => of(world, world.messages.ghost, { note: `${'x'.repeat(500)}` }),
    () => ({ content: /Your note:\n```quote\nx{500}\n```$/ }),
  ),
  created(
    'fences in a note do not end the quotation',
    'hamlet',
    (world) => of(world, world.messages.ghost, { note: '```\ncode\n```' }),
    () => ({ content: /````quote\n```\ncode\n```\n````$/, rendered_content: /<blockquote>[\s\S]*code/ }),
  ),
  created(
    'a guest can create a reminder of a message they can read',
    'guest',
    (world) => of(world, world.messages.vaultAfter),
    () => ({}),
  ),
  refused(
    'a note of more than 500 characters is refused',
    (world) => of(world, world.messages.ghost, { note: 'x'.repeat(501) }),
    {
      code: 'BAD_REQUEST',
      says: /500/,
    },
  ),
  refused('a reminder of a missing message is refused', (world) => of(world, 99_999)),
  refused(
    'a reminder of a message the caller cannot read is refused as missing',
    (world) => of(world, world.messages.vaultAfter),
    {
      code: 'BAD_REQUEST',
      says: /There is no message/,
    },
  ),
  refused(
    'a reminder time in the past is refused',
    (world) => of(world, world.messages.ghost, { scheduled_delivery_timestamp: soon(world, 0) }),
    { code: 'BAD_REQUEST', says: /future/ },
  ),
  refused('a reminder time in the year 10000 is refused', (world) =>
    of(world, world.messages.ghost, { scheduled_delivery_timestamp: 253_402_300_800 }),
  ),
  refused('a reminder without a message is refused', () => ({ scheduled_delivery_timestamp: 4e9 }), {
    code: 'REQUEST_VARIABLE_MISSING',
    data: { var_name: 'message_id' },
  }),
  refused('a reminder without a time is refused', ({ messages }) => ({ message_id: messages.ghost }), {
    code: 'REQUEST_VARIABLE_MISSING',
    data: { var_name: 'scheduled_delivery_timestamp' },
  }),
  {
    name: 'more than 1,000 reminders of one user are refused',
    as: 'hamlet',
    given: ({ storage, users, messages }) =>
      storage.write(async (tx) => {
        for (let n = 0; n < 1_000; n++) {
          await tx.reminders.create({
            user_id: users.hamlet,
            message_id: messages.ghost,
            note: '',
            content: 'x',
            rendered_content: '',
            scheduled_delivery_timestamp: 4e9,
          });
        }
      }),
    call: ['reminders.create', (world) => of(world, world.messages.ghost)],
    refuses: { code: 'BAD_REQUEST', says: /1000/ },
  },
]);

const given = async (world: World) => {
  const { as, messages } = world;
  const later = { message_id: messages.ghost, scheduled_delivery_timestamp: soon(world, 3 * MINUTE) };
  world.kept.later = (await as('hamlet').reminders.create(later)).reminder_id;
  world.kept.sooner = await remind(world, 'hamlet', messages.direct);
  world.kept.other = await remind(world, 'cordelia', messages.ghost);
};

export const listRemindersCases = cases('reminders.list', [
  {
    name: 'a new user has an empty list of reminders',
    as: 'hamlet',
    call: ['reminders.list'],
    returns: { reminders: [] },
  },
  {
    name: 'the list has the reminders of the caller by time',
    as: 'hamlet',
    given,
    call: ['reminders.list'],
    returns: ({ kept }) => ({ reminders: [{ reminder_id: kept.sooner }, { reminder_id: kept.later }] }),
  },
  {
    name: 'sent reminders are not listed',
    as: 'hamlet',
    given: async (world) => {
      await given(world);
      await pass(world);
    },
    call: ['reminders.list'],
    returns: ({ kept }) => ({ reminders: [{ reminder_id: kept.later, failed: false }] }),
  },
]);

const GONE = { code: 'BAD_REQUEST', status: 404 };

export const deleteReminderCases = cases('reminders.delete', [
  {
    name: 'a deleted reminder is not sent, and its owner gets the event',
    as: 'hamlet',
    given,
    call: ['reminders.delete', ({ kept }) => ({ reminder_id: kept.sooner })],
    events: ({ kept }) => ({ hamlet: [{ type: 'reminders', op: 'remove', reminder_id: kept.sooner }], cordelia: [] }),
  },
  {
    name: 'a reminder of another user is refused as missing',
    as: 'hamlet',
    given,
    call: ['reminders.delete', ({ kept }) => ({ reminder_id: kept.other })],
    refuses: GONE,
  },
  {
    name: 'an unknown reminder ID is refused as missing',
    as: 'hamlet',
    call: ['reminders.delete', { reminder_id: 99_999 }],
    refuses: GONE,
  },
  {
    name: 'B8: deleting a sent reminder succeeds',
    as: 'cordelia',
    given: async (world) => {
      await given(world);
      await pass(world);
    },
    call: ['reminders.delete', ({ kept }) => ({ reminder_id: kept.other })],
    events: ({ kept }) => ({ cordelia: [{ type: 'reminders', op: 'remove', reminder_id: kept.other }] }),
  },
]);
