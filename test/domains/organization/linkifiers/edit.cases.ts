import { cases } from '../../../world/case.ts';
import { addLinkifier, errorsLike } from './create.cases.ts';

const A = { pattern: 'a-(?P<id>[0-9]+)', url_template: 'https://a.example/{id}' };
const B = { pattern: 'b-(?P<id>[0-9]+)', url_template: 'https://b.example/{id}' };
const C = { pattern: 'c-(?P<key>[a-z]+)', url_template: 'https://c.example/{key}' };

const both = async (world: Parameters<typeof addLinkifier>[0]) => {
  world.kept.a = await addLinkifier(world, A);
  world.kept.b = await addLinkifier(world, B);
};

export const editLinkifierCases = cases('linkifiers.edit', [
  {
    name: 'pattern and template change, the position stays, and all users get the event',
    as: 'administrator',
    given: both,
    call: [
      'linkifiers.edit',
      ({ kept }) => ({ filter_id: kept.a, pattern: ` ${C.pattern} `, url_template: C.url_template }),
    ],
    events: ({ kept }) => ({
      cordelia: [
        {
          type: 'realm_linkifiers',
          realm_linkifiers: [
            { id: kept.a, ...C },
            { id: kept.b, ...B },
          ],
        },
      ],
    }),
  },
  {
    name: 'an edit without a change sends the event to all users',
    as: 'owner',
    given: both,
    call: ['linkifiers.edit', ({ kept }) => ({ filter_id: kept.a, ...A })],
    events: () => ({ hamlet: [{ type: 'realm_linkifiers', realm_linkifiers: [A, B] }] }),
  },
  {
    name: 'the pattern of another linkifier is refused',
    as: 'owner',
    given: both,
    call: ['linkifiers.edit', ({ kept }) => ({ filter_id: kept.a, ...B })],
    refuses: { code: 'BAD_REQUEST', data: { errors: errorsLike({ __all__: [/already/] }) } },
  },
  {
    name: 'an edit with an invalid pattern is refused like a new linkifier',
    as: 'owner',
    given: both,
    call: ['linkifiers.edit', ({ kept }) => ({ filter_id: kept.a, ...A, pattern: 'a-(?P<id>[0-9]+' })],
    refuses: { code: 'BAD_REQUEST', data: { errors: errorsLike({ __all__: [/missing closing/] }) } },
  },
  {
    name: 'an unknown linkifier is refused before its values are checked',
    as: 'owner',
    call: ['linkifiers.edit', { filter_id: 99, pattern: '(', url_template: '' }],
    refuses: { code: 'BAD_REQUEST', says: /ID 99/ },
  },
  {
    name: 'a non-administrator is refused',
    as: 'moderator',
    given: both,
    call: ['linkifiers.edit', ({ kept }) => ({ filter_id: kept.a })],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  {
    name: 'a request without pattern or template is refused',
    as: 'owner',
    given: both,
    call: ['linkifiers.edit', ({ kept }) => ({ filter_id: kept.a, pattern: 'x' })],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'url_template' } },
  },
]);
