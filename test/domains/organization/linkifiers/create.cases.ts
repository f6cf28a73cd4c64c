import { type Case, cases } from '../../../world/case.ts';
import type { World } from '../../../world/world.ts';

const ISSUE = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' };

export const addLinkifier = async (world: World, given: { pattern: string; url_template: string } = ISSUE) =>
  (await world.as('owner').linkifiers.create(given)).id;

/** Errors by field: one for each pattern, and no other fields. */
export const errorsLike = (wanted: Record<string, readonly RegExp[]>) => (actual: unknown) =>
  Object.keys(actual as object)
    .sort()
    .join() === Object.keys(wanted).sort().join() &&
  Object.entries(actual as Record<string, string[]>).every(
    ([field, texts]) =>
      texts.length === wanted[field]?.length && texts.every((text, at) => wanted[field]?.[at]?.test(text)),
  );

/** Expects these errors. The first one is also the message. */
const refused = (name: string, given: object, errors: Record<string, readonly RegExp[]>): Case => ({
  name,
  as: 'administrator',
  given: async (world) => addLinkifier(world),
  call: ['linkifiers.create', { ...ISSUE, ...given }],
  refuses: { code: 'BAD_REQUEST', data: { errors: errorsLike(errors) }, says: Object.values(errors)[0]?.[0] as RegExp },
});

export const createLinkifierCases = cases('linkifiers.create', [
  {
    name: 'a linkifier is created trimmed, and all users get an event with all linkifiers',
    as: 'administrator',
    given: async (world) => {
      world.kept.first = await addLinkifier(world);
    },
    call: [
      'linkifiers.create',
      { pattern: ' CARD-(?P<card>[A-Z]+) ', url_template: ' https://cards.example.com{?card} ' },
    ],
    returns: { id: (id: unknown) => Number.isSafeInteger(id) },
    events: ({ kept }) => ({
      guest: [
        {
          type: 'realm_linkifiers',
          realm_linkifiers: [
            { id: kept.first, ...ISSUE },
            { pattern: 'CARD-(?P<card>[A-Z]+)', url_template: 'https://cards.example.com{?card}' },
          ],
        },
      ],
    }),
  },
  {
    name: 'a pattern without groups is accepted',
    as: 'administrator',
    call: ['linkifiers.create', { pattern: 'wiki', url_template: 'https://wiki.example.com/' }],
  },
  refused('an empty pattern is refused', { pattern: ' ', url_template: 'https://a.example' }, { pattern: [/empty/] }),
  refused('an empty template is refused', { pattern: 'x', url_template: ' ' }, { url_template: [/empty/] }),
  refused(
    'a template that is not a URI template is refused',
    { pattern: 'x', url_template: 'https://a.example/{' },
    { url_template: [/RFC 6570/] },
  ),
  refused(
    'a pattern that is not a regular expression is refused',
    { pattern: '(?P<id>[0-9]+' },
    { __all__: [/missing closing/] },
  ),
  refused(
    'a pattern with an unbalanced parenthesis is refused',
    { pattern: 'a)(b', url_template: 'x' },
    { __all__: [/unexpected/] },
  ),
  refused('a pattern with a lookahead is refused', { pattern: '#(?P<id>[0-9]+)(?=x)' }, { __all__: [/syntax/] }),
  refused('a pattern with a backreference is refused', { pattern: '(?P<id>.)\\1' }, { __all__: [/escape/] }),
  refused(
    'a pattern that is too complicated is refused',
    { pattern: '(?:(?:[a-z ]{0,20}){0,20}){0,2}', url_template: 'x' },
    { __all__: [/complicated/] },
  ),
  refused('a reserved group name is refused', { pattern: '(?P<parlance_match>x)' }, { __all__: [/reserved/] }),
  refused(
    'a template with a variable missing from the pattern is refused',
    { pattern: '(?P<id>x)(?P<b>y)', url_template: 'x/{z}{a}' },
    {
      __all__: [/"a"/],
    },
  ),
  refused(
    'a template without one of the groups of the pattern is refused',
    { pattern: '(?P<id>x)(?P<b>y)' },
    { __all__: [/"b"/] },
  ),
  refused('a pattern that already exists is refused', {}, { __all__: [/already/] }),
  refused(
    'the refusal lists all errors',
    { pattern: '**', url_template: '{' },
    { url_template: [/RFC/], __all__: [/repetition/] },
  ),
  {
    name: 'a pattern of more than 500 characters is refused',
    as: 'administrator',
    call: ['linkifiers.create', { ...ISSUE, pattern: 'x'.repeat(501) }],
    refuses: { code: 'BAD_REQUEST', says: /limit: 500/ },
  },
  {
    name: 'a template of more than 1000 characters is refused',
    as: 'administrator',
    call: ['linkifiers.create', { ...ISSUE, url_template: 'x'.repeat(1001) }],
    refuses: { code: 'BAD_REQUEST', says: /limit: 1000/ },
  },
  {
    name: 'more than 100 linkifiers are refused',
    as: 'administrator',
    given: ({ storage }) =>
      storage.write(async (tx) => {
        for (let n = 0; n < 100; n++) await tx.linkifiers.create({ pattern: `x${n}`, url_template: 'x' });
      }),
    call: ['linkifiers.create', ISSUE],
    refuses: { code: 'BAD_REQUEST', says: /100/ },
  },
  {
    name: 'a non-administrator is refused whatever the parameters',
    as: 'moderator',
    call: ['linkifiers.create', {}],
    refuses: { code: 'UNAUTHORIZED_PRINCIPAL' },
  },
]);
