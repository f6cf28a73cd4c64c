import { type Case, cases } from '../../../world/case.ts';
import { ABSENT } from '../../../world/matching.ts';
import { list, narrowed, not, say } from './listing.ts';

const marked = (text: string) => `<span class="highlight">${text}</span>`;

/** A search that finds one message of this content, and how it is shown. */
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

export const listSearchCases = cases('messages.list', [
  list('several words are all looked for', 'hamlet', narrowed(['search', 'rotten something']), 'ghost'),
  list('several searches must all be met', 'hamlet', narrowed(['search', 'something'], ['search', 'nothing'])),
  list(
    'a phrase in quotation marks is looked for as it stands',
    'hamlet',
    narrowed(['search', '"play is the"']),
    'council',
  ),
  list('the words of a phrase in another order are not found', 'hamlet', narrowed(['search', '"the play the"'])),
  list('a word of the topic is found as well', 'hamlet', narrowed(['search', 'SHIP']), 'harbour'),
  list('signs with a meaning to databases have none', 'hamlet', narrowed(['search', '%'])),
  list(
    'a negated search leaves out what has all the words',
    'hamlet',
    narrowed(not('search', 'the thing'), ['sender', 'me'], not('is', 'dm'), not('channels', 'public')),
  ),
  list(
    'a negated search keeps what has only one of them',
    'hamlet',
    narrowed(not('search', 'thing nowhere'), ['channel', 'Council']),
    'council',
  ),
  list('a search finds nothing one did not receive', 'newcomer', narrowed(['search', 'rotten'])),
  list(
    'a search in public channels finds their history',
    'newcomer',
    narrowed(['search', 'rotten'], ['channels', 'public']),
    'ghost',
  ),
  list('a negated search gives nothing one did not receive', 'newcomer', narrowed(not('search', 'rotten'))),
  shown(
    'what was found is marked in the HTML',
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
    'what was escaped stays so, and marks go around it',
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
    'names of tags and entities are not text',
    '**amp** & x',
    'amp',
    `<p><strong>${marked('amp')}</strong> &amp; x</p>`,
  ),
  shown('a topic is marked too', 'roar', 'ROAR words', `<p>${marked('roar')}</p>`, marked('words')),
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
