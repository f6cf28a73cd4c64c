import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';
import { errorsLike } from '../linkifiers/create.cases.ts';

const PYTHON = {
  name: 'Python playground',
  pygments_language: 'Python',
  url_template: 'https://python.example.com/?code={code}',
};

export const addPlayground = async (world: World, given: Partial<typeof PYTHON> = {}) =>
  (await world.as('owner').playgrounds.create({ ...PYTHON, ...given })).id;

/** Expects these errors. The first one is also the message. */
const refused = (name: string, given: object, errors: Record<string, readonly RegExp[]>): Case => ({
  name,
  as: 'administrator',
  given: async (world) => addPlayground(world),
  call: ['playgrounds.create', { ...PYTHON, name: 'Other', ...given }],
  refuses: { code: 'BAD_REQUEST', data: { errors: errorsLike(errors) }, says: Object.values(errors)[0]?.[0] as RegExp },
});
const malformed = (name: string, given: object, says: RegExp): Case => ({
  name,
  as: 'administrator',
  call: ['playgrounds.create', { ...PYTHON, ...given }],
  refuses: { code: 'BAD_REQUEST', says },
});

export const createPlaygroundCases = cases('playgrounds.create', [
  {
    name: 'a playground is created trimmed, and all users get an event with all playgrounds',
    as: 'administrator',
    given: async (world) => {
      world.kept.first = await addPlayground(world);
    },
    call: [
      'playgrounds.create',
      { name: ' Second ', pygments_language: ' Python ', url_template: ' https://second.example.com{?code} ' },
    ],
    returns: { id: (id: unknown) => Number.isSafeInteger(id) },
    events: ({ kept }) => ({
      guest: [
        {
          type: 'realm_playgrounds',
          realm_playgrounds: [
            { id: kept.first, ...PYTHON },
            { name: 'Second', pygments_language: 'Python', url_template: 'https://second.example.com{?code}' },
          ],
        },
      ],
    }),
  },
  {
    name: 'an unknown language with special characters in its name is accepted',
    as: 'owner',
    call: ['playgrounds.create', { ...PYTHON, pygments_language: 'c++/my_C#-dialect 2.0' }],
  },
  {
    name: 'a name can be used again for another language',
    as: 'owner',
    given: async (world) => addPlayground(world),
    call: ['playgrounds.create', { ...PYTHON, pygments_language: 'Rust' }],
  },
  refused('an empty name is refused', { name: ' ' }, { name: [/empty/] }),
  refused('an empty language is refused', { pygments_language: ' ' }, { pygments_language: [/empty/] }),
  refused('an empty template is refused', { url_template: ' ' }, { url_template: [/empty/] }),
  refused(
    'a template that is not a URI template is refused',
    { url_template: 'https://a.example/{code' },
    { url_template: [/RFC 6570/] },
  ),
  refused(
    'a template without the variable code is refused',
    { url_template: 'https://a.example/{text}' },
    { __all__: [/must contain the variable/] },
  ),
  refused(
    'a template with another variable than code is refused',
    { url_template: 'https://a.example/{code}/{text}' },
    { __all__: [/other than "code"/] },
  ),
  refused('a name in use for the same language is refused', { name: PYTHON.name }, { __all__: [/already/] }),
  refused('the refusal lists all errors', { name: '', url_template: '{' }, { name: [/empty/], url_template: [/RFC/] }),
  malformed('a language of more than 40 characters is refused', { pygments_language: 'x'.repeat(41) }, /limit: 40/),
  malformed(
    'a language with an unsupported character is refused',
    { pygments_language: 'a*b' },
    /pygments_language contains characters/,
  ),
  malformed('a name of more than 100 characters is refused', { name: 'x'.repeat(101) }, /limit: 100/),
  malformed('a template of more than 1000 characters is refused', { url_template: 'x'.repeat(1001) }, /limit: 1000/),
  {
    name: 'more than 200 playgrounds are refused',
    as: 'administrator',
    given: ({ storage }) =>
      storage.write(async (tx) => {
        for (let n = 0; n < 200; n++) await tx.playgrounds.create({ ...PYTHON, name: `Site ${n}` });
      }),
    call: ['playgrounds.create', PYTHON],
    refuses: { code: 'BAD_REQUEST', says: /200/ },
  },
  {
    name: 'a non-administrator is refused whatever the parameters',
    as: 'moderator',
    call: ['playgrounds.create', {}],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
  {
    name: 'a request without one of the three values is refused',
    as: 'administrator',
    call: ['playgrounds.create', { name: 'x', url_template: 'https://a.example/{code}' }],
    refuses: { code: 'REQUEST_VARIABLE_MISSING', data: { var_name: 'pygments_language' } },
  },
]);
