import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import { list, narrowed, not, say } from './listing.ts';

const marked = (text: string) => `<span class="highlight">${text}</span>`;

/** A search that finds one message with this content, and its highlighted form. */
const shown = (
  name: string,
  content: string,
  search: string,
  match_content: string,
  match_subject = 'words',
): Case => ({
  name,
  as: 'hamlet',
  given: (world) => say(world, [content]),
  call: ['messages.list', narrowed(['search', search], ['channel', 'Denmark'])],
  returns: ({ kept }) => ({ messages: [{ id: kept.said0, match_content, match_subject }] }),
});

const [COMPOSED, SPLIT] = ['Café Zürich 각', 'Café Zürich 각'].map((text, at) =>
  text.normalize(at === 0 ? 'NFC' : 'NFD'),
) as [string, string];

export const listSearchCases = cases('messages.list', [
  ...[
    [COMPOSED, SPLIT],
    [SPLIT, COMPOSED],
    [SPLIT, SPLIT],
  ].flatMap(([content, search]) =>
    (content as string)
      .split(' ')
      .map((word, at) =>
        shown(
          `D12: ${word} in ${content === COMPOSED ? 'NFC' : 'NFD'} is found by ${search === COMPOSED ? 'NFC' : 'NFD'}`,
          `x ${word} y`,
          (search as string).split(' ')[at] as string,
          `<p>x ${marked(word)} y</p>`,
        ),
      ),
  ),
  list(
    'a search of several words finds messages with all of them',
    'hamlet',
    narrowed(['search', 'rotten something']),
    'ghost',
  ),
  list(
    'several searches find messages that meet all of them',
    'hamlet',
    narrowed(['search', 'something'], ['search', 'nothing']),
  ),
  list(
    'a phrase in quotation marks is found only in this order',
    'hamlet',
    narrowed(['search', '"play is the"']),
    'council',
  ),
  list('the words of a phrase in another order are not found', 'hamlet', narrowed(['search', '"the play the"'])),
  list('a word of the topic is found as well', 'hamlet', narrowed(['search', 'SHIP']), 'harbour'),
  list('signs with a meaning in databases are plain text in a search', 'hamlet', narrowed(['search', '%'])),
  list(
    'a negated search leaves out messages with all its words',
    'hamlet',
    narrowed(not('search', 'the thing'), ['sender', 'me'], not('is', 'dm'), not('channels', 'public')),
  ),
  list(
    'a negated search keeps messages with only one of its words',
    'hamlet',
    narrowed(not('search', 'thing nowhere'), ['channel', 'Council']),
    'council',
  ),
  list('a search finds no messages the caller did not receive', 'newcomer', narrowed(['search', 'rotten'])),
  list(
    'a search in public channels finds their history',
    'newcomer',
    narrowed(['search', 'rotten'], ['channels', 'public']),
    'ghost',
  ),
  list('a negated search finds no messages the caller did not receive', 'newcomer', narrowed(not('search', 'rotten'))),
  shown(
    'found words are marked in the HTML',
    'Somebody is risen',
    'RISEN some',
    `<p>${marked('Some')}body is ${marked('risen')}</p>`,
  ),
  shown(
    'letters of every script are found in either case',
    'ÄRGER in ΟΔΟΣ',
    'ärger "in οδος"',
    `<p>${marked('ÄRGER')} ${marked('in ΟΔΟΣ')}</p>`,
  ),
  shown(
    'escaped text stays escaped inside the marks',
    'a <b> & c',
    '"<b> &"',
    `<p>a ${marked('&lt;b&gt; &amp;')} c</p>`,
  ),
  shown(
    'a hit across tags is marked in parts',
    'see http://example.com',
    '"SEE http"',
    `<p>${marked('see ')}<a href="http://example.com">${marked('http')}://example.com</a></p>`,
  ),
  shown(
    'names of tags and entities are not marked',
    '**amp** & x',
    'amp',
    `<p><strong>${marked('amp')}</strong> &amp; x</p>`,
  ),
  shown(
    'a word is found in its other forms',
    'They deployed it again',
    'deploying',
    `<p>They ${marked('deployed')} it again</p>`,
  ),
  shown('a word is found by its beginning', 'the deployment', 'deplo', `<p>the ${marked('deplo')}yment</p>`),
  {
    name: 'a word added by an edit is found by its beginning',
    as: 'hamlet',
    given: async (world) => {
      await say(world, ['words']);
      await world.as('hamlet').messages.edit({ message_id: world.kept.said0 as number, content: 'the zephyranthes' });
    },
    call: ['messages.list', narrowed(['search', 'zephyr'])],
    returns: ({ kept }) => ({ messages: [{ id: kept.said0 }] }),
  },
  list('a word is not found by its middle', 'hamlet', narrowed(['search', 'omething'])),
  list('one or two letters match only a whole word', 'hamlet', narrowed(['search', 'ro'])),
  list(
    'a word of the topic and one of the content are found together',
    'hamlet',
    narrowed(['search', 'ghosts rotten']),
    'ghost',
  ),
  list('stop words in a search are ignored', 'hamlet', narrowed(['search', 'by the rotten']), 'ghost'),
  list('a search of punctuation alone finds nothing', 'hamlet', narrowed(['search', '...'])),
  shown(
    'a link is found by its host and by its parts',
    'see http://docs.example.com/guide',
    'example guide',
    `<p>see <a href="http://docs.example.com/guide">http://docs.${marked('example')}.com/${marked('guide')}</a></p>`,
  ),
  shown(
    'code is found by its words',
    '`open_file(path)`',
    'file open',
    `<p><code>${marked('open')}_${marked('file')}(path)</code></p>`,
  ),
  shown(
    'letters without spaces between words are found anywhere',
    '我在东京都工作',
    '京都',
    `<p>我在东${marked('京都')}工作</p>`,
  ),
  {
    name: 'a word of a script without spaces is not found if a text only has its pairs of letters',
    as: 'hamlet',
    given: (world) => say(world, ['东京，京都']),
    call: ['messages.list', narrowed(['search', '东京都'])],
    returns: { messages: [] },
  },
  shown('one letter of a script without spaces is found', '我在东京都工作', '都', `<p>我在东京${marked('都')}工作</p>`),
  shown('a part of a word in Hangul is found', '서울에서 만나요', '울에', `<p>서${marked('울에')}서 만나요</p>`),
  shown('a sign with a meaning is found', 'half off: 50%', '%', `<p>half off: 50${marked('%')}</p>`),
  shown(
    'a long name is found by all of its letters',
    'see a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8',
    'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5',
    `<p>see ${marked('a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5')}d6e7f8</p>`,
  ),
  {
    name: 'a long name is not found if its last letters differ',
    as: 'hamlet',
    given: (world) => say(world, ['see a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8']),
    call: ['messages.list', narrowed(['search', 'a1b2c3d4e5f6a7b8c9d0e1f2ffff'])],
    returns: { messages: [] },
  },
  shown('found words are marked in the topic', 'roar', 'ROAR words', `<p>${marked('roar')}</p>`, marked('words')),
  {
    name: 'without a search nothing is marked',
    as: 'hamlet',
    call: ['messages.list', narrowed(['topic', 'plans'], not('search', 'nowhere'))],
    returns: { messages: [{ match_content: ABSENT, match_subject: ABSENT }] },
  },
  {
    name: 'the marked HTML comes beside the Markdown too',
    as: 'hamlet',
    call: ['messages.list', { ...narrowed(['search', 'rotten']), apply_markdown: false }],
    returns: {
      messages: [
        {
          content: 'Something is **rotten** here.',
          match_content: `<p>Something is <strong>${marked('rotten')}</strong> here.</p>`,
        },
      ],
    },
  },
]);
