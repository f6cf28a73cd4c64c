import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Channel, Message, Person, UnreadCounts } from '../../../lib/client/store/types.ts';
import { channelIn, MAX_TARGETS, matching, targetsOf } from '../../../lib/panel/app/switcher-model.ts';

const channel = (stream_id: number, name: string, own: Partial<Channel> = {}) =>
  ({ stream_id, name, is_subscribed: true, is_archived: false, ...own }) as Channel;
const person = (user_id: number, full_name: string, delivery_email = `user${user_id}@example.com`) =>
  ({ user_id, full_name, delivery_email }) as Person;

const NAMES = new Map([
  [8, 'Søren Kierkegaard'],
  [9, 'Łukasz Nowak'],
  [10, 'Ada Lovelace'],
]);

const EMPTY: Parameters<typeof targetsOf>[0] = {
  ...{ visited: [], conversations: [], messages: [], topics: undefined, people: [], me: 1 },
  channels: new Map(
    [channel(4, 'general'), channel(5, 'Köln'), channel(6, 'old', { is_archived: true })].map((one) => [
      one.stream_id,
      one,
    ]),
  ),
  unread: { channels: new Map(), conversations: new Map() } as unknown as UnreadCounts,
  nameOf: (ids) => (ids.length === 0 ? 'Notes to yourself' : ids.map((id) => NAMES.get(id) ?? '').join(', ')),
  topicName: (topic) => topic || 'general chat',
};

const targets = (known: Partial<typeof EMPTY>) => targetsOf({ ...EMPTY, ...known });
const labels = (known: Partial<typeof EMPTY>, query: string, here?: string) =>
  matching(targets(known), query, here).map(({ label, detail, kind }) =>
    kind === 'topic' ? `${detail} > ${label}` : label,
  );

const PEOPLE = [...NAMES].map(([id, name]) => person(id, name));

describe('the quick switcher', () => {
  it('lists what was open lately first, then conversations by their newest message, then channels and people', () => {
    const known = {
      visited: [{ view: 'channel', channelId: 5 } as const, { view: 'settings' } as const],
      conversations: [{ userIds: [9], lastMessageId: 20, unread: 0 }],
      messages: [
        { id: 10, place: { channelId: 4, topic: 'lunch' } },
        { id: 30, place: { channelId: 4, topic: 'dinner' } },
      ] as Message[],
      people: PEOPLE,
    };
    assert.deepEqual(labels(known, ''), [
      'Köln',
      'general > dinner',
      'Łukasz Nowak',
      'general > lunch',
      'general',
      'Søren Kierkegaard',
      'Ada Lovelace',
    ]);
    assert.deepEqual(labels(known, '', 'channel 5')[0], 'general > dinner');
  });

  it('finds letters with strokes and accents without them', () => {
    for (const [query, found] of [
      ['soren', 'Søren Kierkegaard'],
      ['lukasz', 'Łukasz Nowak'],
      ['NOW', 'Łukasz Nowak'],
      ['koln', 'Köln'],
      ['ada love', 'Ada Lovelace'],
      ['user10@ex', 'Ada Lovelace'],
    ] as const)
      assert.deepEqual(labels({ people: PEOPLE }, query), [found], query);
  });

  it('puts the whole name first, then its start, then a start of its words, then its middle', () => {
    const channels = new Map(
      ['team lunch', 'unlunch', 'lunch', 'lunch break'].map((name, index) => [index + 1, channel(index + 1, name)]),
    );
    assert.deepEqual(labels({ channels }, 'lunch'), ['lunch', 'lunch break', 'team lunch', 'unlunch']);
  });

  it('finds a topic by its name, by words of both names, and after the name of its channel', () => {
    const topics = {
      channelId: 4,
      list: ['lunch', 'launch'].map((name) => ({ name }) as NonNullable<typeof EMPTY.topics>['list'][number]),
    };
    const messages = [{ id: 1, place: { channelId: 5, topic: 'lunch' } }] as Message[];
    const known = { topics, messages };
    assert.deepEqual(labels(known, 'lun'), ['Köln > lunch', 'general > lunch']);
    assert.deepEqual(labels(known, 'gen lunch'), ['general > lunch']);
    assert.deepEqual(labels(known, 'general > la'), ['general > launch']);
    assert.deepEqual(labels(known, 'general>'), ['general > lunch', 'general > launch']);
    assert.equal(channelIn('gen > lunch', EMPTY.channels.values()), 4);
    assert.equal(channelIn('lunch', EMPTY.channels.values()), undefined);
    assert.equal(channelIn('> lunch', EMPTY.channels.values()), undefined);
  });

  it('offers each place once, none that is archived, and at most twelve', () => {
    const messages = [1, 2].map(
      (id) => ({ id, place: { channelId: 4, topic: id === 1 ? 'Lunch' : 'lunch' } }) as Message,
    );
    const archived = { id: 3, place: { channelId: 6, topic: 'x' } } as Message;
    const known = {
      messages: [...messages, archived],
      conversations: [{ userIds: [9], lastMessageId: 1, unread: 0 }],
      people: [...PEOPLE, person(1, 'Me')],
    };
    assert.deepEqual(labels(known, 'l'), ['general > lunch', 'Łukasz Nowak', 'Ada Lovelace', 'general', 'Köln']);
    assert.deepEqual(matching(targets({ people: [person(1, 'Me')] }), 'me')[0]?.route, { view: 'direct', userIds: [] });
    const many = Array.from({ length: 1000 }, (_, index) => person(index + 2, `Person ${index}`));
    assert.equal(matching(targets({ people: many }), 'person').length, MAX_TARGETS);
  });
});
